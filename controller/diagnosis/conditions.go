package diagnosis

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
)

// setConditions sets the conditions of a fresh judgement.
func setConditions(status *v1alpha1.NodeDiagnosisStatus, at metav1.Time) {
	status.Conditions = []metav1.Condition{diagnosed(status, at), fresh(at)}
}

func diagnosed(status *v1alpha1.NodeDiagnosisStatus, at metav1.Time) metav1.Condition {
	c := metav1.Condition{Type: v1alpha1.ConditionDiagnosed, Status: metav1.ConditionFalse, LastTransitionTime: at}
	switch {
	case status.Verdict == v1alpha1.VerdictClear:
		c.Status, c.Reason, c.Message = metav1.ConditionTrue, v1alpha1.ReasonClear, "The node has no problem."
	case status.Verdict == v1alpha1.VerdictUnknown:
		c.Reason, c.Message = v1alpha1.ReasonUnknown, "The node has not reported its state."
	case status.Primary == nil:
		c.Reason, c.Message = v1alpha1.ReasonCauseUnknown, "The node has a problem without a known cause."
	case status.Primary.Certainty == "possible":
		c.Reason, c.Message = v1alpha1.ReasonCauseUnsure, "The cause is only possible."
	default:
		c.Status, c.Reason, c.Message = metav1.ConditionTrue, v1alpha1.ReasonCauseFound, "The cause is "+string(status.Primary.Certainty)+"."
	}
	return c
}

func fresh(at metav1.Time) metav1.Condition {
	return metav1.Condition{Type: v1alpha1.ConditionEvidenceFresh, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonWatching,
		Message: "All lists are up to date.", LastTransitionTime: at}
}
