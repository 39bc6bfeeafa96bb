package predict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// timeline returns the moments, in order.
func (sim *simulation) timeline(j *envelope) []Moment {
	t := &timelineWriter{sim: sim, list: []Moment{}}
	for _, m := range sim.list {
		t.node(m, j.nodes[m.name])
	}
	t.manager()
	t.budgets(j)
	for _, p := range sim.pods {
		t.pod(p, sim.nodes[p.Node], j.pods[p])
	}
	slices.SortStableFunc(t.list, func(a, b Moment) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return t.list
}

type timelineWriter struct {
	sim  *simulation
	list []Moment
}

// add adds a Moment, unless no run has it or it is before the event.
func (t *timelineWriter) add(about evidence.Subject, a bounds, what, why string) {
	s := a.interval()
	if s == nil || a.from < 0 && t.sim.sc.Event != AlreadyDown {
		return
	}
	t.list = append(t.list, Moment{Interval: *s, Subject: about, What: what, Why: why, Possible: a.missing})
}

func atZero() bounds { return bounds{seen: true} }

func (t *timelineWriter) node(m *simNode, n *nodeBounds) {
	t.event(m)
	if n.unready.seen {
		why := "node lifecycle controller: no heartbeat for the grace period (checked every 5 s)"
		if m.silent == never {
			why = "its kubelet reports it"
		}
		pods := "its pods become NotReady and are removed from Services"
		if m.silent == never {
			pods = "its pods keep the readiness that their kubelet reports"
		}
		t.add(m.subject(), n.unready, fmt.Sprintf("Ready=%s, taint %s:NoSchedule; %s", m.readyKind(), m.key(), pods), why)
		t.daemonSets(m, n.unready)
	} else if m.silent != never && m.back != never {
		t.add(m.subject(), bounds{from: m.back, to: m.back, seen: true}, "reports again before it is marked NotReady",
			"the grace period has not expired")
	}
	z := t.sim.zones[zoneKey(m.node)]
	why := z.mechanism()
	if m.tainted.known {
		why = "the node has it"
	}
	t.add(m.subject(), n.evicts, fmt.Sprintf("taint %s:NoExecute: the timers of its pods start", m.key()), why)
	if m.back != never {
		if n.unready.seen {
			t.add(m.subject(), bounds{from: m.back, to: m.back, seen: true}, "its kubelet posts its status again", "the scenario")
		}
		t.add(m.subject(), n.ready, "Ready", "its kubelet and runtime are up")
		t.add(m.subject(), n.freed, "the taint is removed: running timers are canceled", "node lifecycle controller, every 5 s")
		if n.flip && m.halts {
			a := n.ready
			a.missing = true
			t.add(m.subject(), a, "NotReady for some seconds: pods that tolerate this for only a few seconds may be evicted", "a starting kubelet reports Ready=False until its runtime is up")
		}
	}
}

// manager adds the restart of the controller manager.
func (t *timelineWriter) manager() {
	if t.sim.sc.ManagerRestart == nil {
		return
	}
	about := evidence.Subject{Kind: "ControllerManager", Name: "kube-controller-manager"}
	var ends, leads bounds
	for _, x := range t.sim.allExtremes() {
		begin, end := t.sim.outage(x)
		ends.add(begin)
		leads.add(end)
	}
	t.add(about, ends, "stops: no controller acts", "the scenario")
	t.add(about, leads, "another one leads: Ready nodes get a new grace period, NotReady nodes are tainted again in turn, and all timers restart",
		"its Lease expires, and the next one acquires it")
}

// event adds the event itself.
func (t *timelineWriter) event(m *simNode) {
	what, why := "", "the scenario"
	event := t.sim.sc.Event
	if event == Shutdown && !m.shutdown {
		event = PowerOff // no controller reacts to it
	}
	switch event {
	case AlreadyDown:
		if m.silent == never {
			return
		}
		t.add(m.subject(), bounds{from: m.silent, to: m.silent, seen: true}, "last heartbeat; Services keep sending traffic to its pods until it is NotReady", "lease and node status")
		return
	case PowerOff, Reboot:
		what = "powered off: its containers stop, and Services keep sending traffic to them"
	case KubeletStop:
		what = "kubelet stops reporting; its containers keep running and serving"
	case Partition:
		what = "disconnected from the API server; its containers keep running and serve reachable clients"
	case Delete:
		what = "Node object deleted; a running kubelet does not register again until it is restarted"
	case OutOfService:
		what = "taint " + corev1.TaintNodeOutOfService + "=nodeshutdown:NoExecute: pods that do not tolerate it are deleted immediately"
	case Shutdown:
		what = "shuts down: its kubelet reports NotReady, terminates the pods within their grace periods, and stops reporting"
	case DeletePods:
		what, why = "its pods are deleted", mechanisms[byUser]
	case ForceDelete:
		what, why = "its pods are force-deleted", mechanisms[byUser]
	case Taint:
		what = "taint " + m.added.ToString()
	}
	t.add(m.subject(), atZero(), what, why)
}

// daemonSets: those that do not tolerate NoSchedule lose a desired pod, although it keeps running.
func (t *timelineWriter) daemonSets(m *simNode, when bounds) {
	var names []string
	taint := corev1.Taint{Key: m.key(), Effect: corev1.TaintEffectNoSchedule}
	for _, p := range m.pods {
		if mechanics.Replaces(p) == mechanics.OnSameNode && p.Spec != nil && mechanics.Untolerated(p.Spec.Tolerations, []corev1.Taint{taint}) != nil {
			names = append(names, p.Owner.Name)
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		t.add(m.subject(), when, fmt.Sprintf("DaemonSets %s: DESIRED -1, MISSCHEDULED +1; their pods stay", strings.Join(slices.Compact(names), ", ")),
			"they do not tolerate "+taint.Key+":NoSchedule")
	}
}

// budgets adds the PodDisruptionBudgets that allow no eviction while the pods are not ready.
func (t *timelineWriter) budgets(j *envelope) {
	held := map[*evidence.PDB][]*podBounds{}
	budgets := mechanics.NewBudgets(t.sim.snap.Data().PDBs)
	for _, p := range t.sim.pods {
		if k := j.pods[p]; p.Ready == evidence.True && k.unready.seen {
			for _, b := range budgets.Of(p) {
				held[b] = append(held[b], k)
			}
		}
	}
	for _, b := range t.sim.snap.Data().PDBs {
		if len(held[b]) == 0 {
			continue
		}
		book, when := mechanics.OpenLedger(b), bounds{}
		for _, k := range held[b] {
			book.Leaves(evidence.True)
			when.add(k.unready.from)
			when.add(k.unready.to)
		}
		if book.Recount(0); book.Status.DisruptionsAllowed > 0 {
			continue
		}
		pods := "pods"
		if book.Status.CurrentHealthy == 1 {
			pods = "pod"
		}
		t.add(evidence.Subject{Kind: "PodDisruptionBudget", Namespace: b.Namespace, Name: b.Name}, when,
			fmt.Sprintf("PodDisruptionBudget with %d healthy %s of %d required: evictions from other nodes are rejected", book.Status.CurrentHealthy, pods, b.Status.DesiredHealthy),
			"disruption controller: NotReady pods do not count")
	}
}

func (t *timelineWriter) pod(p *evidence.Pod, m *simNode, k *podBounds) {
	about := p.Subject()
	if m.back != never && k.readyAgain.seen && k.unready.seen {
		a := k.readyAgain
		what := "ready again"
		if m.halts {
			what = "its containers restart on the same node; it is ready when they are"
		}
		t.add(about, a, what, "its kubelet is back")
	}
	if k.deleted.seen && !slices.Equal(k.deletedBy, []cause{byOrphanGC}) {
		what := "deletion requested: Terminating"
		if p.Finished() {
			what = "deleted"
		}
		t.add(about, k.deleted, what, causesInWords(k.deletedBy))
	}
	t.add(about, k.gone, "removed", causesInWords(k.goneBy))
	switch mechanics.Replaces(p) {
	case mechanics.WhenGone:
		t.add(about, k.replaced, "recreated by StatefulSet "+p.Owner.Name, "the name is free when the old object is deleted")
	case mechanics.OnSameNode:
		t.add(about, k.replaced, "DaemonSet "+p.Owner.Name+" recreates its pod", "the node has no taint that the pod does not tolerate")
	case mechanics.WhenFailed:
		t.add(about, k.replaced, "Job "+p.Owner.Name+" creates another pod", "the pod counts as failed; the backoff starts at its end or when it became NotReady: 10 s, doubled with each failure")
	default:
		t.add(about, k.replaced, p.Owner.Kind+" "+p.Owner.Name+" creates another pod", "a pod that is Terminating does not count as a replica")
	}
	switch waits := k.starts.seen && k.starts.from > k.replaced.from+detachTick; {
	case waits && t.sim.pinned(p) != "":
		t.add(about, k.starts, "its new pod starts", "its controller's template requires node "+t.sim.pinned(p)+", which is back then")
	case waits:
		t.add(about, k.starts, "its volume can be attached to another node: until then Multi-Attach errors", "attach-detach controller")
	}
}

func causesInWords(list []cause) string {
	var out []string
	for _, c := range list {
		out = append(out, mechanisms[c])
	}
	return strings.Join(out, "; or ")
}
