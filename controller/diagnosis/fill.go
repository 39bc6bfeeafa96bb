package diagnosis

import (
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/redact"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// The bounds of lists and texts, which the CustomResourceDefinition repeats.
const (
	maxFindings   = 8
	maxEvidence   = 4
	maxExplains   = 8
	maxSymptoms   = 8
	maxOver       = 4
	maxResolved   = 4
	maxRuledOut   = 32
	maxNotChecked = 8
	maxCohort     = 16
	maxShared     = 8

	maxID      = 63  // bytes of an ID
	maxTitle   = 128 // bytes of a title
	maxSummary = 512 // bytes of a summary
	maxText    = 256 // bytes of another text
)

// fill adds all but the verdict and the conditions.
func (v *view) fill(status *v1alpha1.NodeDiagnosisStatus, r *triage.Report) {
	if n := v.snapshot.Node(v.node); n != nil {
		status.BootID = short(n.Node.Status.NodeInfo.BootID, 64)
	}
	status.Pods = v.pods()
	for _, f := range first(v.findings, maxFindings) {
		status.Findings = append(status.Findings, v.finding(f))
	}
	for _, f := range v.findings {
		if f.Since != nil && (status.Since == nil || f.Since.Before(status.Since.Time)) {
			status.Since = timeOf(f.Since)
		}
	}
	if len(status.Findings) > 0 {
		status.Primary = new(status.Findings[0].CauseStatus)
	}
	for _, s := range first(v.unexplained(), maxSymptoms) {
		status.Symptoms = append(status.Symptoms, v1alpha1.Symptom{ID: short(s.ID, maxID), Title: short(s.Title, maxTitle)})
	}
	for _, o := range first(v.over, maxOver) {
		status.Over = append(status.Over, v1alpha1.Over{Cause: short(o.Cause, maxID), From: timeOf(o.From), To: timeOf(o.To), EndedBy: short(o.EndedBy, maxText)})
	}
	status.RuledOut = v.ids()
	if status.Verdict != v1alpha1.VerdictClear {
		for _, n := range first(r.NotChecked, maxNotChecked) {
			status.NotChecked = append(status.NotChecked, v1alpha1.NotChecked{What: short(n.What, maxText), How: short(string(n.How), maxText)})
		}
	}
	status.Cohort = v.cohort(r.Cohorts)
	if r.TakenAt != nil {
		status.Forecast = v.forecast(*r.TakenAt)
	}
	fit(status)
}

// first returns the first elements of a list.
func first[T any](list []T, most int) []T { return list[:min(len(list), most)] }

// short returns a text without secrets and control characters, up to a number of bytes.
func short(text string, most int) string {
	const ends = len("...") // what Cut adds
	text = redact.New(false).Text(strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.TrimSpace(strings.Map(wording.Printable, text))
	if len(text) <= most {
		return wording.Cut(text, most)
	}
	return wording.Cut(text, most-ends)
}

func (v *view) finding(f triage.Finding) v1alpha1.Finding {
	out := v1alpha1.Finding{CauseStatus: v1alpha1.CauseStatus{
		Cause: short(f.Cause, maxID), Certainty: v1alpha1.Certainty(f.Certainty), Severity: v1alpha1.Severity(f.Severity),
		Title: short(f.Title, maxTitle), Summary: short(f.Summary, maxSummary), Since: timeOf(f.Since), LastSeen: timeOf(f.LastSeen),
	}}
	for _, e := range first(f.Evidence, maxEvidence) {
		out.Evidence = append(out.Evidence, v1alpha1.Evidence{
			Source: short(e.Source, maxTitle), Locator: short(e.Locator, maxTitle), Text: short(e.Text, maxText), ObservedAt: timeOf(&e.ObservedAt),
		})
	}
	for _, id := range first(f.Explains, maxExplains) {
		out.Explains = append(out.Explains, short(id, maxID))
	}
	return out
}

// ids returns the causes that are ruled out, each once, sorted.
func (v *view) ids() (out []string) {
	seen := map[string]bool{}
	for _, r := range v.ruledOut {
		seen[short(r.Cause, maxID)] = true
	}
	return first(slices.Sorted(maps.Keys(seen)), maxRuledOut)
}

// cohort returns the first group with the node.
func (v *view) cohort(list []triage.Cohort) *v1alpha1.Cohort {
	i := slices.IndexFunc(list, func(c triage.Cohort) bool { return slices.Contains(c.Nodes, v.node) })
	if i < 0 {
		return nil
	}
	c := list[i]
	out := &v1alpha1.Cohort{Nodes: slices.Clone(first(c.Nodes, maxCohort)), Count: int32(len(c.Nodes)), Since: timeOf(c.Since)}
	for _, key := range first(slices.Sorted(maps.Keys(c.Shared)), maxShared) {
		if out.Shared == nil {
			out.Shared = map[string]string{}
		}
		out.Shared[short(key, maxID)] = short(c.Shared[key], maxTitle)
	}
	return out
}

// pods counts the pods of the node; nil: they were not read.
func (v *view) pods() *v1alpha1.Pods {
	if v.snapshot.Covers(evidence.Pods) == evidence.NotRead {
		return nil
	}
	out := &v1alpha1.Pods{}
	for _, p := range v.snapshot.PodsOn(v.node) {
		switch {
		case p.Finished():
		case p.Works():
			out.Ready++
		default:
			out.NotReady++
		}
	}
	return out
}
