package paste

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// kubectl is a parsed kubectl command.
type kubectl struct {
	verb      string
	resource  string   // as typed: "node", "po", "pods,svc"
	names     []string // requested object names
	namespace string   // of -n; empty: the default namespace of the user, which is unknown
	labels    []string // of -L, in order
}

// kubectl parses the arguments of a kubectl command; the zero value for other commands.
func (c *command) kubectl() kubectl {
	if c.tool() != "kubectl" {
		return kubectl{}
	}
	var k kubectl
	args := k.flags(c.words[1:])
	if len(args) == 0 {
		return k
	}
	k.verb, args = args[0], args[1:]
	if k.verb == "top" && len(args) > 0 {
		k.resource, k.names = args[0], args[1:]
		return k
	}
	k.objects(args)
	return k
}

// flags parses the flags and returns the other words.
func (k *kubectl) flags(words []string) (args []string) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !strings.HasPrefix(w, "-") {
			args = append(args, w)
			continue
		}
		flag, value, joined := splitFlag(w)
		if !joined && slices.Contains(kubectlValueFlags, w) && i+1 < len(words) {
			i++
			value = words[i]
		}
		switch flag {
		case "-n", "--namespace":
			k.namespace = value
		case "-L", "--label-columns":
			k.labels = append(k.labels, strings.Split(value, ",")...)
		}
	}
	return args
}

// splitFlag splits --flag=value, and -nvalue.
func splitFlag(w string) (flag, value string, joined bool) {
	flag, value, joined = strings.Cut(w, "=")
	if joined || len(w) == 2 {
		return flag, value, joined
	}
	if strings.HasPrefix(w, "-n") || strings.HasPrefix(w, "-L") {
		return w[:2], w[2:], true
	}
	return flag, "", false
}

// objects parses the resource and the names: "pod x", "pod/x", "pods".
func (k *kubectl) objects(args []string) {
	for i, w := range args {
		w = strings.TrimSuffix(w, ":")
		if i > 0 && (!isName(w) || strings.Trim(w, ".") == "" || strings.ContainsAny(w, "<>*$")) {
			k.names = append(k.names, "") // a placeholder for one unknown object
			continue
		}
		kind, name, slash := strings.Cut(w, "/")
		switch {
		case slash:
			k.resource = kind
			k.names = append(k.names, name)
		case i == 0:
			k.resource = w
		default:
			k.names = append(k.names, w)
		}
	}
}

var kubectlValueFlags = []string{
	"-n", "--namespace", "-o", "--output", "-l", "--selector", "-L", "--label-columns", "--context", "--kubeconfig",
	"--sort-by", "--field-selector", "-f", "--filename", "-c", "--container", "--cluster", "--user", "-s", "--server",
	"--as", "--tail", "--since",
}

// kind returns the kind of the resource argument, or "" if it is unknown or several.
func (k kubectl) kind() string { return evidence.KindNamed(k.resource) }

// one returns the name of the only requested object, if it is of that kind.
func (k kubectl) one(kind string) string {
	if len(k.names) == 1 && k.kind() == kind {
		return k.names[0]
	}
	return ""
}
