package paste

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// host is where a command ran, as far as prompts tell.
type host struct {
	name string // of the machine; empty: not known
	// inside is the pod or container in which the command ran; empty: on the machine itself.
	inside string
	// entered: a command (ssh, exec) led here, so prompts without a name belong to it too.
	entered bool
}

// moved is the host after a prompt that shows h.
func (from host) moved(h host) host {
	switch {
	case h.name == "" && from.entered:
		return from
	case from.inside != "" && from.entered:
		return host{inside: from.inside, entered: true} // the name in a container's prompt is not a machine's
	}
	return h
}

// after is the host after a command that opens a shell elsewhere, or leaves it.
func (from host) after(c *command) host {
	switch {
	case c.leaves:
		return host{}
	case c.shell:
		return c.where
	}
	return from
}

// The prompts of the usual shells, each with the command behind it. A name before a colon, as zypper's
// systems show it, needs a path behind it: otherwise every "error: # ..." would be one.
var prompts = []*lazyregexp.Regexp{
	lazyregexp.New(`^\[[\w.-]+@(?P<host>[\w.-]+)(?:[ :][^\]]{0,100})?\] ?[$#%](?:\s*(?P<rest>.*))?$`),
	lazyregexp.New(`^[\w.-]+@(?P<host>[\w.-]+)(?::[^\s$#%>]{0,100}| [^\s$#%>]{1,100})?(?: \([^)]*\))? ?[$#%>](?:\s+(?P<rest>.*))?$`),
	lazyregexp.New(`^[\w.-]+@(?P<host>[\w.-]+):[^\s$#%>]{0,100}[$#](?P<rest>[a-z].*)$`),
	lazyregexp.New(`^(?P<host>[\w.-]+):[~/][^\s$#%>]{0,100} ?[$#>](?:\s+(?P<rest>.*))?$`),
	lazyregexp.New(`^(?:bash|sh|zsh|ksh|ash)-[\d.]+[$#](?:\s*(?P<rest>.*))?$`),
	lazyregexp.New(`^(?:PS )?[A-Za-z]:\\[^>]{0,200}>\s*(?P<rest>.*)$`),
	lazyregexp.New(`^PS [~/][^>]{0,200}>\s*(?P<rest>.*)$`),
	lazyregexp.New(`^[~/][^\s$#%>]{0,100} [$#%](?:\s+(?P<rest>.*))?$`),
	lazyregexp.New(`^➜\s+\S+\s+(?:git:\(\S*\)\s+)?(?:✗\s+)?(?P<rest>.*)$`),
	lazyregexp.New(`^(?:[~/][^\s$#%>]{0,100} )?[❯λ»]\s+(?P<rest>.*)$`),
	lazyregexp.New(`^\$(?:\s+(?P<rest>.*))?$`),
}

// before is what stands before a prompt: a Python environment, the time of the terminal.
var before = lazyregexp.New(`^(?:\([\w.:/-]{1,60}\) ?)?(?:\[?\d\d:\d\d(?::\d\d)?\]? +)?`)

// splitPrompt takes a line apart into what its prompt tells and the command. Without a prompt, a line that
// starts with the name of a tool counts as a command line as well, but only for the tools that nobody
// mentions at the start of a sentence.
func splitPrompt(text string) (h host, rest string, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return host{}, "", false
	}
	if strings.ContainsAny(text[:min(len(text), 160)], "$#%>*➜❯λ»") {
		if h, rest, ok := matchPrompt(text); ok {
			return h, rest, true
		}
	}
	word, _, _ := strings.Cut(text, " ")
	if bareTools[word] || strings.Contains(text, "<<") && (word == "cat" || word == "tee") {
		return host{}, text, true
	}
	if m := inlineCode.FindStringSubmatch(text); m != nil {
		return host{}, m[1], true
	}
	return host{}, "", false
}

// inlineCode is a command that prose names before it shows the output. Where the sentence goes on, it retells the output itself.
var inlineCode = lazyregexp.New("`((?:kubectl|oc) (?:get|describe|top) [^`]{1,300})`[^`]{0,60}$")

var bareTools = map[string]bool{
	"kubectl": true, "oc": true, "crictl": true, "systemctl": true, "openssl": true, "lsmod": true,
	"kubeadm": true, "sudo": true, "df": true, "journalctl": true, "sysctl": true, "timedatectl": true,
	"chronyc": true, "nslookup": true,
}

func matchPrompt(text string) (host, string, bool) {
	text = strings.TrimSpace(text[len(before.FindString(text)):])
	if text == "" {
		return host{}, "", false
	}
	if text[0] == '#' || text[0] == '*' { // a root prompt, a comment, or a heading
		rest := strings.Trim(text, "#*`: ")
		return host{}, rest, looksLikeCommand(rest)
	}
	if rest, ok := strings.CutPrefix(text, "$"); ok && rest != "" && rest[0] != ' ' {
		return host{}, rest, looksLikeCommand(rest)
	}
	for _, re := range prompts {
		m := re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		var h host
		if i := re.SubexpIndex("host"); i > 0 {
			h = machineOf(m[i], text)
		}
		return h, strings.TrimSpace(m[re.SubexpIndex("rest")]), true
	}
	if m := plainPrompt.FindStringSubmatch(text); m != nil && looksLikeCommand(m[2]) {
		return host{name: m[1]}, m[2], true
	}
	return host{}, "", false
}

// machineOf is the host that the name in a prompt means: a machine, or the container in which the shell runs. Docker names a
// container by its id, and Bottlerocket its host containers admin and control, whose prompts show no folder.
func machineOf(name, prompt string) host {
	bare := strings.HasPrefix(prompt, "[") && strings.Contains(prompt, "@"+name+"]")
	if containerID.MatchString(name) || bare && (name == "admin" || name == "control") {
		return host{inside: name}
	}
	return host{name: name}
}

var containerID = lazyregexp.New(`^[0-9a-f]{12}$`)

// plainPrompt is the name of a host, and a sign: prose has it too, so that a command that is known must follow.
var plainPrompt = lazyregexp.New(`^([a-z][\w.-]*\d[\w.-]*|[a-z][\w-]*\.[\w.-]+) ?[$#] (\S.*)$`)

// looksLikeCommand tells a command line from a comment: its first word, behind sudo, is a tool we know.
func looksLikeCommand(s string) bool {
	c := parseCommand(s)
	if c == nil {
		return false
	}
	if c.shell || c.leaves && len(c.words) == 1 {
		return true
	}
	_, ok := outputs[c.tool()]
	return ok && len(c.words) < 40 && !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, ":")
}

// fileHead reads the heads that head, tail and more print between files, and those of archives.
func fileHead(text string) (string, bool) {
	text = strings.TrimSpace(text)
	for _, mark := range [][2]string{{"==> ", " <=="}, {"::::: ", " :::::"}} {
		if s, ok := strings.CutPrefix(text, mark[0]); ok {
			if s, ok := strings.CutSuffix(s, mark[1]); ok && s != "" && len(s) < 200 {
				return s, true
			}
		}
	}
	return "", false
}

// fleet heads name the machine whose output follows: ansible's "node1 | CHANGED | rc=0 >>".
var fleet = lazyregexp.New(`^([\w.-]+) \| (?:CHANGED|SUCCESS|FAILED)!? \| rc=\d+ >>`)

func fleetHead(text string) (host, bool) {
	if !strings.HasSuffix(text, ">>") {
		return host{}, false
	}
	m := fleet.FindStringSubmatch(text)
	if m == nil {
		return host{}, false
	}
	return host{name: m[1]}, true
}
