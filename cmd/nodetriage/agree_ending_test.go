package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/answers/why"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/workloads"
)

// Commands must not contradict each other about a pod that is being deleted, and none removes a finalizer from a pod whose
// kubelet has not finished.
func TestCommandsAgreeOnDeletedPods(t *testing.T) {
	t.Parallel()
	for seed := range *clusters / 2 {
		a := &agreement{t: t, seed: seed, s: clusterWithDeletedPods(seed)}
		for _, p := range a.s.Data().Pods {
			if p.Deleting() {
				a.ending(p)
			}
		}
		a.upgradeOfDeleted()
	}
}

// clusterWithDeletedPods is a random cluster in which some pods are being deleted, and a running one may have a finalizer.
func clusterWithDeletedPods(seed uint64) *evidence.Snapshot {
	d := *randomCluster(seed).Data()
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 2))}
	for i := range 1 + m.IntN(4) {
		p := &evidence.Pod{
			Namespace: "shop", Name: fmt.Sprint("going-", i), UID: fmt.Sprint("going-", i), Node: d.Nodes[m.IntN(len(d.Nodes))].Name,
			Spec: &corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "app"}}}, Phase: corev1.PodRunning, Status: "Terminating",
			Ready: evidence.True, ReadyCount: 1, Total: 1, Created: noon.Add(-time.Hour), Grace: 30,
			Deleted: noon.Add(-[]time.Duration{-20 * time.Second, 5 * time.Second, 10 * time.Minute}[m.IntN(3)]),
		}
		switch m.IntN(4) {
		case 0: // the kubelet has finished
			p.Phase, p.Ready, p.ReadyCount, p.Grace = corev1.PodFailed, evidence.False, 0, 0
			p.Deleted = noon.Add(-time.Duration(m.IntN(600)) * time.Second)
		case 1: // a forced deletion ends nothing
			p.Grace, p.Deleted = 0, noon.Add(-time.Duration(m.IntN(600))*time.Second)
		}
		if m.one(2) {
			p.Finalizers = []string{[]string{"example.com/guard", "batch.kubernetes.io/job-tracking"}[m.IntN(2)]}
		}
		d.Pods = append(d.Pods, p)
	}
	if m.one(3) {
		held := *d.Pods[0]
		held.Finalizers = []string{"example.com/guard"}
		d.Pods[0] = &held
	}
	return evidence.New(d)
}

// ending compares diagnose, why, pods and drain about one deleted pod.
func (a *agreement) ending(p *evidence.Pod) {
	e := mechanics.EndingIn(a.s, p, noon)
	finalizer := e.Holder == mechanics.HeldByFinalizer
	said := a.why(p)
	if (said.Waits == "finalizer") != finalizer || (said.Verdict == why.Stuck) != e.Stuck() {
		a.fail("%s is held by the %s (stuck %t), and why says %s, waits on %s", p.Key(), e.Holder, e.Stuck(), said.Verdict, said.Waits)
	}
	if group := a.groupOf(p); strings.Contains(group, "finalizer") != finalizer || e.Holder == mechanics.HeldByNode && !strings.Contains(group, "unreachable node") {
		a.fail("%s is held by the %s, and pods says %q", p.Key(), e.Holder, group)
	}
	planned := a.drained(p)
	if (planned.Action == drain.Block) != e.Stuck() {
		a.fail("%s is held by the %s (stuck %t), and drain says %s", p.Key(), e.Holder, e.Stuck(), planned.Action)
	}
	for _, c := range triage.Apply(triage.Input{Snapshot: a.s, Now: noon}, workloads.TerminatingPods).Claims {
		if c.Subject == p.Subject() && (c.Says == "drain-blocked-finalizer") != (finalizer && e.Stuck()) {
			a.fail("%s is held by the %s, and diagnose says %s", p.Key(), e.Holder, c.Says)
		}
	}
	if !finalizer && slices.ContainsFunc(adviceFor(said, planned), func(c shell.Text) bool { return strings.Contains(string(c), `"op":"remove"`) }) {
		a.fail("%s is held by the %s, and its finalizer is taken away", p.Key(), e.Holder)
	}
}

// groupOf returns the pod's group in the list of pods.
func (a *agreement) groupOf(p *evidence.Pod) string {
	list, err := lists.NewPods(a.s, noon, lists.Filter{}, "")
	if err != nil {
		a.fail("pods: %v", err)
		return ""
	}
	for _, g := range list.Groups {
		for _, x := range g.Pods {
			if x.Namespace == p.Namespace && x.Name == p.Name {
				return g.Reason
			}
		}
	}
	return ""
}

// drained returns what a drain of the pod's node does with it.
func (a *agreement) drained(p *evidence.Pod) drain.Pod {
	d, err := drain.New(a.s, drain.Options{Nodes: []string{p.Node}, Now: noon, Board: scheduler.New})
	if err != nil {
		a.fail("drain: %v", err)
		return drain.Pod{}
	}
	for _, x := range d.Pods {
		if x.Key() == p.Key() {
			return x
		}
	}
	a.fail("the drain of %s does not have %s", p.Node, p.Key())
	return drain.Pod{}
}

func adviceFor(said why.Pod, planned drain.Pod) []shell.Text {
	var out []shell.Text
	for _, s := range said.Do {
		out = append(out, s.Commands...)
	}
	for _, b := range planned.Blockers {
		out = append(out, b.Unblock...)
	}
	return out
}

// upgradeOfDeleted: the upgrade of a pool with a pod that does not terminate, or that a finalizer may block, is not clear.
func (a *agreement) upgradeOfDeleted() {
	u, err := upgrade.New(a.s, upgrade.Options{Pool: "p", Now: noon, Board: scheduler.New})
	if err != nil {
		a.fail("upgrade: %v", err)
		return
	}
	for _, p := range a.s.Data().Pods {
		mayStay := len(mechanics.LastingFinalizers(p)) > 0 && !mechanics.TiedToNode(p)
		if p.Deleting() {
			mayStay = mechanics.EndingIn(a.s, p, noon).Stuck()
		}
		if mayStay && u.Verdict == plan.Clear {
			a.fail("upgrade is clear, and %s may not end", p.Key())
		}
	}
}
