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
	var plain []string
	for i := 1; i < len(c.words); i++ {
		w := c.words[i]
		if !strings.HasPrefix(w, "-") {
			plain = append(plain, w)
			continue
		}
		flag, value, joined := strings.Cut(w, "=")
		if !joined {
			switch {
			case len(w) > 2 && (strings.HasPrefix(w, "-n") || strings.HasPrefix(w, "-L")) && w[1] != '-':
				flag, value = w[:2], w[2:]
			case slices.Contains(kubectlValueFlags, w) && i+1 < len(c.words):
				i++
				value = c.words[i]
			}
		}
		switch flag {
		case "-n", "--namespace":
			k.namespace = value
		case "-L", "--label-columns":
			k.labels = append(k.labels, strings.Split(value, ",")...)
		}
	}
	if len(plain) > 0 {
		k.verb, plain = plain[0], plain[1:]
	}
	if k.verb == "top" && len(plain) > 0 {
		k.resource, plain = plain[0], plain[1:]
		k.names = plain
		return k
	}
	for i, w := range plain {
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
	return k
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
