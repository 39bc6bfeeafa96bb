package paste

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// host is where a command ran, according to the prompts.
type host struct {
	name string // of the machine; empty: unknown
	// inside is the pod or container of the command; empty: directly on the machine.
	inside string
	// entered: a command (ssh, exec) opened this shell, so prompts without a name belong to it too.
	entered bool
}

// moved returns the host after a prompt that shows h.
func (from host) moved(h host) host {
	switch {
	case h.name == "" && from.entered:
		return from
	case from.inside != "" && from.entered:
		return host{inside: from.inside, entered: true} // the name in a container prompt is not a machine
	}
	return h
}

// after returns the host after a command that opens or exits a shell elsewhere.
func (from host) after(c *command) host {
	switch {
	case c.leaves:
		return host{}
	case c.shell:
		return c.where
	}
	return from
}

// Prompts of the common shells, each with its command. A name before a colon, as on zypper systems, must be followed by a path:
// otherwise "error: # ..." would match.
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
	lazyregexp.New(`^(?:crash>|\(gdb\))(?:\s+(?P<rest>.*))?$`),
}

// before matches a prefix of a prompt: a Python environment, a time.
var before = lazyregexp.New(`^(?:\([\w.:/-]{1,60}\) ?)?(?:\[?\d\d:\d\d(?::\d\d)?\]? +)?`)

// splitPrompt splits a line into its prompt and the command. Without a prompt, a line that starts with a tool name is a command
// too, but only for tools that do not start sentences.
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

// inlineCode matches a command in prose before its output. If the sentence continues, it only summarizes the output.
var inlineCode = lazyregexp.New("`((?:kubectl|oc) (?:get|describe|top) [^`]{1,300})`[^`]{0,60}$")

var bareTools = map[string]bool{
	"kubectl": true, "oc": true, "crictl": true, "systemctl": true, "openssl": true, "lsmod": true,
	"kubeadm": true, "sudo": true, "df": true, "journalctl": true, "sysctl": true, "timedatectl": true,
	"chronyc": true, "nslookup": true,
}

// Session returns the machine that a prompt names, and the words of the command behind it. It returns nothing for other lines, and
// for commands that run elsewhere.
func Session(line string) (host string, words []string) {
	h, rest, ok := splitPrompt(line)
	if !ok || h.name == "" || h.inside != "" {
		return "", nil
	}
	c := parseCommand(rest)
	if c == nil || c.shell || c.host(h) != h {
		return "", nil
	}
	return h.name, c.words
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

// machineOf returns the host for the name in a prompt: a machine, or the container of the shell. Docker names a container by its
// ID. Bottlerocket names its host containers admin and control, and their prompts show no folder.
func machineOf(name, prompt string) host {
	bare := strings.HasPrefix(prompt, "[") && strings.Contains(prompt, "@"+name+"]")
	if containerID.MatchString(name) || bare && (name == "admin" || name == "control") {
		return host{inside: name}
	}
	return host{name: name}
}

var containerID = lazyregexp.New(`^[0-9a-f]{12}$`)

// plainPrompt matches a host name and a prompt sign. Prose may contain that too, so a known command must follow.
var plainPrompt = lazyregexp.New(`^([a-z][\w.-]*\d[\w.-]*|[a-z][\w-]*\.[\w.-]+) ?[$#] (\S.*)$`)

// looksLikeCommand reports whether a text is a command rather than a comment: its first word, after sudo, is a known tool.
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

// fileHead parses the file headers of head, tail and more, and those of archives.
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

// fleet matches headers with the machine of the next output: ansible's "node1 | CHANGED | rc=0 >>".
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

// Typed reports whether a line is a command, with or without a prompt.
func Typed(line string) bool {
	_, rest, ok := splitPrompt(line)
	return ok && rest != "" && parseCommand(rest) != nil
}
