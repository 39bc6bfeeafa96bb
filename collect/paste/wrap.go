package paste

import (
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/components"
)

// unwrap removes one wrapper from the command: sudo, ssh, kubectl exec and the like. It returns false if there is none.
func (c *command) unwrap() bool {
	w := c.words
	if len(w) == 0 {
		return false
	}
	if name, _, ok := strings.Cut(w[0], "="); ok && name != "" && !strings.ContainsAny(name, "/.-") { // VAR=value
		c.words = w[1:]
		return true
	}
	if components.OfTool(toolName(w[0])) != nil && len(w) > 1 && slices.Contains([]string{"kubectl", "crictl", "ctr"}, w[1]) {
		c.words = w[1:]
		return true
	}
	switch toolName(w[0]) {
	case "sudo", "time", "nohup", "nice", "stdbuf", "unbuffer", "then", "do", "exec":
		c.words = skipFlags(w[1:], "-u", "-g", "-n")
		if toolName(w[0]) == "sudo" && len(c.words) == 0 && len(w) > 1 { // sudo -i
			return false
		}
		return true
	case "watch", "timeout":
		c.words = skipFlags(w[1:], "-n", "-s", "-k")
		if w[0] == "timeout" && len(c.words) > 0 {
			c.limit = limitOf(c.words[0])
			c.words = c.words[1:]
		}
		return true
	case "chroot":
		c.words, c.outside = w[min(2, len(w)):], true
		return true
	case "nsenter":
		c.words, c.outside = skipFlags(w[1:], "-t", "--target"), true
		return true
	case "sheltie": // admin container of Bottlerocket: a shell of the machine
		c.words, c.where, c.shell = w[1:], host{entered: true}, len(w) == 1
		return true
	case "bash", "sh":
		if len(w) > 2 && strings.HasSuffix(w[1], "c") {
			return c.rewrite(w[2:])
		}
	case "ssh":
		return c.unwrapSSH(skipFlags(w[1:], "-i", "-p", "-o", "-l", "-J", "-F", "-L", "-R"))
	case "minikube":
		return c.unwrapMinikube(w[1:])
	case "docker", "nerdctl", "podman", "crictl", "kubectl":
		return c.unwrapExec(w[1:])
	}
	return false
}

// limitOf parses the time limit of timeout: seconds, or a number with s or m.
func limitOf(word string) time.Duration {
	if strings.TrimRight(word, "0123456789.") == "" {
		word += "s"
	}
	d, err := time.ParseDuration(word)
	if err != nil {
		return 0
	}
	return max(d, 0)
}

// rewrite parses a command that was one quoted argument of another.
func (c *command) rewrite(words []string) bool {
	inner := parseCommand(strings.Join(words, " "))
	if inner == nil {
		c.words = nil
		return false
	}
	c.words, c.filters, c.outside = inner.words, append(inner.filters, c.filters...), c.outside || inner.outside
	if inner.where != (host{}) {
		c.where, c.shell = inner.where, inner.shell
	}
	return false
}

func (c *command) unwrapSSH(w []string) bool {
	if len(w) == 0 {
		return false
	}
	target := w[0][strings.LastIndexByte(w[0], '@')+1:]
	c.where = host{name: target, entered: true}
	if len(w) == 1 {
		c.words, c.shell = nil, true
		return false
	}
	return c.rewrite(w[1:])
}

func (c *command) unwrapMinikube(w []string) bool {
	if len(w) == 0 {
		return false
	}
	switch w[0] {
	case "kubectl":
		c.words = append([]string{"kubectl"}, skipFlags(w[1:])...)
		return true
	case "ssh":
		c.where = host{entered: true}
		rest := skipFlags(w[1:], "-n", "--node", "-p", "--profile")
		if len(rest) == 0 {
			c.words, c.shell = nil, true
			return false
		}
		return c.rewrite(rest)
	}
	return false
}

// unwrapExec handles exec of container tools and kubectl, and kubectl debug node.
func (c *command) unwrapExec(w []string) bool {
	rest := skipFlags(w, "-n", "--namespace", "--context", "--kubeconfig", "-r", "--runtime-endpoint")
	if len(rest) == 0 {
		return false
	}
	verb := rest[0]
	if verb != "exec" && verb != "debug" && verb != "run" && verb != "rsh" {
		return false
	}
	flags := rest[1:]
	rest = skipFlags(flags, "-n", "--namespace", "-c", "--container", "-u", "-w", "-e", "--image")
	if len(rest) == 0 {
		return false
	}
	flags = flags[:len(flags)-len(rest)]
	target := rest[0]
	if node, ok := strings.CutPrefix(target, "node/"); ok && verb == "debug" {
		c.where = host{name: node, entered: true}
	} else {
		c.where = host{inside: target[strings.LastIndexByte(target, '/')+1:], entered: true}
	}
	rest = skipFlags(rest[1:], "-n", "--namespace", "-c", "--container", "--image")
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	if len(rest) == 0 || len(rest) == 1 && isShell(rest[0]) {
		c.words, c.shell = nil, verb != "run" || slices.ContainsFunc(flags, interactive)
		return false
	}
	c.words = rest
	return true
}

// interactive reports whether a flag of run keeps the terminal open.
func interactive(flag string) bool {
	short := strings.HasPrefix(flag, "-") && !strings.HasPrefix(flag, "--")
	return short && strings.ContainsAny(flag, "it") || slices.Contains([]string{"--interactive", "--tty", "--stdin"}, flag)
}

func isShell(word string) bool {
	switch toolName(word) {
	case "sh", "bash", "ash", "zsh":
		return true
	}
	return false
}

// skipFlags drops leading flags, including the next word for those in withValue. It also drops "--", which ends them.
func skipFlags(w []string, withValue ...string) []string {
	for len(w) > 0 && strings.HasPrefix(w[0], "-") && w[0] != "-" {
		if w[0] == "--" {
			return w[1:]
		}
		n := 1
		if slices.Contains(withValue, w[0]) {
			n = 2
		}
		w = w[min(n, len(w)):]
	}
	return w
}
