package catalog_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// command is one command line of a page and the place where it runs.
type command struct{ page, text, place string }

func pageCommands(t *testing.T) []command {
	t.Helper()
	var out []command
	for _, c := range builtin(t).Causes() {
		for _, k := range c.Confirm {
			out = append(out, command{c.ID, string(k.Run), k.Where})
		}
		for _, r := range c.Remedies {
			for _, text := range slices.Concat(r.Commands, r.Instead) {
				out = append(out, command{c.ID, string(text), r.Place(text)})
			}
		}
	}
	for _, s := range builtin(t).Symptoms() {
		for _, k := range s.Checks {
			out = append(out, command{s.ID, string(k.Run), k.Where})
		}
	}
	return out
}

// unfilled matches placeholders for a person or the program.
var unfilled = regexp.MustCompile(`\{([a-zA-Z][\w-]*)\}|<[a-zA-Z][^<>|;&]*>`)

// filled are the placeholders that the program can fill from a subject or a message. Other words in braces would be treated as
// placeholders too.
var filled = strings.Fields("account address api-endpoint deployment image module namespace node path pdb pod pool resource verb volume workload cluster-group cluster-name node-resource-group scale-set instance-id machine-name machine-zone namespace-name assignment-id resource-id cluster-id subnet-id vnet vnet-group lock-id object-id principal action scope region size agent-pod agent-namespace plugin-pod plugin-namespace kube-proxy-pod disk quota subscription new-limit lock lock-group assignment flag gate field credential-name cni-config interface address-of-another-node taint one-more webhook-configuration webhook-namespace unit registry tool program service csr provider signal locked-group dns-name url table match port slice daemonset sandbox rbd-image device other-node")

// Every command of every page can be parsed by a shell, calls only programs that exist there, and uses only their
// subcommands and flags.
func TestCommands(t *testing.T) {
	list := pageCommands(t)
	if len(list) < 600 {
		t.Errorf("the pages have %d commands, which cannot be all", len(list))
	}
	for _, c := range list {
		if err := c.check(); err != nil {
			t.Errorf("%s: %s\n\t%v", c.page, c.text, err)
		}
	}
}

// The test would find earlier errors of pages.
func TestCommandsThatFail(t *testing.T) {
	for _, c := range []command{
		{"braces that are no name", "curl -w %{http_code} https://x", "node"},
		{"prose", "the cloud's power state of the machine", "cloud-cli"},
		{"prose in brackets", "kubectl get nodes (from another machine)", "workstation"},
		{"no such subcommand", "etcdctl compact 7", "control-plane"},
		{"no such flag", "kubectl drain n1 --ignore-daemonset", "workstation"},
		{"a flag of another subcommand", "kubectl logs -A -l app=x", "workstation"},
		{"flags that exclude each other", "kubectl get nodes -o custom-columns=N:.metadata.name --show-labels", "workstation"},
		{"a dry run that is none", "kubectl create --raw /x -f e.json --dry-run=server", "workstation"},
		{"all finalizers", `kubectl patch pod p --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'`, "workstation"},
		{"one finalizer, untested", `kubectl patch pod p --type=json -p '[{"op":"remove","path":"/metadata/finalizers/0"}]'`, "workstation"},
		{"broken JSON", `kubectl patch node n -p '{"spec":'`, "workstation"},
		{"broken path", `kubectl get node n -o jsonpath='{.status'`, "workstation"},
		{"no such place", "systemctl restart kubelet", "workstation"},
		{"cloud on a node", "az aks show -g g -n c", "node"},
		{"a file that others write too", "echo br_netfilter > /etc/modules-load.d/kubernetes.conf", "node"},
	} {
		if c.check() == nil {
			t.Errorf("%s: %s is accepted", c.page, c.text)
		}
	}
}

func (c command) check() error {
	for _, m := range unfilled.FindAllStringSubmatch(c.text, -1) {
		if m[1] != "" && !slices.Contains(filled, m[1]) {
			return fmt.Errorf("{%s} is no name that the program knows, and would be shown as <%s>", m[1], m[1])
		}
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(unfilled.ReplaceAllString(c.text, "x")), "")
	if err != nil {
		return err
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		if err != nil {
			return false
		}
		switch node := node.(type) {
		case *syntax.CallExpr:
			err = c.call(words(node.Args))
		case *syntax.Redirect:
			if node.Op == syntax.RdrOut && strings.HasSuffix(word(node.Word), "/kubernetes.conf") {
				err = fmt.Errorf("it overwrites %s, in which others have their lines: append, or use a file of its own", word(node.Word))
			}
		}
		return true
	})
	return err
}

// wrappers run the program after them; the number is their own arguments.
var wrappers = map[string]int{"timeout": 1, "command": 1, "sudo": 0}

func (c command) call(args []string) error {
	if len(args) == 0 {
		return nil // an assignment
	}
	if skip, is := wrappers[args[0]]; is && len(args) > skip+1 {
		if args[0] == "command" {
			return nil
		}
		return c.call(args[skip+1:])
	}
	p, known := programs[args[0]]
	if !known {
		return fmt.Errorf("%q is no program that the pages know", args[0])
	}
	if len(p.on) > 0 && !slices.Contains(p.on, c.place) && (p.elsewhere == nil || !p.elsewhere(args)) {
		return fmt.Errorf("%s runs on %v, the page says %q", args[0], p.on, c.place)
	}
	if p.check == nil {
		return nil
	}
	return p.check(args[1:])
}

func words(list []*syntax.Word) []string {
	out := make([]string, 0, len(list))
	for _, w := range list {
		out = append(out, word(w))
	}
	return out
}

// word returns a word of a command as the program gets it; x replaces what the shell would compute.
func word(w *syntax.Word) string {
	var b strings.Builder
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			b.WriteString(part.Value)
		case *syntax.SglQuoted:
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			b.WriteString(word(&syntax.Word{Parts: part.Parts}))
		default:
			b.WriteString("x")
		}
	}
	return b.String()
}
