package diagnosis

import (
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
)

// worthWriting reports whether a status differs from the published one in more than texts and times, or the published one is old and
// not clear.
func worthWriting(published, next *v1alpha1.NodeDiagnosisStatus) bool {
	if !equality.Semantic.DeepEqual(essence(published), essence(next)) || !sameConditions(published.Conditions, next.Conditions) {
		return true
	}
	return next.Verdict != v1alpha1.VerdictClear && older(published.ObservedAt, next.ObservedAt, refresh)
}

// essence returns the status without texts, times, and counts that change all the time.
func essence(s *v1alpha1.NodeDiagnosisStatus) v1alpha1.NodeDiagnosisStatus {
	out := v1alpha1.NodeDiagnosisStatus{Verdict: s.Verdict, BootID: s.BootID, Forecast: s.Forecast}
	for _, f := range s.Findings {
		out.Findings = append(out.Findings, v1alpha1.Finding{
			CauseStatus: v1alpha1.CauseStatus{Cause: f.Cause, Certainty: f.Certainty, Severity: f.Severity},
		})
	}
	for _, y := range s.Symptoms {
		out.Symptoms = append(out.Symptoms, v1alpha1.Symptom{ID: y.ID})
	}
	for _, o := range s.Over {
		out.Over = append(out.Over, v1alpha1.Over{Cause: o.Cause})
	}
	for _, r := range s.Resolved {
		out.Resolved = append(out.Resolved, v1alpha1.Resolved{Verdict: r.Verdict, Until: r.Until})
	}
	if s.Cohort != nil {
		out.Cohort = &v1alpha1.Cohort{Count: s.Cohort.Count}
	}
	return out
}
