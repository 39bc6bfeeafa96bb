package diagnosis

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// Of returns the status of a node from a report about it (Judged.Report) and the evidence. A finding about the cluster, another node,
// or a pool is part of it only if it explains a problem of the node. So one fault of the cluster does not change the verdict of each
// node.
func Of(node string, r *triage.Report, s *evidence.Snapshot, cat *catalog.Catalog) v1alpha1.NodeDiagnosisStatus {
	v := view{node: node, snapshot: s, catalog: cat}
	v.choose(r)
	status := v1alpha1.NodeDiagnosisStatus{Verdict: v.verdict(), ObservedAt: timeOf(r.TakenAt)}
	v.fill(&status, r)
	if status.ObservedAt != nil {
		setConditions(&status, *status.ObservedAt)
	}
	return status
}

// view is the part of a report that is about one node.
type view struct {
	node     string
	snapshot *evidence.Snapshot
	catalog  *catalog.Catalog
	findings []triage.Finding
	symptoms []triage.Symptom
	over     []triage.Over
	ruledOut []triage.RuledOut
}

// choose selects what is about the node, and the findings that explain it.
func (v *view) choose(r *triage.Report) {
	wanted := map[string]bool{}
	for _, s := range r.Symptoms {
		if v.here(s.Subject) {
			v.symptoms = append(v.symptoms, s)
			wanted[s.ExplainedBy] = true
		}
	}
	for _, f := range r.Findings {
		if v.about(f) {
			wanted[f.Cause] = true
		}
	}
	for _, f := range slices.Backward(r.Findings) { // an explanation is ranked before its effect
		if wanted[f.Cause] {
			wanted[f.ExplainedBy] = true
		}
	}
	for _, f := range r.Findings {
		if wanted[f.Cause] {
			v.findings = append(v.findings, f)
		}
	}
	v.over = chosen(r.Over, func(o triage.Over) bool { return v.here(o.Subject) })
	v.ruledOut = chosen(r.RuledOut, func(o triage.RuledOut) bool { return v.here(o.Subject) })
}

func chosen[T any](list []T, wanted func(T) bool) (out []T) {
	for _, x := range list {
		if wanted(x) {
			out = append(out, x)
		}
	}
	return out
}

// about reports whether a finding is about the node or a pod on it.
func (v *view) about(f triage.Finding) bool {
	return slices.ContainsFunc(f.Subjects, v.here) || slices.ContainsFunc(f.LikelyOn, v.here)
}

// here reports whether a subject is the node or a pod on it.
func (v *view) here(about evidence.Subject) bool {
	return v.snapshot.NodeOf(about) == v.node
}

// verdict returns the verdict about the node:
//   - broken: an error or critical cause of the node is at least likely, or a symptom stops the node;
//   - warning: another cause above info was found on the node, or a symptom that no cause explains;
//   - unknown: the node never reported its state;
//   - clear: otherwise.
func (v *view) verdict() v1alpha1.Verdict {
	stopped := slices.ContainsFunc(v.symptoms, func(s triage.Symptom) bool { return v.catalog.Stops(s.ID) == catalog.Node })
	if stopped || slices.ContainsFunc(v.findings, func(f triage.Finding) bool { return v.about(f) && f.Grave() }) {
		return v1alpha1.VerdictBroken
	}
	worse := slices.ContainsFunc(v.findings, func(f triage.Finding) bool { return v.about(f) && f.Severity != catalog.Info })
	if worse || len(v.unexplained()) > 0 {
		return v1alpha1.VerdictWarning
	}
	if n := v.snapshot.Node(v.node); n != nil && n.Condition("Ready") == nil {
		return v1alpha1.VerdictUnknown
	}
	return v1alpha1.VerdictClear
}

// unexplained returns the symptoms without a cause.
func (v *view) unexplained() []triage.Symptom {
	return chosen(v.symptoms, func(s triage.Symptom) bool { return s.ExplainedBy == "" })
}

// timeOf returns a time to the second, as the API stores it. Nil: unknown.
func timeOf(t *time.Time) *metav1.Time {
	if t == nil || t.IsZero() {
		return nil
	}
	return new(metav1.NewTime(t.UTC().Truncate(time.Second)))
}
