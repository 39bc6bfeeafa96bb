package execute

import (
	"fmt"
	"testing"

	"github.com/nodetriage/nodetriage/answers/verify"
)

// A missing requirement or a problem outweighs unknown. Unknown is not clear; a warning is.
func TestProofVerdict(t *testing.T) {
	node := func(steps ...verify.Step) []*verify.Verification {
		return []*verify.Verification{{Node: "a", Steps: steps}}
	}
	step := func(r verify.Result, soon bool) verify.Step {
		return verify.Step{Title: "journal", Result: r, Detail: "so it is", Soon: soon}
	}
	for name, test := range map[string]struct {
		proof  Proof
		result verify.Result
		why    string
		soon   bool
	}{
		"nothing to verify": {Proof{}, verify.Clear, "", false},
		"missing":           {Proof{Missing: []string{"x", "y"}, Nodes: node(step(verify.Unknown, true))}, verify.NotClear, "x; y", false},
		"not clear":         {Proof{Nodes: node(step(verify.Unknown, false), step(verify.NotClear, false))}, verify.NotClear, "node a: journal: so it is", false},
		"unknown":           {Proof{Nodes: node(step(verify.Clear, false), step(verify.Unknown, false))}, verify.Unknown, "node a: journal: so it is", false},
		"known soon":        {Proof{Nodes: node(step(verify.Unknown, true))}, verify.Unknown, "node a: journal: so it is", true},
		"warning":           {Proof{Nodes: node(step(verify.Warning, false))}, verify.Clear, "node a: journal: so it is", false},
		"not all were seen": {Proof{Nodes: node(step(verify.Clear, false)), Unseen: "nodes could not be read"}, verify.Unknown, "nodes could not be read", false},
		"another not clear": {Proof{Nodes: node(step(verify.Clear, false)), Others: node(step(verify.NotClear, false))}, verify.NotClear, "node a: journal: so it is", false},
		"another unknown":   {Proof{Others: node(step(verify.Unknown, true))}, verify.Unknown, "node a: journal: so it is", true},
		"another warns":     {Proof{Others: node(step(verify.Warning, false))}, verify.Clear, "node a: journal: so it is", false},
		"clear":             {Proof{Nodes: node(step(verify.Clear, false))}, verify.Clear, "", false},
	} {
		if result, why, soon := test.proof.verdict(); result != test.result || why != test.why || soon != test.soon {
			t.Errorf("%s: %s %q %t", name, result, why, soon)
		}
	}
}

// An identical problem of many nodes appears once with their number. The result has the number of checked nodes and the
// depth of the checks.
func TestProofOfMany(t *testing.T) {
	var p Proof
	for i := range 400 {
		v := &verify.Verification{Node: fmt.Sprintf("n%d", i), Steps: []verify.Step{{ID: "ready", Title: "Ready", Result: verify.Clear}, {ID: "machine", Title: "machine", Result: verify.Clear}}}
		if i >= 390 {
			v.Steps[1].Result, v.Steps[1].Detail = verify.NotClear, "it is off"
		}
		if i < 10 {
			p.Nodes = append(p.Nodes, v)
		} else {
			p.Others = append(p.Others, v)
		}
	}
	if result, why, _ := p.verdict(); result != verify.NotClear || why != "10 nodes (n390, n391, n392 and 7 more): machine: it is off" {
		t.Errorf("%s %q", result, why)
	}
	c := p.checked()
	if c.Nodes != 400 || len(c.Closely) != 10 || c.Others != 390 || c.String() != "checked 400 nodes: 10 with kubelet, log and pods, 390 only by ready, machine" {
		t.Errorf("%+v: %s", c, c)
	}
}
