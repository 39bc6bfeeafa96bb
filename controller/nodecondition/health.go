package nodecondition

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// The reasons of the condition.
const (
	reasonWorks        = "NodeWorks"     // True
	reasonFault        = "FaultFound"    // False: repairing this node may help
	reasonShared       = "SharedFault"   // Unknown: repairing one node after the other does not help
	reasonCauseUnknown = "CauseUnknown"  // Unknown: no cause is at least likely
	reasonUnknown      = "StateUnknown"  // Unknown: the node never reported its state
	reasonStale        = "EvidenceStale" // Unknown: the fault may be over
)

const maxMessage = 512 // bytes

// health returns the condition of a node with this status. group is not nil if it fails together with others. A tool may repair a node whose
// condition is False for a while, so it is False only for a fault of this node with a cause that is at least likely.
func health(s *v1alpha1.NodeDiagnosisStatus, group *engine.Group) corev1.NodeCondition {
	c := corev1.NodeCondition{Type: evidence.ConditionNodetriageHealthy, Status: corev1.ConditionUnknown}
	switch {
	case s.Verdict == v1alpha1.VerdictClear || s.Verdict == v1alpha1.VerdictWarning:
		c.Status, c.Reason, c.Message = corev1.ConditionTrue, reasonWorks, "nothing stops the node"
	case s.Verdict == v1alpha1.VerdictUnknown:
		c.Reason, c.Message = reasonUnknown, "the node has not reported its state"
	case s.Primary == nil || s.Primary.Certainty == "possible":
		c.Reason, c.Message = reasonCauseUnknown, "the node has a problem without a likely cause"
	case group != nil:
		c.Reason, c.Message = reasonShared, fmt.Sprintf("%s; %d nodes failed together", cause(s.Primary), len(group.Nodes))
	default:
		c.Status, c.Reason, c.Message = corev1.ConditionFalse, reasonFault, cause(s.Primary)
	}
	c.Message = wording.Cut(c.Message, maxMessage)
	return c
}

// cause names a cause. Its summary is not part of it, because it may contain times that change with each judgement.
func cause(p *v1alpha1.CauseStatus) string {
	return fmt.Sprintf("%s (%s, %s)", p.Title, p.Cause, p.Certainty)
}

// stale returns the condition that replaces one that is False while the evidence may be out of date.
func stale(message string) corev1.NodeCondition {
	return corev1.NodeCondition{
		Type: evidence.ConditionNodetriageHealthy, Status: corev1.ConditionUnknown, Reason: reasonStale, Message: wording.Cut(message, maxMessage),
	}
}

// wellStatus is the status of a node without a problem.
var wellStatus = v1alpha1.NodeDiagnosisStatus{Verdict: v1alpha1.VerdictClear}
