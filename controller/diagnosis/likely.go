package diagnosis

import (
	"github.com/nodetriage/nodetriage/api/v1alpha1"
)

// Likely returns the status without causes that are only possible. It is for a judgement that rests on a part of the evidence: the rest
// may show a better cause.
func Likely(s v1alpha1.NodeDiagnosisStatus) v1alpha1.NodeDiagnosisStatus {
	s.Findings = chosen(s.Findings, func(f v1alpha1.Finding) bool { return f.Certainty != "possible" })
	s.Primary = nil
	if len(s.Findings) > 0 {
		s.Primary = new(s.Findings[0].CauseStatus)
	}
	if s.ObservedAt != nil {
		setConditions(&s, *s.ObservedAt)
	}
	return s
}
