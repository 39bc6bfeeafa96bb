package triage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Waiting is a group of pods that are Pending for one reason. The report lists them at once. Findings decide whether this is a
// fault: an autoscaler or freed capacity may end it.
type Waiting struct {
	Reason string             `json:"reason"` // the message of the scheduler without its counts; empty: there is no message
	Pods   []evidence.Subject `json:"pods"`
	Since  *time.Time         `json:"since,omitempty"` // the oldest pod; null: unknown
	How    shell.Text         `json:"how"`             // a command that shows more about the first pod
}

// waitingPods returns the pods without a node that no finding is about, grouped by the message of the scheduler; most pods first.
func waitingPods(in Input, findings []Finding) []Waiting {
	var out []Waiting
	at := map[string]int{}
	for _, p := range in.Snapshot.PodsOn("") {
		if p.Phase != corev1.PodPending || p.Deleting() || !in.inScope(placeOf(in.Snapshot, p.Subject())) ||
			slices.ContainsFunc(findings, func(f Finding) bool { return (&f).on(p.Subject()) }) {
			continue
		}
		reason := schedulerSays(in.Snapshot, p)
		i, known := at[reason]
		if !known {
			i = len(out)
			at[reason] = i
			out = append(out, Waiting{Reason: reason, How: shell.Format("nodetriage why {pod} -n {namespace}", p.Name, p.Namespace)})
		}
		out[i].Pods = append(out[i].Pods, p.Subject())
		if t := p.Created; !t.IsZero() && (out[i].Since == nil || t.Before(*out[i].Since)) {
			out[i].Since = &t
		}
	}
	slices.SortStableFunc(out, func(a, b Waiting) int {
		return cmp.Or(cmp.Compare(len(b.Pods), len(a.Pods)), cmp.Compare(a.Reason, b.Reason))
	})
	return out
}

// schedulerSays returns the scheduler's message for an unscheduled pod.
func schedulerSays(s *evidence.Snapshot, p *evidence.Pod) string {
	says := ""
	if c := p.Condition(string(corev1.PodScheduled)); c != nil {
		says = c.Message
	}
	if says == "" {
		for _, e := range s.EventsOf(p.Subject()) {
			if e.Reason == "FailedScheduling" {
				says = e.Message
			}
		}
	}
	says, _, _ = strings.Cut(says, " preemption:")
	return strings.TrimSuffix(strings.TrimSpace(says), ".")
}
