package gate

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// several is the number of nodes with one cause that shows a common reason.
const several = 3

// Node decides the answer to a request about a node. old are the nodes that this upgrade has not replaced.
//   - False: the node has a certain fault now, and the old nodes do not have it, too;
//   - True: the node is Ready, its lease is fresh, its system pods and its network agent run, and no certain or likely fault began after
//     its boot;
//   - Unknown otherwise, and without evidence since the request, until Margin before the deadline. Then the owner's choice counts.
func Node(r Request, j Judgement, old []Judgement, now time.Time, then Choice) Answer {
	if r.Over(now) {
		return Answer{}
	}
	if j.stale(now) || j.At.Before(r.Begun) { // before the request, it may be evidence of the node as it was before the upgrade
		return unsure(r, j, now, then, EvidenceStale, "there is no evidence about the node that is newer than the request and at most "+wording.Duration(MaxAge)+" old")
	}
	shared := ""
	for _, f := range j.certain() {
		said := fmt.Sprintf("%s (certain): %s", f.Cause, f.Summary)
		on := having(old, f.Cause)
		if on < several {
			return answer(metav1.ConditionFalse, CertainFault, said)
		}
		shared = fmt.Sprintf("%s; also on %d nodes that this upgrade has not replaced", said, on)
	}
	if shared != "" {
		return unsure(r, j, now, then, FaultShared, shared)
	}
	if reason, why := j.lacking(); reason != "" {
		return unsure(r, j, now, then, reason, why)
	}
	return answer(metav1.ConditionTrue, Healthy, "the node is Ready, its lease is fresh, its system pods and network agent run, and no fault began since its boot")
}

// lacking returns what a True still needs, or "".
func (j *Judgement) lacking() (reason, why string) {
	switch {
	case j.Exists != evidence.True:
		return NodeNotFound, "the node is not registered"
	case j.Ready != evidence.True:
		return NodeNotReady, "the node is not Ready"
	case j.Lease != evidence.True:
		return HeartbeatOverdue, "the lease of the node was not renewed in time"
	case j.System != evidence.True:
		return SystemPodNotReady, j.Missing
	}
	if f := j.suspected(); f != nil {
		return FaultSuspected, fmt.Sprintf("%s (%s): %s", f.Cause, f.Certainty, f.Summary)
	}
	return "", ""
}

// unsure answers Unknown until the request needs its final answer.
func unsure(r Request, j Judgement, now time.Time, then Choice, reason, why string) Answer {
	if now.Before(r.Last()) {
		return answer(metav1.ConditionUnknown, reason, why)
	}
	if then == Stop {
		return answer(metav1.ConditionFalse, NotProvenHealthy, why+"; upgradeGate.onDeadline is abort")
	}
	message := "no certain fault is proven, and the deadline is near: " + why
	if len(j.NotChecked) > 0 {
		message += "; not checked: " + wording.Some(j.NotChecked)
	}
	return answer(metav1.ConditionTrue, NoFaultProven, message)
}

func having(nodes []Judgement, cause string) int {
	n := 0
	for i := range nodes {
		if nodes[i].has(cause) {
			n++
		}
	}
	return n
}
