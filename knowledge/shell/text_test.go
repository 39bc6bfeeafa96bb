package shell_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Lists of names become words of a command, and none of them more than one word.
func TestWordsAndLists(t *testing.T) {
	for _, c := range []struct{ got, want shell.Text }{
		{shell.Words("node", "a", "b;reboot", "c"), "a <node> c"},
		{shell.Words("node"), ""},
		{shell.List("node", []string{"a", "b c", "$(x)"}), "a,'b c',<node>"},
		{shell.List("node", nil), ""},
		{shell.Join(" && ", "a", "b"), "a && b"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// A command is told from the comment behind it.
func TestUnmarked(t *testing.T) {
	for text, want := range map[shell.Text][2]shell.Text{
		"kubectl get nodes":                  {"kubectl get nodes", ""},
		"kubectl delete node a # it is gone": {"kubectl delete node a", " # it is gone"},
		"echo a#b":                           {"echo a#b", ""},
	} {
		command, comment := text.Unmarked()
		if command != want[0] || comment != want[1] {
			t.Errorf("%q: %q and %q, want %q", text, command, comment, want)
		}
	}
}

// A text can be asked what it names, and have a part replaced.
func TestPartsOfTexts(t *testing.T) {
	text := shell.Text("systemctl restart {own-unit} on {node}")
	if !text.Names([]string{"docker", "systemctl"}) || text.Names([]string{"docker"}) || text.Names(nil) {
		t.Error("it does not know what it names")
	}
	if got := text.Own("k3s-agent"); got != "systemctl restart k3s-agent on {node}" {
		t.Errorf("own unit: %q", got)
	}
	if got := text.Replace(regexp.MustCompile(`restart (\S+)`), "start ${1}"); got != "systemctl start {own-unit} on {node}" {
		t.Errorf("replaced: %q", got)
	}
	if got := text.Places(); !slices.Equal(got, []string{"own-unit", "node"}) {
		t.Errorf("places: %v", got)
	}
	if got := shell.Strings([]shell.Text{"a", "b"}); !slices.Equal(got, []string{"a", "b"}) || shell.Strings(nil) != nil {
		t.Errorf("strings: %v", got)
	}
	if got := shell.Gap("node"); got != "<node>" {
		t.Errorf("gap: %q", got)
	}
	if got := shell.Gap("a>b"); got != "<name>" {
		t.Errorf("gap of what is no name: %q", got)
	}
}

// Finalizers are taken one by one from the end, each with a test that its place still holds it.
func TestWithoutFinalizers(t *testing.T) {
	got := shell.WithoutFinalizers("shop", "db-0", []string{"a.example/x", "b.example/y", "c.example/z"}, []string{"a.example/x", "c.example/z"})
	want := []shell.Text{
		`kubectl -n shop patch pod db-0 --type=json -p '[{"op":"test","path":"/metadata/finalizers/2","value":"c.example/z"},{"op":"remove","path":"/metadata/finalizers/2"}]'`,
		`kubectl -n shop patch pod db-0 --type=json -p '[{"op":"test","path":"/metadata/finalizers/0","value":"a.example/x"},{"op":"remove","path":"/metadata/finalizers/0"}]'`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := shell.WithoutFinalizers("shop", "db-0", []string{"a.example/x"}, nil); len(got) != 0 {
		t.Errorf("without any: %q", got)
	}
	for _, c := range shell.WithoutFinalizers("shop", "db-0", []string{"a'; reboot; '"}, []string{"a'; reboot; '"}) {
		if regexp.MustCompile(`reboot`).MatchString(string(c)) {
			t.Errorf("a finalizer gets out of its quotes: %q", c)
		}
	}
}
