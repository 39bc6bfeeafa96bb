package diagnosis

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
)

// Kept is how long an object is kept after its node is clear, and how long it remembers an earlier verdict.
const Kept = 24 * time.Hour

// refresh is how old a published status may be if only texts and times changed since then. Some texts contain durations, which change
// with each judgement.
const refresh = 5 * time.Minute

// Update is what to do with the published status of a node.
type Update struct {
	Status v1alpha1.NodeDiagnosisStatus
	// Write reports whether Status differs from the published one.
	Write bool
	// Changed reports whether the verdict or the primary cause differs: it is worth an Event.
	Changed bool
	// Remove reports whether the object is no longer needed.
	Remove bool
}

// Next returns how the published status changes after a judgement. A node that never had a problem needs no object: published is nil
// then. Next returns the zero Update if nothing has to be done.
func Next(published *v1alpha1.NodeDiagnosisStatus, now v1alpha1.NodeDiagnosisStatus) Update {
	if published == nil {
		if now.Verdict == v1alpha1.VerdictClear {
			return Update{}
		}
		now.ChangedAt = now.ObservedAt
		return Update{Status: now, Write: true, Changed: true}
	}
	if expired(published, &now) {
		return Update{Remove: true}
	}
	next := now
	next.Resolved = resolved(published, &now)
	fit(&next)
	next.ChangedAt = published.ChangedAt
	changed := differs(published, &now)
	if changed {
		next.ChangedAt = now.ObservedAt
	}
	next.Conditions = conditions(published.Conditions, now.Conditions)
	return Update{Status: next, Write: changed || worthWriting(published, &next), Changed: changed}
}

// Blind returns how the published status changes while the evidence may be out of date. The verdict stays: nothing is concluded from
// old evidence.
func Blind(published *v1alpha1.NodeDiagnosisStatus, reason, message string, at time.Time) Update {
	next := *published.DeepCopy()
	c := fresh(*timeOf(&at))
	c.Status, c.Reason, c.Message = metav1.ConditionFalse, reason, short(message, maxText)
	next.Conditions = conditions(published.Conditions, append(without(published.Conditions, c.Type), c))
	return Update{Status: next, Write: !sameConditions(published.Conditions, next.Conditions)}
}

// expired reports whether the node has been clear for so long that its object is removed.
func expired(published, now *v1alpha1.NodeDiagnosisStatus) bool {
	clear := published.Verdict == v1alpha1.VerdictClear && now.Verdict == v1alpha1.VerdictClear
	return clear && older(published.ChangedAt, now.ObservedAt, Kept)
}

// older reports whether a time is longer ago than the age. An unknown time is.
func older(t, now *metav1.Time, age time.Duration) bool {
	return t == nil || now == nil || now.Sub(t.Time) > age
}

// differs reports whether the verdict or the primary cause differs.
func differs(a, b *v1alpha1.NodeDiagnosisStatus) bool {
	return a.Verdict != b.Verdict || causeOf(a) != causeOf(b)
}

func causeOf(s *v1alpha1.NodeDiagnosisStatus) string {
	if s.Primary == nil {
		return ""
	}
	return s.Primary.Cause
}

// resolved returns the earlier verdicts. A verdict that ends now is the first of them.
func resolved(published, now *v1alpha1.NodeDiagnosisStatus) (out []v1alpha1.Resolved) {
	ends := published.Verdict != v1alpha1.VerdictClear && now.Verdict == v1alpha1.VerdictClear
	if ends && now.ObservedAt != nil {
		out = append(out, v1alpha1.Resolved{Verdict: published.Verdict, Primary: published.Primary.DeepCopy(), Since: published.Since, Until: *now.ObservedAt})
	}
	for _, r := range published.Resolved {
		if len(out) < maxResolved && !older(&r.Until, now.ObservedAt, Kept) {
			out = append(out, r)
		}
	}
	return out
}

// conditions returns the new conditions, with the time of the last transition of those whose status is the same.
func conditions(old, now []metav1.Condition) []metav1.Condition {
	out := append([]metav1.Condition{}, now...)
	for i := range out {
		for _, o := range old {
			if o.Type == out[i].Type && o.Status == out[i].Status {
				out[i].LastTransitionTime = o.LastTransitionTime
			}
		}
	}
	return out
}

func without(list []metav1.Condition, typ string) (out []metav1.Condition) {
	return chosen(list, func(c metav1.Condition) bool { return c.Type != typ })
}

func sameConditions(a, b []metav1.Condition) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Type != b[i].Type || a[i].Status != b[i].Status || a[i].Reason != b[i].Reason {
			return false
		}
	}
	return true
}
