package lists

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Pods are all pods, by the reason why they are not running.
type Pods struct {
	Head
	Total      int        `json:"total"`      // all pods except completed ones
	NotRunning int        `json:"notRunning"` // of them
	Groups     []PodGroup `json:"groups"`     // the most important first, running pods last
}

// PodGroup is the pods with the same reason.
type PodGroup struct {
	Reason string `json:"reason"`
	Acts   string `json:"acts"` // who has to act
	Count  int    `json:"count"`
	Pods   []Pod  `json:"pods"`
}

// Pod is one pod.
type Pod struct {
	Namespace string     `json:"namespace"`
	Name      string     `json:"name"`
	Owner     string     `json:"owner"` // kind/name of its controller; empty: none, or unknown
	Node      string     `json:"node"`  // empty: none yet
	Status    string     `json:"status"`
	Since     *time.Time `json:"since"` // null: unknown
	// Age is the pod's age when its table was printed, if the time of that is unknown.
	Age      string `json:"age,omitempty"`
	Restarts int    `json:"restarts"`
	Says     string `json:"says"` // message of the kubelet, scheduler or container
}

// NewPods lists the pods by reason. by.Odd omits running ones. Completed pods are not listed.
func NewPods(s *evidence.Snapshot, at time.Time, by Filter, order string) (*Pods, error) {
	if err := sortBy([]Pod(nil), order, podColumns); err != nil {
		return nil, err // checked even if there is nothing to sort
	}
	b := newBase(s, at, by)
	out := &Pods{Head: b.head("PodList", evidence.Pods, evidence.Nodes), Groups: []PodGroup{}}
	out.Filters = by.flags("--not-running")
	groups := map[keeps]*PodGroup{}
	for _, p := range out.selected(s, by) {
		k, says, from := b.keeps(p)
		if k == (keeps{}) {
			if by.Odd {
				out.Hidden++
				continue
			}
			k = runs
		}
		g := groups[k]
		if g == nil {
			g = &PodGroup{Reason: k.reason, Acts: k.acts}
			groups[k] = g
		}
		g.Count++
		g.Pods = append(g.Pods, b.pod(p, says, from))
	}
	for _, g := range groups {
		if err := sortBy(g.Pods, order, podColumns); err != nil {
			return nil, err
		}
		out.Groups = append(out.Groups, *g)
	}
	slices.SortFunc(out.Groups, byActs)
	for _, g := range out.Groups {
		if g.Reason != runs.reason {
			out.NotRunning += g.Count
			if len(s.Incomplete(evidence.Pods, evidence.Nodes, evidence.Leases)) == 0 {
				out.Verdict = triage.Warn
			}
		}
	}
	out.settle(len(out.Groups))
	return out, nil
}

// selected returns the pods that by selects, and counts them. A pod whose labels or fields are not in the evidence may match;
// the list records that.
func (l *Pods) selected(s *evidence.Snapshot, by Filter) []*evidence.Pod {
	var out []*evidence.Pod
	unlabelled, unknown := 0, 0
	for _, p := range s.Data().Pods {
		done := p.Phase == corev1.PodSucceeded && !p.Deleting()
		switch {
		case done:
		case elsewhere(p, by):
			l.Hidden++
		case by.Labels != nil && !by.Labels.Matches(labels.Set(p.Labels)):
			l.Hidden++
			if p.Partial && p.Labels == nil {
				unlabelled++
			}
		case by.Fields != nil && !by.Fields.Matches(fieldsOfPod(p)):
			l.Hidden++
			if fieldUnknown(by.Fields, p) {
				unknown++
			}
		default:
			out = append(out, p)
		}
	}
	if unlabelled > 0 {
		l.lack("labels of "+wording.Count(unlabelled, "pod")+" unknown: the table does not show them", "kubectl get pods -A -o json")
		l.Verdict = triage.Unclear
	}
	if unknown > 0 {
		l.lack("fields of "+wording.Count(unknown, "pod")+" unknown: the table does not show them", "kubectl get pods -A -o json")
		l.Verdict = triage.Unclear
	}
	l.Total = len(out)
	return out
}

// elsewhere reports whether the pod is outside the requested namespace or node.
func elsewhere(p *evidence.Pod, by Filter) bool {
	return by.Namespace != "" && p.Namespace != by.Namespace || by.Node != "" && p.Node != by.Node
}

// byActs orders groups: first those that need an action, the largest first.
func byActs(a, b PodGroup) int {
	if a.Reason == runs.reason || b.Reason == runs.reason {
		return cmp.Compare(len(b.Acts), len(a.Acts)) // running pods need no action
	}
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason))
}

// podColumns are the sortable columns of pods.
var podColumns = map[string]func(a, b Pod) int{
	"name":      func(a, b Pod) int { return cmp.Compare(a.Name, b.Name) },
	"namespace": func(a, b Pod) int { return byName(a.Namespace, a.Name, b.Namespace, b.Name) },
	"node":      func(a, b Pod) int { return cmp.Compare(a.Node, b.Node) },
	"since":     func(a, b Pod) int { return older(a.Since, b.Since) },
	"restarts":  func(a, b Pod) int { return cmp.Compare(b.Restarts, a.Restarts) },
}

func (b base) pod(p *evidence.Pod, says string, from time.Time) Pod {
	out := Pod{
		Namespace: p.Namespace, Name: p.Name, Node: p.Node, Status: statusOf(p),
		Since: evidence.Stamp(from), Restarts: p.Restarts, Says: wording.Cut(says, 300),
	}
	if p.Ago != nil && from.IsZero() {
		out.Age = wording.Duration(*p.Ago)
	}
	if o := p.Owner; o.Name != "" {
		if w := b.snap.TopOwnerOf(p); w != nil {
			o = evidence.Owner{Kind: w.Kind, Name: w.Name}
		}
		out.Owner = o.Kind + "/" + o.Name
	}
	return out
}
