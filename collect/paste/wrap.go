package paste

import (
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/components"
)

// unwrap removes one wrapper from the command: sudo, ssh, kubectl exec and the like. It returns false if there is none.
func (c *command) unwrap() bool {
	if len(c.words) == 0 {
		return false
	}
	first, args := c.words[0], c.words[1:]
	if isAssignment(first) || bringsTool(first, args) {
		c.words = args
		return true
	}
	switch tool := toolName(first); tool {
	case "sudo", "time", "nohup", "nice", "stdbuf", "unbuffer", "then", "do", "exec":
		c.words = skipFlags(args, "-u", "-g", "-n")
		opensShell := tool == "sudo" && len(c.words) == 0 && len(args) > 0 // sudo -i
		return !opensShell
	case "watch", "timeout":
		c.unwrapTimer(first, skipFlags(args, "-n", "-s", "-k"))
		return true
	case "bash", "sh":
		return len(args) > 1 && strings.HasSuffix(args[0], "c") && c.rewrite(args[1:])
	case "ssh":
		return c.unwrapSSH(skipFlags(args, "-i", "-p", "-o", "-l", "-J", "-F", "-L", "-R"))
	case "minikube":
		return c.unwrapMinikube(args)
	case "docker", "nerdctl", "podman", "crictl", "kubectl":
		return c.unwrapExec(args)
	default:
		return c.leave(tool, args)
	}
}

// isAssignment reports whether a word sets an environment variable of the command: VAR=value.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsAny(name, "/.-")
}

// bringsTool reports whether a program runs the tool that its first argument names, as k3s does.
func bringsTool(program string, args []string) bool {
	return len(args) > 0 && slices.Contains([]string{"kubectl", "crictl", "ctr"}, args[0]) && components.OfTool(toolName(program)) != nil
}

// leave removes a wrapper that leaves a container: the rest runs on the machine.
func (c *command) leave(tool string, args []string) bool {
	switch tool {
	case "chroot":
		c.words, c.outside = args[min(1, len(args)):], true
	case "nsenter":
		c.words, c.outside = skipFlags(args, "-t", "--target"), true
	case "sheltie": // admin container of Bottlerocket: a shell of the machine
		c.words, c.where, c.shell = args, host{entered: true}, len(args) == 0
	default:
		return false
	}
	return true
}

func (c *command) unwrapTimer(program string, args []string) {
	c.words = args
	if program == "timeout" && len(args) > 0 {
		c.limit, c.words = limitOf(args[0]), args[1:]
	}
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
