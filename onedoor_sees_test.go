package nodetriage_test

import (
	"go/parser"
	"go/token"
	"testing"
)

// bypassing are ways to make a command of a name without package shell, each on one line, and a few lines that are none.
const bypassing = `package bypassing

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

const cordon = "kubectl cordon "

type advice struct{ How string }

func made(name string, text shell.Text, data []byte) []any {
	var b strings.Builder
	said := "kubectl get pods"
	a := advice{How: "kubectl drain"}
	said += " -n " + name // bad
	a.How += " " + name // bad
	b.WriteString("kubectl delete pod ") // bad
	var gap evidence.Gap
	return []any{
		"kubectl cordon " + name, // bad
		cordon + name, // bad
		"on the node: " + "sudo systemctl restart " + name, // bad
		fmt.Sprintf("kubectl get pod -n %s", name), // bad
		fmt.Sprintf("%s %s", "kubectl cordon", name), // bad
		fmt.Errorf("it is gone: kubectl delete node %q", name), // bad
		strings.Join([]string{"az", "vm", "start", "-n", name}, " "), // bad
		strings.ReplaceAll("kubectl cordon NODE", "NODE", name), // bad
		strings.NewReplacer("NODE", name).Replace("kubectl cordon NODE"), // bad
		shell.Text(name), // bad
		shell.Text("kubectl cordon " + name), // bad
		[]shell.Text{shell.Text(strings.TrimSpace(name))}, // bad
		json.Unmarshal(data, &gap), // bad
		"kubectl cordon " + text,
		fmt.Sprintf("run %s on %s", text, name),
		shell.Format("kubectl cordon {node}", name),
		"the kubelet of " + name + " is silent",
		"see kubectl describe node; of " + name,
		said, a, b,
	}
}
`

// A law that sees nothing holds nothing: it finds each way around package shell, and no other line.
func TestOneDoorSeesBypasses(t *testing.T) {
	if testing.Short() {
		t.Skip("checks the types of the whole program")
	}
	c, err := newChecker()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(c.fset, "bypassing.go", bypassing, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.check(module+"bypassing", file)
	if err != nil {
		t.Fatal(err)
	}
	bad, found := map[int]bool{}, map[int]bool{}
	for _, group := range file.Comments {
		bad[c.fset.Position(group.Pos()).Line] = true
	}
	p.eachBypass(func(at token.Position, what string) {
		found[at.Line] = true
		if !bad[at.Line] {
			t.Errorf("line %d: %s", at.Line, what)
		}
	})
	for line := range bad {
		if !found[line] {
			t.Errorf("line %d is not found", line)
		}
	}
}
