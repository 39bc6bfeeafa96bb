package why

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// workload explains each pod of w, and which pods do not exist.
func (a *asker) workload(w *evidence.Workload, out *Answer) error {
	var pods []*evidence.Pod
	for _, p := range a.s.Data().Pods {
		if p.Namespace == w.Namespace && a.owns(w, p) {
			pods = append(pods, p)
		}
	}
	t, err := a.tally(w, pods, out)
	if err != nil {
		return err
	}
	slices.SortStableFunc(out.Pods, func(x, y Pod) int { return cmp.Compare(rank[y.Verdict], rank[x.Verdict]) })
	out.Because = a.refusals(w)
	switch mechanics.OfKind(w.Kind) {
	case mechanics.WhenGone:
		out.Missing = a.ordinals(w, pods)
	case mechanics.OnSameNode:
		var strays []string
		if out.Missing, strays, err = a.daemons(w, pods); len(strays) > 0 {
			t.stray(strays, out)
		}
	}
	out.Because = append(out.Because, a.wishes(pods)...)
	t.short = lacking(w, pods, len(out.Because) > 0)
	if len(a.s.Incomplete(evidence.Pods, evidence.Workloads, evidence.Nodes)) > 0 { // pods that seem to be missing may exist
		t.short, out.Missing = 0, nil
	}
	for _, m := range out.Missing {
		if m.Due {
			t.due++
		}
	}
	out.Verdict = a.verdict(w, t, len(out.Because) > 0)
	out.Summary = t.summary(w)
	if t.held > 0 && mechanics.OfKind(w.Kind) == mechanics.WhenGone {
		out.Summary += "; a StatefulSet recreates it only after this object is deleted; do not force-delete it while its containers may be running"
	}
	return err
}

// owns reports whether the workload is the controller of the pod, or the one at the end of its chain. A controller that is not
// in the evidence is identified only by its name.
func (a *asker) owns(w *evidence.Workload, p *evidence.Pod) bool {
	switch a.s.OwnerOf(p) {
	case w:
		return true
	case nil:
		return a.s.TopOwnerOf(p) == w || p.Owner.Kind == w.Kind && p.Owner.Name == w.Name
	}
	return a.s.TopOwnerOf(p) == w
}

// verdict combines the pods of a workload. explained: the reason of its problem is known.
func (a *asker) verdict(w *evidence.Workload, t tally, explained bool) Verdict {
	switch {
	case t.by[Stuck] > 0, t.due > 0, t.short > 0 && explained, is(w, "Failed"):
		return Stuck
	case t.by[Unknown] > 0, a.s.Covers(evidence.Pods) == evidence.NotRead:
		return Unknown
	case t.by[Waiting] > 0 || t.short > 0:
		return Waiting
	}
	return Fine
}

// tally counts the pods of a workload.
type tally struct {
	by     map[Verdict]int // of its replicas
	live   int             // replicas that are not being deleted
	failed int             // failed: only the record remains
	going  int             // being deleted, and already replaced
	ended  int             // completed
	due    int             // missing although it should exist by now
	short  int             // fewer than the workload wants
	held   int             // on an unreachable node, or being deleted
	strays int             // of a DaemonSet, on nodes that are not eligible
}

// stray excludes the pods of a DaemonSet on nodes that are not eligible from the count. kubectl calls them misscheduled.
func (t *tally) stray(nodes []string, out *Answer) {
	for i := range out.Pods {
		if p := &out.Pods[i]; p.Verdict == Fine && slices.Contains(nodes, p.Node) {
			t.by[Fine]--
			t.live--
			t.strays++
			p.Summary += "; the pod is misscheduled (the DaemonSet does not select this node) and is not deleted"
		}
	}
}

// tally explains and counts each pod.
func (a *asker) tally(w *evidence.Workload, pods []*evidence.Pod, out *Answer) (tally, error) {
	t := tally{by: map[Verdict]int{}}
	for _, p := range pods {
		pod, err := a.pod(p)
		if err != nil {
			return t, err
		}
		out.Pods = append(out.Pods, pod)
		if pod.State == Ended && pod.Verdict != Fine { // it is no longer a replica
			if p.Phase == corev1.PodSucceeded || p.Status == "Completed" || p.Status == "Succeeded" {
				t.ended++
			} else {
				t.failed++
			}
			continue
		}
		t.by[pod.Verdict]++
		if pod.State == Lost || pod.State == Terminating {
			t.held++
		}
		if pod.State == Terminating && mechanics.OfKind(w.Kind) == mechanics.AtDeletion {
			t.going++
		}
	}
	t.live = len(pods) - t.failed - t.going - t.ended
	return t, nil
}

// summary describes the counts in one sentence.
func (t tally) summary(w *evidence.Workload) string {
	var out string
	switch {
	case t.live == 0 && t.ended > 0:
		out = fmt.Sprintf("no pod running, %d terminated", t.ended)
	case t.live == 0:
		out = "no pods"
	case t.ended > 0:
		out = fmt.Sprintf("%d/%d pods healthy, %d terminated", t.by[Fine], t.live, t.ended)
	default:
		out = fmt.Sprintf("%d/%d pods healthy", t.by[Fine], t.live)
	}
	if t.strays > 0 {
		out += fmt.Sprintf(", %d misscheduled", t.strays)
	}
	if t.going > 0 {
		out += fmt.Sprintf(", %d more Terminating", t.going)
	}
	switch {
	case is(w, "Failed"):
		out = "the job has failed: none of its pods is restarted"
	case t.failed > 0:
		out += fmt.Sprintf("; %s failed earlier (only their records are left)", wording.Count(t.failed, "pod"))
	}
	switch {
	case is(w, "Suspended"):
		out += "; it is suspended"
	case w.Paused:
		out += "; it is paused"
	}
	if t.due > 0 {
		out += fmt.Sprintf(", %d missing", t.due)
	} else if t.short > t.ended {
		out += fmt.Sprintf(", %d of %d not created", t.short-t.ended, w.Replicas)
	}
	if again := min(t.short, t.ended); again > 0 {
		out += fmt.Sprintf(", %d not replaced yet", again)
	}
	return out
}

// lacking returns how many pods of w do not exist; 0 if counts do not show it, because a StatefulSet's pods have numbers. A
// Job's parallelism is a limit and not a target: a Job without pods is short of some only if their creation was rejected and
// the Job has not ended.
func lacking(w *evidence.Workload, pods []*evidence.Pod, refused bool) int {
	r := mechanics.OfKind(w.Kind)
	ended := is(w, "Complete") || is(w, "Failed") || is(w, "Suspended")
	switch {
	case w.Replicas < 0, r == mechanics.OnSameNode, r == mechanics.WhenGone, r == mechanics.WhenFailed && (ended || !refused || alive(pods) > 0):
		return 0
	}
	return max(w.Replicas-alive(pods), 0)
}

var rank = map[Verdict]int{Fine: 0, Waiting: 1, Unknown: 2, Stuck: 3}

func alive(pods []*evidence.Pod) (n int) {
	for _, p := range pods {
		if !p.Deleting() && !p.Finished() {
			n++
		}
	}
	return n
}

// refusals returns why the controller could not create a pod: quota, an admission webhook, a missing service account.
func (a *asker) refusals(w *evidence.Workload) []Fact {
	out := a.warnings(w.Subject(), "FailedCreate", "FailedDelete")
	for _, r := range a.s.Data().Workloads {
		if r.Kind == "ReplicaSet" && r.Namespace == w.Namespace && r.Owner.Kind == w.Kind && r.Owner.Name == w.Name {
			out = append(out, a.warnings(r.Subject(), "FailedCreate")...)
		}
	}
	for _, c := range w.Conditions {
		if status, bad := badConditions[c.Type]; bad && c.Status == status {
			out = append(out, Fact{Source: "condition " + c.Type + " " + c.Reason, Text: c.Message, At: c.Since})
		}
	}
	return out[:min(len(out), maxFacts)]
}

// badConditions are the conditions of workloads that report a failure, and the status that does.
var badConditions = map[string]string{"ReplicaFailure": "True", "Failed": "True", "Progressing": "False"}

// ordinals returns the pods that a StatefulSet has not created yet. In order, each waits for the one before it to be ready.
// Mirrors processReplica of kubernetes/kubernetes pkg/controller/statefulset/stateful_set_control.go, v1.36.3.
func (a *asker) ordinals(w *evidence.Workload, pods []*evidence.Pod) []Missing {
	if w.Replicas < 0 || a.s.Covers(evidence.Pods) == evidence.NotRead {
		return nil
	}
	there := byOrdinal(pods)
	var out []Missing
	blocker := ""
	for n := w.Start; n < w.Start+w.Replicas; n++ {
		p := there[n]
		name := fmt.Sprintf("%s-%d", w.Name, n)
		switch {
		case p == nil && blocker != "":
			out = append(out, Missing{Due: true, Name: name, Because: "waits for " + blocker})
		case p == nil:
			why := "the controller has not created it" + because(strings.Join(texts(a.refusals(w)), "; "))
			out = append(out, Missing{Due: true, Name: name, Because: why})
			if !w.Parallel {
				blocker = name + ", which does not exist"
			}
		case w.Parallel || blocker != "":
		case p.Deleting():
			blocker = name + ", which is Terminating: no second pod of that name can exist"
		case !p.Stated():
			blocker = name + ", whose state is not in the evidence"
		case !p.Works():
			blocker = name + ", which is NotReady"
		}
	}
	return out
}

// byOrdinal returns the pods of a StatefulSet by the number at the end of their names.
func byOrdinal(pods []*evidence.Pod) map[int]*evidence.Pod {
	out := map[int]*evidence.Pod{}
	for _, p := range pods {
		i := strings.LastIndexByte(p.Name, '-')
		if i < 0 {
			continue
		}
		if n, err := strconv.Atoi(p.Name[i+1:]); err == nil {
			out[n] = p
		}
	}
	return out
}

// wishes returns the unsatisfied preferences of its pods, each once.
func (a *asker) wishes(pods []*evidence.Pod) []Fact {
	var out []Fact
	for _, p := range pods {
		if p.Works() && len(out) < maxFacts {
			for _, f := range a.unkept(p) {
				out = append(out, Fact{Source: "pod/" + p.Name + ", " + f.Source, Text: f.Text})
			}
		}
	}
	return out[:min(len(out), maxFacts)]
}

func texts(list []Fact) (out []string) {
	for _, f := range list {
		out = append(out, f.Text)
	}
	return out
}

// daemons returns the nodes without the DaemonSet's pod, each with the reason. It mirrors NodeShouldRunDaemonPod of
// kubernetes/kubernetes pkg/controller/daemon/daemon_controller.go, v1.36.3: taints and the node's labels decide. The second
// list is nodes that run a pod and are not eligible.
func (a *asker) daemons(w *evidence.Workload, pods []*evidence.Pod) ([]Missing, []string, error) {
	if w.Template == nil || a.s.Covers(evidence.Pods) == evidence.NotRead {
		return nil, nil, nil
	}
	on := nodesOf(pods)
	c, err := a.placement()
	if err != nil {
		return nil, nil, err
	}
	spec := *w.Template
	spec.Tolerations = mechanics.DaemonTolerations(w.Template)
	like := &evidence.Pod{Namespace: w.Namespace, Name: w.Name, Labels: w.TemplateLabels, Spec: &spec}
	r := c.Fit(like)
	var out []Missing
	for _, n := range r.Feasible {
		if !on[n] {
			out = append(out, Missing{Due: true, Node: n, Because: "it would fit there, but the controller has not created it" + because(strings.Join(texts(a.refusals(w)), "; "))})
		}
	}
	var strays []string
	unmeant := func(n *corev1.Node) bool {
		return !mechanics.Allows(&spec, n) || mechanics.Untolerated(spec.Tolerations, n.Spec.Taints) != nil
	}
	for _, f := range r.Refusals {
		if n := c.Node(f.Node); on[f.Node] && n != nil && unmeant(n) {
			strays = append(strays, f.Node)
		}
		if !on[f.Node] && f.Plugin != "NodeAffinity" && f.Plugin != "NodeName" { // it is not eligible for those
			out = append(out, Missing{Node: f.Node, Because: strings.Join(f.Reasons, ", ")})
		}
	}
	return out, strays, nil
}

// nodesOf returns the nodes that the pods of a DaemonSet are on, or are created for.
func nodesOf(pods []*evidence.Pod) map[string]bool {
	on := map[string]bool{}
	for _, p := range pods {
		on[p.Node] = true
		if p.Node == "" {
			on[mechanics.OnlyNode(p.Spec)] = true
		}
	}
	return on
}
