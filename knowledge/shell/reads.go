package shell

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/clouds"
)

// Reads reports whether a command only reads: each program of it is one that changes nothing when it is called like this. A command
// with an unknown program does not count.
func (t Text) Reads() bool {
	command, _ := t.Unmarked()
	if strings.ContainsAny(string(command), "`$") { // the result of another command, or a variable, can be any word
		return false
	}
	calls, writes := split(string(command))
	if writes || len(calls) == 0 {
		return false
	}
	return !slices.ContainsFunc(calls, func(call string) bool { return !reads(words(call)) })
}

// harmless removes redirections that write no file.
var harmless = strings.NewReplacer("2>&1", "", ">/dev/null", "", "> /dev/null", "", "2>/dev/null", "", "2> /dev/null", "")

// split returns the calls of a command line: what its operators separate outside of quotes. writes reports whether it writes a
// file.
func split(line string) (calls []string, writes bool) {
	line = harmless.Replace(gap.ReplaceAllString(line, "x"))
	var quote rune
	from := 0
	for i, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case strings.ContainsRune(";|&", r):
			calls = append(calls, line[from:i])
			from = i + 1
		case r == '>': // it writes a file
			return nil, true
		}
	}
	return slices.DeleteFunc(append(calls, line[from:]), func(call string) bool { return strings.TrimSpace(call) == "" }), false
}

// words returns the words of a call without the programs that only start another one.
func words(call string) []string {
	list := strings.Fields(call)
	for len(list) > 0 {
		switch list[0] {
		case "timeout":
			list = list[min(2, len(list)):]
		case "sudo", "k3s", "command":
			list = list[1:]
		default:
			return list
		}
	}
	return nil
}

// readers are programs that only read, unless one of the listed words is in the call.
var readers = map[string][]string{
	"awk": nil, "blkid": nil, "cat": nil, "cut": nil, "date": {"-s", "--set"}, "df": nil, "dig": nil, "dmesg": {"-C", "-c"}, "du": nil, "echo": nil,
	"find": {"-delete", "-exec", "-execdir", "-ok"}, "findmnt": nil, "free": nil, "fuser": {"-k"}, "getenforce": nil, "getent": nil, "grep": nil, "head": nil,
	"ip": {"add", "append", "change", "del", "delete", "down", "flush", "replace", "set", "up"}, "iptables-save": nil, "journalctl": {"--rotate", "--vacuum-size", "--vacuum-time"},
	"last": nil, "ls": nil, "lsblk": nil, "lsmod": nil, "lspci": nil, "lvs": nil, "modinfo": nil, "mtr": nil, "nc": nil, "nproc": nil, "nslookup": nil, "nstat": nil, "pgrep": nil,
	"pidof": nil, "ping": nil, "ps": nil, "pvs": nil, "sed": nil, "sort": {"-o"}, "ss": {"-K"}, "stat": nil, "tail": nil, "top": nil, "tr": nil, "tracepath": nil, "true": nil,
	"uname": nil, "uniq": nil, "uptime": nil, "vgs": nil, "wc": nil, "curl": {"-o", "-O", "-X", "-d", "--data"}, "openssl": {"-out", "req", "genrsa"}, "smartctl": {"-s", "-t"},
	"ethtool": {"-A", "-C", "-G", "-K", "-L", "-s"}, "sysctl": {"-w", "-p", "--system"}, "losetup": {"-d", "-D"}, "multipath": {"-f", "-F", "-r"}, "nvidia-smi": {"-r", "--gpu-reset"},
	"ausearch": nil, "systemd-cgls": nil, "resolvectl": {"flush-caches"}, "base64": nil, "conntrack": {"-D", "-F", "-I", "-U"}, "file": {"-C"}, "ldd": nil,
	"mcelog": {"--daemon"}, "ras-mc-ctl": {"--register-labels"}, "systemd-detect-virt": nil, "nfsstat": {"-z"},
	"iscsiadm": {"-l", "-u", "-o", "-D", "-R", "-s", "--login", "--logout", "--op", "--rescan"},
}

// readingVerbs are the first words that only read, of programs with others that do not. A verb that ends with a hyphen is a
// beginning.
var readingVerbs = map[string][]string{
	"kubectl":   {"get", "describe", "logs", "top", "cluster-info", "version", "api-resources", "explain"},
	"oc":        {"get", "describe", "logs", "status"},
	"crictl":    {"ps", "images", "logs", "inspect", "inspectp", "pods", "info", "version"},
	"docker":    {"ps", "images", "logs", "inspect", "info"},
	"podman":    {"ps", "images", "logs", "inspect", "info"},
	"systemctl": {"status", "show", "cat", "list-", "is-"}, "networkctl": {"status", "list"}, "timedatectl": {"status", "timesync-status", "show"}, "busctl": {"list", "status", "tree"},
	"chronyc": {"sources", "tracking", "sourcestats"}, "nodetriage": {"explain", "why", "check", "diagnose", "nodes", "pods", "pools"},
	"cloud-init": {"status", "query", "schema"}, "rbd": {"status", "info", "ls"},
}

// readingEnds are the last words before the options that only read, of programs whose first words name an object.
var readingEnds = func() map[string][]string {
	out := map[string][]string{
		"ctr": {"ls", "list", "check", "ps"}, "etcdctl": {"status", "health", "list"}, "kubeadm": {"check-expiration", "validate", "list"},
		"nodeadm": {"check"}, "containerd": {"dump"}, "crio": {"config"}, "ostree": {"status"}, "calicoctl": {"show", "check", "status"}, "talosctl": {"memory", "members", "containers", "dmesg", "services", "health"},
		"nmcli": {"status", "show", "list"},
	}
	for _, cloud := range clouds.All() {
		for _, p := range cloud.Programs {
			out[p.Name] = p.Reads
		}
	}
	return out
}()

// showsAlone are programs that without a subcommand show their state.
var showsAlone = map[string]bool{"timedatectl": true, "hostnamectl": true, "networkctl": true, "nmcli": true}

// options of kubectl, crictl and ctr that a value follows.
var valued = []string{"-n", "--namespace", "--kubeconfig", "--timeout", "--runtime-endpoint", "--address"}

// reads reports whether a call only reads.
func reads(call []string) bool {
	if len(call) == 0 {
		return false
	}
	if writing, is := readers[call[0]]; is {
		return !slices.ContainsFunc(call[1:], func(word string) bool { return writes(call[0], word, writing) })
	}
	if slices.Equal(call[1:], []string{"--version"}) {
		return true
	}
	list := subcommands(call[1:])
	if len(list) == 0 {
		return showsAlone[call[0]]
	}
	return oneOf(readingVerbs[call[0]], list[0]) || oneOf(readingEnds[call[0]], list[len(list)-1])
}

// writes reports whether a word of a call makes its program write.
func writes(program, word string, writing []string) bool {
	option, _, assigned := strings.Cut(word, "=")
	switch {
	case program == "sed" && strings.HasPrefix(word, "-i"), program == "sysctl" && assigned:
		return true
	}
	return slices.Contains(writing, option)
}

// oneOf reports whether a word is one of the verbs.
func oneOf(verbs []string, word string) bool {
	return slices.ContainsFunc(verbs, func(verb string) bool {
		return word == verb || strings.HasSuffix(verb, "-") && strings.HasPrefix(word, verb)
	})
}

// subcommands returns the words before the first option without a value.
func subcommands(call []string) (out []string) {
	for i := 0; i < len(call); i++ {
		switch {
		case slices.Contains(valued, call[i]):
			i++
		case strings.HasPrefix(call[i], "-") && len(out) > 0:
			return out
		case !strings.HasPrefix(call[i], "-"):
			out = append(out, call[i])
		}
	}
	return out
}
