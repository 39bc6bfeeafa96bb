package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/admission"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// asker answers questions about one Snapshot.
type asker struct {
	s   *evidence.Snapshot
	now time.Time
	// Created when first needed.
	open     placement.Open
	board    placement.Board
	policies *admission.Policies
	budgets  mechanics.Budgets
	newest   time.Time // lease of a node
}

// Ask explains why the subject is unhealthy, as of now. A zero time means that of the evidence. The subject must be in the
// evidence: a Pod, or a workload. Where pods fit is tried on a board that open creates.
func Ask(s *evidence.Snapshot, subject evidence.Subject, now time.Time, open placement.Open) (*Answer, error) {
	a, out := begin(s, subject, now, open)
	if subject.Kind == "Pod" {
		p := s.Pod(subject.Namespace, subject.Name)
		if p == nil {
			return nil, &evidence.AbsentError{What: "pod", Name: subject.Name, Namespace: subject.Namespace}
		}
		pod, err := a.pod(p)
		if err != nil {
			return nil, err
		}
		out.Pods = append(out.Pods, pod)
		out.Verdict, out.Summary = pod.Verdict, pod.Summary
		a.doubt(out)
		return out, nil
	}
	w := s.Workload(subject.Kind, subject.Namespace, subject.Name)
	if w == nil {
		return nil, &evidence.AbsentError{What: strings.ToLower(subject.Kind), Name: subject.Name, Namespace: subject.Namespace}
	}
	err := a.workload(w, out)
	a.doubt(out)
	return out, err
}

// begin returns an empty answer, and who completes it.
func begin(s *evidence.Snapshot, subject evidence.Subject, now time.Time, open placement.Open) (*asker, *Answer) {
	if now.IsZero() {
		now = s.TakenAt()
	}
	out := &Answer{
		APIVersion: evidence.APIVersion, Kind: "Why", Source: s.Data().Source.String(), Subject: subject,
		Pods: []Pod{},
	}
	if !now.IsZero() {
		out.TakenAt = &now
	}
	return &asker{s: s, now: now, open: open}, out
}

// rests are the kinds that an answer needs.
var rests = []evidence.Kind{
	evidence.Pods, evidence.Nodes, evidence.Leases, evidence.Events, evidence.Workloads, evidence.PDBs, evidence.Claims, evidence.Volumes,
	evidence.VolumeAttachments, evidence.StorageClasses, evidence.CSINodes, evidence.PriorityClasses, evidence.Policies, evidence.Webhooks,
}

// doubt lists what is missing for a certain answer. If some of it was partial, it is unknown whether an action is needed.
func (a *asker) doubt(out *Answer) {
	out.NotKnown = a.missing()
	part := a.s.Incomplete(rests...)
	for _, g := range part {
		out.NotKnown = append(out.NotKnown, strings.TrimSuffix(g.Title()+": "+g.Why+"; "+string(g.How), "; "))
	}
	if len(part) == 0 {
		return
	}
	for i := range out.Pods {
		doubted(&out.Pods[i].Verdict, &out.Pods[i].Summary)
	}
	doubted(&out.Verdict, &out.Summary)
}

// doubted replaces a verdict that all is healthy.
func doubted(v *Verdict, summary *string) {
	switch *v {
	case Fine:
		*v, *summary = Unknown, "shows no problem, but not everything was read"
	case Waiting:
		*v = Unknown
	case Stuck, Unknown:
	}
}

// missing lists what is missing for a certain placement, if one was tried.
func (a *asker) missing() []string {
	if a.board == nil || a.s.Covers(evidence.Nodes) == evidence.Complete && a.s.Covers(evidence.Pods) == evidence.Complete {
		return nil
	}
	return []string{"whether the evidence contains all nodes and pods of the cluster; add kubectl get nodes,pods -A -o yaml"}
}

// placement returns the board for trials.
func (a *asker) placement() (placement.Board, error) {
	var err error
	if a.board == nil {
		a.board, err = a.open(a.s)
	}
	return a.board, err
}

// pod explains one pod by the first thing that prevents it from running.
func (a *asker) pod(p *evidence.Pod) (Pod, error) {
	out := Pod{Namespace: p.Namespace, Name: p.Name, Node: p.Node}
	var err error
	switch {
	case p.Deleting():
		a.terminating(p, &out)
	case p.Finished():
		a.ended(p, &out)
	case p.Node == "":
		err = a.pending(p, &out)
	case a.silent(p.Node) != "":
		a.lost(p, &out)
	case p.Works() && a.unready(p, &out):
	case p.Works():
		out.State, out.Verdict, out.Summary = Running, Fine, "is running on "+p.Node+", all containers ready"
		a.stays(p, &out)
		out.Because = append(out.Because, a.unkept(p)...)
	default:
		a.unwell(p, &out)
	}
	return out, err
}

// ended: the pod never runs again.
func (a *asker) ended(p *evidence.Pod, out *Pod) {
	out.State, out.Verdict, out.Summary = Ended, Fine, "has completed"
	if p.Phase != corev1.PodFailed && p.Status != "Failed" {
		if mechanics.RunsForEver(mechanics.Replaces(p)) {
			out.Verdict, out.Waits = Waiting, "controller"
			out.Summary = fmt.Sprintf("has terminated, which pods of a %s should not; %s %s should recreate it", p.Owner.Kind, p.Owner.Kind, p.Owner.Name)
		}
		return
	}
	out.Verdict, out.Waits = Waiting, "controller"
	out.Summary = "has failed" + because(cmp.Or(p.Message, p.Reason)) + "; a failed pod is not restarted, "
	switch owner := p.Owner.Kind + " " + p.Owner.Name; {
	case p.Owner == (evidence.Owner{}) && mechanics.Replaces(p) == mechanics.NotKnown:
		out.Summary += "and whether a controller recreates it is not in the evidence"
	case mechanics.Replaces(p) == mechanics.NotReplaced:
		out.Verdict, out.Waits = Stuck, "user"
		out.Summary += "and no controller recreates it"
	case mechanics.Replaces(p) != mechanics.WhenFailed:
		out.Summary += "and " + owner + " should recreate it"
		if mechanics.Foreign(p) {
			out.Summary += ": the behavior of this controller is unknown"
		}
	case is(a.s.OwnerOf(p), "Failed"):
		out.Verdict, out.Waits = Stuck, "user"
		out.Summary += "and " + owner + " no longer retries"
	default:
		out.Summary += "and " + owner + " retries within its limits"
	}
	if len([]rune(p.Message)) > readable {
		out.Because = []Fact{{Source: "status.message", Text: p.Message}}
	}
}

// is reports whether the workload has that condition.
func is(w *evidence.Workload, condition string) bool {
	return w != nil && slices.ContainsFunc(w.Conditions, func(c evidence.PodCondition) bool { return c.Type == condition && c.Status == "True" })
}

// silent returns since when the node's kubelet is unreachable; "" if it is reachable, or if that is unknown.
func (a *asker) silent(node string) string {
	n := a.s.Node(node)
	switch {
	case n == nil && a.s.Covers(evidence.Nodes) == evidence.Complete:
		return "node " + node + " no longer exists"
	case n == nil || !n.Silent():
		return ""
	}
	given := n.Condition("Ready").LastTransitionTime // when the control plane marked it, which is later than its last heartbeat
	if l := a.s.NodeLease(node); l != nil && !l.Renewed.IsZero() && !(!given.IsZero() && l.Renewed.After(given.Time)) {
		return fmt.Sprintf("the kubelet of %s has not reported for %s", node, wording.Duration(a.now.Sub(l.Renewed)))
	}
	if !given.IsZero() {
		return fmt.Sprintf("the kubelet of %s has not reported for at least %s", node, wording.Duration(a.now.Sub(given.Time)))
	}
	return "the kubelet of " + node + " does not report"
}

// warnings returns the newest warning events about the subject, newest first.
func (a *asker) warnings(subject evidence.Subject, reasons ...string) []Fact {
	var out []Fact
	seen := map[string]bool{}
	for _, e := range slices.Backward(a.s.EventsOf(subject)) {
		if e.Type == "Normal" || seen[e.Reason] || len(reasons) > 0 && !slices.Contains(reasons, e.Reason) {
			continue
		}
		seen[e.Reason] = true
		if out = append(out, Fact{Source: "event " + e.Reason, Text: e.Message, At: e.Last}); len(out) == maxFacts {
			break
		}
	}
	return out
}

// maxFacts limits the events that are quoted.
const maxFacts = 3

// readable is the maximum length of a message in a sentence, in characters.
const readable = 300

// because formats a reason after its effect.
func because(text string) string {
	switch runes := []rune(text); {
	case text == "":
		return ""
	case len(runes) > readable:
		return ": " + strings.TrimSpace(string(runes[:readable])) + "..."
	}
	return ": " + text
}
