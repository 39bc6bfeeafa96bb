package execute

import (
	"testing"

	"github.com/nodetriage/nodetriage/verify"
)

// What is missing or not clear outweighs what is unknown; what is unknown is not clear; a warning is.
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
		"clear":             {Proof{Nodes: node(step(verify.Clear, false))}, verify.Clear, "", false},
	} {
		if result, why, soon := test.proof.verdict(); result != test.result || why != test.why || soon != test.soon {
			t.Errorf("%s: %s %q %t", name, result, why, soon)
		}
	}
}
