package clusterview

import (
	"slices"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// SecondFits returns whether a second pod like this one, the only one of its workload, fits on another node. A pod that has no
// node fits nowhere, and neither does a second one.
func SecondFits(board func() (placement.Board, error), only *evidence.Pod) placement.Verdict {
	if only.Spec == nil || only.Partial || board == nil {
		return placement.Unknown
	}
	b, err := board()
	if err != nil {
		return placement.Unknown
	}
	answer := b.Fit(only)
	if answer.Verdict == placement.Fits && slices.Equal(answer.Feasible, []string{only.Node}) {
		return placement.Pending
	}
	return answer.Verdict
}

// NoSecond returns why no second pod can be started first, and what to do.
func NoSecond() plan.Way {
	return plan.Way{What: "add capacity first", Commands: []shell.Text{"nodetriage pools"},
		Harm: "none (read-only); a second pod would stay Pending because it fits on no other node"}
}

// SecondReplica returns the two ways to run a second pod of a Deployment before its only one is evicted: for one drain, and
// until the Deployment is scaled back.
func SecondReplica(w *evidence.Workload, nodes ...string) (surge, scale plan.Way) {
	name := "deployment/" + w.Name
	two := "two pods of " + name + " run at the same time"
	surge = plan.Way{What: "start a second pod for the drain only", Commands: []shell.Text{"nodetriage drain " + shell.Words("node", nodes...) + " --surge"},
		Harm: two + " for a while; the application must support that"}
	scale = plan.Way{What: "run two replicas", Commands: []shell.Text{shell.Format("kubectl scale -n {namespace} deployment/{deployment} --replicas=2", w.Namespace, w.Name)},
		Harm: two + "; the application must support that; set --replicas=1 again afterwards"}
	return surge, scale
}
