package shell_test

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

func TestFormat(t *testing.T) {
	for _, tc := range []struct {
		text   shell.Text
		values []string
		want   string
	}{
		{"kubectl cordon {node}", []string{"node-1.example.com"}, "kubectl cordon node-1.example.com"},
		{"kubectl get pods -n {namespace} -l {selector}", []string{"a", "app in (a,b)"}, "kubectl get pods -n a -l 'app in (a,b)'"},
		{"kubectl cordon {node}", []string{"a;reboot"}, "kubectl cordon <node>"},
		{"kubectl cordon {node}", []string{"$(reboot)"}, "kubectl cordon <node>"},
		{"kubectl cordon {node}", []string{"`reboot`"}, "kubectl cordon <node>"},
		{"kubectl cordon {node}", []string{"--all"}, "kubectl cordon <node>"},
		{"kubectl cordon {node}", []string{"@/etc/shadow"}, "kubectl cordon <node>"},
		{"kubectl cordon {node}", []string{""}, "kubectl cordon <node>"},
		{"kubectl cordon {node}", nil, "kubectl cordon <node>"},
		{"kubectl cordon {node}", []string{"it's"}, "kubectl cordon <node>"},
		{"kubectl cordon {node}", []string{"a\nreboot"}, "kubectl cordon <node>"},
		{"kubectl cordon {node}", []string{"kn\u00f6ten"}, "kubectl cordon <node>"},
		{"kubectl cordon {node}", []string{"a\u00a0b"}, "kubectl cordon <node>"},
		{"kubectl cordon {node}", []string{"a\u202eb"}, "kubectl cordon <node>"},
		{"kubectl cordon {node}", []string{"50%PATH%"}, "kubectl cordon <node>"},
		{"az aks nodepool update --max-surge {surge}", []string{"10%"}, "az aks nodepool update --max-surge '10%'"},
		{"kubectl cordon {node}", []string{strings.Repeat("a", 2000)}, "kubectl cordon <node>"},
		{"kubectl cordon {node}", []string{"~"}, "kubectl cordon '~'"},
		{"kubectl cordon {node}", []string{"{a,b}"}, "kubectl cordon '{a,b}'"},
		{"kubectl cordon {node}", []string{"{node}"}, "kubectl cordon '{node}'"}, // a placeholder in a value is not a placeholder
		// inside quotes and within words only what needs no quotes
		{`ssh {node} 'sudo crictl inspect {id}'`, []string{"n", "a b"}, `ssh n 'sudo crictl inspect <id>'`},
		{`az graph query -q "x contains '{cluster}'"`, []string{"a (b)"}, `az graph query -q "x contains '<cluster>'"`},
		{`az graph query -q "x contains '{cluster}'"`, []string{"a-b"}, `az graph query -q "x contains 'a-b'"`},
		{"kubectl get pods --field-selector spec.nodeName={node}", []string{"a b"}, "kubectl get pods --field-selector spec.nodeName=<node>"},
		{"kubectl get pods --field-selector spec.nodeName={node}", []string{"a,b"}, "kubectl get pods --field-selector spec.nodeName=<node>"},
		// a part of a path is no path
		{"kubectl get --raw /api/v1/nodes/{node}/proxy", []string{"../../secrets"}, "kubectl get --raw /api/v1/nodes/<node>/proxy"},
		{"kubectl get --raw /api/v1/nodes/{node}/proxy", []string{".."}, "kubectl get --raw /api/v1/nodes/<node>/proxy"},
		{"kubectl get pod {pod} > {pod}.yaml", []string{"a/b", "/etc/cron.d/x"}, "kubectl get pod a/b > <pod>.yaml"},
		// English around commands
		{"the node's log: journalctl -u {unit}", []string{"a b"}, "the node's log: journalctl -u 'a b'"},
		{"kubectl get node {node}, an hour later", []string{"n"}, "kubectl get node n, an hour later"},
		{`kubectl patch -n {namespace} -p '{"a":{"b":{seconds}}}'`, []string{"n", "5"}, `kubectl patch -n n -p '{"a":{"b":5}}'`},
	} {
		if got := shell.Format(tc.text, tc.values...); string(got) != tc.want {
			t.Errorf("Format(%q, %q) = %q, want %q", tc.text, tc.values, got, tc.want)
		}
	}
}

func TestFill(t *testing.T) {
	text := shell.Text("az vmss start -g {group} -n {set}")
	half := text.Fill(map[string]string{"set": "vmss", "group": "$(x)"})
	if half != "az vmss start -g <group> -n vmss" {
		t.Errorf("Fill: %q", half)
	}
	if got := half.Complete(map[string]string{"group": "mc_g", "vmss": "x"}); got != "az vmss start -g mc_g -n vmss" {
		t.Errorf("Complete: %q", got)
	}
	if got := half.Complete(map[string]string{"group": "a;b"}); got != half {
		t.Errorf("Complete: %q", got)
	}
}

// A typed command is repeated only if a shell does nothing more than start that command.
func TestTyped(t *testing.T) {
	for command, want := range map[string]bool{
		"az aks show -g rg -n c":                    true,
		`az vmss list -g rg --query "[?a=='b'].c"`:  true,
		"az vmss list -g rg --query '[].name'":      true,
		"az aks show -g $(touch x)":                 false,
		"az aks show -g a; reboot":                  false,
		"az aks show -g a && reboot":                false,
		"az aks show -g a > /etc/passwd":            false,
		"az aks show -g `x`":                        false,
		`az aks show -g "$(touch x)"`:               false,
		"az aks show -g 'a":                         false,
		"az aks show -g a\nreboot":                  true, // one line: the break is a space
		"":                                          false,
		"az aks show --name @/etc/shadow":           false,
		"az aks show -g \u202ea":                    false,
		"az aks show " + strings.Repeat("a ", 2000): false,
		"az aks show -g {a,b}":                      false,
		"az aks show -g *":                          false,
	} {
		got, ok := shell.Typed(command)
		if ok != want {
			t.Errorf("Typed(%q) = %q, %v", command, got, ok)
		}
		if ok && strings.ContainsAny(string(got), "$`\n;&<>") {
			t.Errorf("Typed(%q) = %q", command, got)
		}
	}
}

// FuzzCommand: for any names in a cluster, a real shell parser finds exactly the intended command, with the name as one literal
// argument.
func FuzzCommand(f *testing.F) {
	for _, s := range []string{"node-1", "a b", "$(reboot)", "`reboot`", "a'; reboot; '", `a\`, "-x", "~", "*", "{a,b}", "a\x00b", "!!", "#", "", "a&b", "\u2028", "<(x)", "=ls"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		for _, form := range []struct {
			text shell.Text
			arg  int
			want string
		}{
			{"kubectl cordon {name} --x", 2, name},
			{"kubectl cordon --a={name} --x", 2, "--a=" + name},
			{`kubectl cordon "b '{name}' b" --x`, 2, "b '" + name + "' b"},
			{"kubectl cordon 'a {name}' --x", 2, "a " + name},
		} {
			command := string(shell.Format(form.text, name))
			if strings.Contains(command, "<name>") {
				continue
			}
			for _, dialect := range []syntax.LangVariant{syntax.LangPOSIX, syntax.LangBash, syntax.LangMirBSDKorn} {
				file, err := syntax.NewParser(syntax.Variant(dialect)).Parse(strings.NewReader(command), "")
				if err != nil {
					t.Fatalf("%v: %q: %v", dialect, command, err)
				}
				call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
				if len(file.Stmts) != 1 || !ok || len(call.Args) != 4 {
					t.Fatalf("%v: %q is not one word", dialect, command)
				}
				got, err := expand.Fields(nil, call.Args[form.arg])
				if err != nil || len(got) != 1 || got[0] != form.want {
					t.Fatalf("%v: %q means %q (%v), want %q", dialect, command, got, err, form.want)
				}
			}
		}
	})
}
