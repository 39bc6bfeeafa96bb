package shell_test

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/nodetriage/nodetriage/shell"
)

func TestCommand(t *testing.T) {
	for _, tc := range []struct {
		words  string
		others []string
		want   string
	}{
		{"kubectl cordon %", []string{"node-1.example.com"}, "kubectl cordon node-1.example.com"},
		{"kubectl get pods -n % -l %", []string{"a", "app in (a,b)"}, "kubectl get pods -n a -l 'app in (a,b)'"},
		{"kubectl cordon %", []string{"a;reboot"}, "kubectl cordon 'a;reboot'"},
		{"kubectl cordon %", []string{"--all"}, "kubectl cordon <name>"},
		{"kubectl cordon %", []string{""}, "kubectl cordon <name>"},
		{"kubectl cordon %", []string{"it's"}, "kubectl cordon <name>"},
		{"kubectl cordon %", []string{"a\nreboot"}, "kubectl cordon <name>"},
		{"kubectl cordon %", []string{"knöten"}, "kubectl cordon <name>"},
		{"kubectl cordon %", []string{"50%", "x"}, "kubectl cordon '50%'"}, // a % of theirs is no place of ours
	} {
		if got := shell.Command(tc.words, tc.others...); got != tc.want {
			t.Errorf("Command(%q, %q) = %q, want %q", tc.words, tc.others, got, tc.want)
		}
	}
}

// FuzzCommand: whatever a cluster calls its things, a real shell parser finds the one command that was meant, with
// the name as one argument that means itself.
func FuzzCommand(f *testing.F) {
	for _, s := range []string{"node-1", "a b", "$(reboot)", "`reboot`", "a'; reboot; '", `a\`, "-x", "~", "*", "{a,b}", "a\x00b", "!!", "#", "", "a&b", "\u2028", "<(x)", "=ls"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		word := shell.Word(name, "name")
		if word == "<name>" {
			return
		}
		for _, dialect := range []syntax.LangVariant{syntax.LangPOSIX, syntax.LangBash, syntax.LangMirBSDKorn} {
			file, err := syntax.NewParser(syntax.Variant(dialect)).Parse(strings.NewReader("kubectl cordon "+word+" --x"), "")
			if err != nil {
				t.Fatalf("%v: %q: %v", dialect, word, err)
			}
			call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
			if len(file.Stmts) != 1 || !ok || len(call.Args) != 4 {
				t.Fatalf("%v: %q is not one word", dialect, word)
			}
			got, err := expand.Fields(nil, call.Args[2])
			if err != nil || len(got) != 1 || got[0] != name {
				t.Fatalf("%v: %q means %q (%v), want %q", dialect, word, got, err, name)
			}
		}
	})
}
