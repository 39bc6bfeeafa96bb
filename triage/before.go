package triage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// ChangedBefore is one change shortly before a fault. It is not proven to be the reason.
type ChangedBefore struct {
	Subject evidence.Subject `json:"subject"` // the object that changed
	At      time.Time        `json:"at"`
	What    string           `json:"what"`
	Source  string           `json:"source"` // the object, event or report that shows it
	Before  string           `json:"before"` // the cause of the finding that began after it
}

const (
	beforeFault = 2 * time.Hour // older changes are rarely the reason
	maxBefore   = 20            // changes in a report
	maxSaid     = 300           // bytes of the text of a change
)

// evicts reports whether the kubelet evicts pods for the finding, or is about to.
func evicts(f Finding) bool {
	return slices.Contains(f.Explains, "pods-evicted") || slices.Contains(f.Explains, "kubelet-reclaims")
}

// changedBefore returns the changes on the nodes of each finding without an explanation, in the time before it began. For a finding
// that evicts pods it adds cordons of other nodes. Each change is listed once, for the first finding.
func changedBefore(s *evidence.Snapshot, findings []Finding) []ChangedBefore {
	h := history{s: s, onNode: map[string][]ChangedBefore{}, elsewhere: map[string][]ChangedBefore{}}
	var out []ChangedBefore
	seen := map[ChangedBefore]bool{}
	for _, f := range findings {
		if f.Since == nil || f.ExplainedBy != "" || f.Certainty == Possible {
			continue
		}
		for _, c := range h.of(f) {
			if !seen[c] && c.shortlyBefore(*f.Since) && !effect(c, f) {
				seen[c] = true
				c.Before = f.Cause
				out = append(out, c)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b ChangedBefore) int {
		return cmp.Or(b.At.Compare(a.At), compareSubjects(a.Subject, b.Subject), cmp.Compare(a.What, b.What))
	})
	return out[:min(len(out), maxBefore)]
}

func (c ChangedBefore) shortlyBefore(t time.Time) bool {
	return c.At.Before(t) && t.Sub(c.At) <= beforeFault
}

// history has the changes on nodes, read once for each node.
type history struct {
	s         *evidence.Snapshot
	onNode    map[string][]ChangedBefore
	elsewhere map[string][]ChangedBefore // cordons of other nodes
}

// of returns the changes on the nodes of a finding, and cordons of other nodes if a finding evicts pods there.
func (h *history) of(f Finding) (out []ChangedBefore) {
	listed := map[string]bool{}
	for _, on := range f.subjects() {
		name := placeOf(h.s, on).name
		if name == "" || listed[name] || len(h.onNode) > maxBefore {
			continue
		}
		listed[name] = true
		if _, known := h.onNode[name]; !known {
			h.onNode[name] = changesOn(h.s, name)
		}
		if evicts(f) && h.elsewhere[name] == nil {
			h.elsewhere[name] = closedBeside(h.s, name)
		}
		out = slices.Concat(out, h.onNode[name], h.elsewhere[name])
	}
	return out
}

// closedBeside returns the cordons of other nodes. Pods that moved away from them may overload this node.
func closedBeside(s *evidence.Snapshot, name string) []ChangedBefore {
	out := []ChangedBefore{}
	for _, n := range s.Nodes() {
		if n.Name != name && n.Spec.Unschedulable && len(out) < maxBefore {
			w := watch{s: s, on: n.Subject(), seen: map[ChangedBefore]bool{}}
			w.cordon(n)
			out = append(out, w.out...)
		}
	}
	return out
}

// effect reports whether a change is itself evidence of the finding.
func effect(c ChangedBefore, f Finding) bool {
	return slices.ContainsFunc(f.Evidence, func(r evidence.Ref) bool {
		return r.ObservedAt.Equal(c.At) && (r.Source == c.Source || strings.Contains(c.What, r.Text))
	})
}

// changesOn returns the changes on a node that have a time, and all cloud operations: their resource rarely names a machine.
func changesOn(s *evidence.Snapshot, name string) []ChangedBefore {
	w := watch{s: s, on: evidence.NodeSubject(name), seen: map[ChangedBefore]bool{}}
	w.object()
	w.events()
	w.daemons(name)
	w.reports(name)
	w.cloud()
	return w.out
}

type watch struct {
	s    *evidence.Snapshot
	on   evidence.Subject
	seen map[ChangedBefore]bool
	out  []ChangedBefore
}

func (w *watch) add(on evidence.Subject, at time.Time, what, source string) {
	if at.IsZero() {
		return
	}
	if len(what) > maxSaid {
		what = strings.ToValidUTF8(what[:maxSaid], "")
	}
	c := ChangedBefore{Subject: on, At: at.UTC(), What: what, Source: source}
	if !w.seen[c] {
		w.seen[c] = true
		w.out = append(w.out, c)
	}
}

// object adds the changes from the Node object: creation, cordon, and taints that people and tools set. Taints of the node
// controller are effects of the fault.
func (w *watch) object() {
	n := w.s.Node(w.on.Name)
	if n == nil {
		return
	}
	source := "node/" + n.Name
	w.add(w.on, n.CreationTimestamp.Time, "joined the cluster", source)
	w.cordon(n)
	for _, t := range n.Spec.Taints {
		if t.TimeAdded != nil && !strings.HasPrefix(t.Key, "node.kubernetes.io/") {
			w.add(w.on, t.TimeAdded.Time, "taint "+t.Key+":"+string(t.Effect)+" added", source)
		}
	}
	if l := w.s.NodeLease(n.Name); l != nil {
		w.add(w.on, l.Acquired, "kubelet acquired its Lease", "lease/"+l.Name)
	}
}

func (w *watch) cordon(n *evidence.Node) {
	if !n.Spec.Unschedulable {
		return
	}
	at, by := n.CordonedBy()
	what := "cordoned"
	if by != "" {
		what += " by " + by
	}
	w.add(w.on, at, what, "node/"+n.Name)
}

// changing maps reasons of node events that show a change, not a fault, to words. They come from the kubelet, the node controller,
// clouds and autoscalers.
var changing = map[string]string{
	"Starting": "kubelet started", "Rebooted": "rebooted", "NodeNotSchedulable": "cordoned", "NodeSchedulable": "uncordoned",
	"Upgrade": "upgrade", "Drain": "drain", "Cordon": "cordon", "Uncordon": "uncordon", "Reimage": "reimage",
	"Surge": "surge", "RestartScheduled": "restart scheduled", "RedeployScheduled": "redeploy scheduled", "FreezeScheduled": "freeze scheduled",
	"ScaleDown": "scale-down", "CertificateRotated": "certificate rotated", "KubeletConfigChanged": "kubelet configuration changed",
}

func (w *watch) events() {
	for _, e := range w.s.EventsOf(w.on) {
		word := changing[e.Reason]
		if word == "" || e.Reason == "Starting" && e.Component != "" && e.Component != "kubelet" {
			continue
		}
		at := e.First
		if at.IsZero() {
			at = e.Last
		}
		if e.Message != "" && e.Reason != "Starting" {
			word += ": " + e.Message
		}
		w.add(w.on, at, word, "event "+e.Reason)
	}
}

// daemons adds the new pods of DaemonSets on the node: a rollout, or the first pod.
func (w *watch) daemons(node string) {
	for _, p := range w.s.PodsOn(node) {
		if !mechanics.TiedToNode(p) || p.Mirror {
			continue
		}
		what := "new pod " + p.Name
		if hash := p.Labels["controller-revision-hash"]; hash != "" {
			what += " of revision " + hash
		}
		w.add(evidence.Subject{Kind: p.Owner.Kind, Namespace: p.Namespace, Name: p.Owner.Name}, p.Created, what, "pod/"+p.Key())
	}
}

// joining is how long after its creation a node may still request its first certificates.
const joining = 10 * time.Minute

// reports adds changes from node reports: boots and renewed certificates. The certificates with which the node joined are not a
// change.
func (w *watch) reports(node string) {
	n := w.s.Node(node)
	for _, r := range w.s.Reports(node) {
		if r.Machine != nil {
			w.add(w.on, r.Machine.Booted, "booted", "node report")
		}
		for _, c := range r.Certificates {
			if n == nil || c.NotBefore.Before(n.CreationTimestamp.Add(joining)) {
				continue
			}
			w.add(w.on, c.NotBefore, "certificate "+c.Path+" issued", "node report")
		}
	}
	if n != nil {
		for _, r := range w.s.Data().CSRs {
			if r.Spec.Username != "system:node:"+node || len(r.Status.Certificate) == 0 {
				continue
			}
			for _, c := range r.Status.Conditions {
				if string(c.Type) == "Approved" && c.Status == corev1.ConditionTrue {
					w.add(w.on, c.LastUpdateTime.Time, "certificate signed ("+r.Spec.SignerName+")", "csr/"+r.Name)
				}
			}
		}
	}
}

// cloud adds the cloud operations that did not fail. A failed operation may be the fault itself and is reported as one.
func (w *watch) cloud() {
	for _, a := range w.s.Data().CloudActivities {
		if !a.Failed() && !strings.EqualFold(a.Status, "Started") {
			_, on, _ := strings.Cut(a.Resource, "/providers/")
			w.add(evidence.Subject{Kind: "Cloud", Name: cmp.Or(on, a.Resource)}, a.Time, strings.TrimSpace(a.Operation+" "+a.Status), "activity log")
		}
	}
}
