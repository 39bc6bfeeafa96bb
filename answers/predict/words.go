package predict

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// mechanisms describe the causes.
var mechanisms = map[cause]string{
	byTaint:          "taint eviction controller: it does not tolerate the node's taint, or no longer",
	byDaemonSet:      "it does not tolerate the taint, so the DaemonSet controller and the taint eviction controller delete it",
	bySomebody:       "its deletion was requested before",
	byUser:           "deleted by the user",
	byOrphanGC:       "pod garbage collector: 40 s after the Node object is deleted, it deletes all its pods in its next round (every 20 s)",
	byOutOfServiceGC: "pod garbage collector: the node is NotReady and has the out-of-service taint (every 20 s, without grace period)",
	byKubelet:        "its kubelet stops the containers within the grace period and removes it",
	byReturn:         "the kubelet is back, sees the deletion and removes it",
	byOwner:          "its controller deletes failed pods",
	byLoss:           "garbage collector: the Node object that owns it was deleted",
	atOnce:           "it had already terminated, so it is deleted immediately",
}

func (sim *simulation) podFate(p *evidence.Pod, k *podBounds) PodFate {
	m := sim.nodes[p.Node]
	out := PodFate{
		Namespace: p.Namespace, Name: p.Name, Node: p.Node, Owner: sim.ownerName(p), Fate: k.fate,
		NotReadyAt: k.unready.interval(), ReadyAgain: k.readyAgain.interval(), DeletedAt: k.deleted.interval(), GoneAt: k.gone.interval(),
		Possible: k.deleted.seen && k.deleted.missing, Because: sim.because(p, m, k),
	}
	out.Replacement = Replacement{
		Kind: k.kind, At: k.replaced.interval(), StartsAt: k.starts.interval(),
		Placement: k.room.verdict, Nodes: k.room.nodes, Message: sim.replacementMessage(p, m, k),
	}
	return out
}

// ownerName returns the workload that the user knows: the Deployment, not its ReplicaSet.
func (sim *simulation) ownerName(p *evidence.Pod) string {
	if top := sim.snap.TopOwnerOf(p); top != nil {
		return top.Kind + "/" + top.Name
	}
	if p.Owner.Name == "" {
		return ""
	}
	return p.Owner.Kind + "/" + p.Owner.Name
}

// because returns all reasons for the fate of a pod.
func (sim *simulation) because(p *evidence.Pod, m *simNode, k *podBounds) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if p.Finished() {
		say("it has terminated (%s), but this does not protect it from deletion", p.Phase)
	}
	for _, c := range k.deletedBy {
		say("%s", mechanisms[c])
	}
	switch missing := k.deleted.seen && k.deleted.missing; {
	case missing && sim.restUnknown(p):
		say("only if the cluster has other Ready nodes; otherwise %s", cutOff)
	case missing:
		say("race condition: with slightly different timing it is not deleted")
	}
	if !k.deleted.seen {
		sim.whyKept(p, m, say)
	}
	if k.deleted.seen {
		for _, c := range k.goneBy {
			if !slices.Contains(k.deletedBy, c) {
				say("%s", mechanisms[c])
			}
		}
		if p.Mirror {
			say("it is a static pod: its containers run as long as its kubelet does, and the kubelet registers it again when it comes back")
		}
		sim.whyStuck(p, m, k, say)
	}
	for _, text := range sim.volumeEffects(p, m, k) {
		say("%s", text)
	}
	return out
}

// whyKept returns why nothing deletes the pod.
func (sim *simulation) whyKept(p *evidence.Pod, m *simNode, say func(string, ...any)) {
	z := sim.zones[zoneKey(m.node)]
	list := sim.tolerationsOf(p)
	forever := func(key string) bool {
		return mechanics.StayUnder(list, []corev1.Taint{{Key: key, Effect: corev1.TaintEffectNoExecute}}).Forever
	}
	switch {
	case m.back == never && m.silent == never && !m.unready.known && !m.shutdown:
		say("this event does not delete it")
	case forever(m.key()):
		say("it tolerates %s without a time limit, so it is not deleted%s", m.key(), sim.shown(m))
	case m.back != never:
		say("the node is back before its toleration ends: it stays, and nothing is rescheduled")
	case z.stopped() && !m.tainted.known:
		say("%s", z.mechanism())
		if n := z.taintedBeforeStop(sim.set.race); n > 0 {
			say("up to %d of these nodes may be tainted before that takes effect, in unknown order", n)
		}
	}
}

// shown describes what users see of a pod that is not deleted.
func (sim *simulation) shown(m *simNode) string {
	if m.staysDown() {
		return "; it is shown as Running, but NotReady"
	}
	return ""
}

// whyStuck returns why the object of a deleted pod remains: first what has to terminate its containers, then what blocks the
// object after that.
func (sim *simulation) whyStuck(p *evidence.Pod, m *simNode, k *podBounds, say func(string, ...any)) {
	kept := len(p.Finalizers) > 0 && !mechanics.HeldByJobAlone(p)
	switch {
	case k.gone.seen, kept && len(k.goneBy) > 0:
	case m.broken:
		say("its kubelet cannot stop containers while the container runtime does not answer")
	case m.staysDown():
		say("only its kubelet can remove it, and the kubelet does not answer: it stays after the grace period")
	case !kept:
		say("it is overdue although its kubelet works: run nodetriage diagnose")
	}
	if kept {
		say("its finalizers (%s) block the deletion until their controller removes them", strings.Join(p.Finalizers, ", "))
	}
}

// volumeEffects describes the effect of the volumes on the replacement.
func (sim *simulation) volumeEffects(p *evidence.Pod, m *simNode, k *podBounds) []string {
	var out []string
	list := sim.ties[p]
	if v := volumeNames(list, exclusive); v != "" && k.deleted.seen {
		switch {
		case k.kind == None:
		case len(k.goneBy) == 0:
			out = append(out, "its volume "+v+" stays attached to "+m.name+" while the old pod is Terminating: a new pod elsewhere gets a Multi-Attach error")
		case m.outOfService != never:
			out = append(out, "its volume "+v+" is detached immediately because of the out-of-service taint, without a check that the node has stopped writing")
		case m.silent != never || m.broken || m.deleted != never:
			out = append(out, "its volume "+v+" is force-detached 6 min after the old pod is deleted, if the node had it mounted")
		default:
			out = append(out, "its volume "+v+" is detached once the kubelet has unmounted it")
		}
	}
	if v := volumeNames(list, local); v != "" {
		out = append(out, "its volume "+v+" is on a disk of "+m.name+": a new pod cannot run anywhere else")
	}
	if v := volumeNames(list, unread); v != "" {
		out = append(out, "the volume of "+v+" is not in the evidence: it is unknown when it can be attached elsewhere")
	}
	if v := volumeNames(list, scratch); v != "" && k.deleted.seen && mechanics.Replaces(p) != mechanics.OnSameNode {
		out = append(out, "its data in "+v+" stays on the node")
	}
	return out
}

func (sim *simulation) replacementMessage(p *evidence.Pod, m *simNode, k *podBounds) string {
	says := ""
	switch k.kind {
	case Waits:
		says = waitingMessage(p, m, k)
	case Created:
		says = createdMessage(p, m, k)
	case None:
		says = noneMessage(p, k)
	}
	if says != "" && k.room.message != "" {
		says += "; "
	}
	return says + k.room.message
}

// waitingMessage describes what the pod's controller waits for.
func waitingMessage(p *evidence.Pod, m *simNode, k *podBounds) string {
	switch r := mechanics.Replaces(p); {
	case mechanics.Foreign(p):
		return "it is unknown whether the controller " + p.Owner.Kind + " recreates it; see " + p.Owner.Kind + " " + p.Owner.Name
	case r == mechanics.WhenGone && !k.gone.seen:
		return "the StatefulSet creates no second " + p.Name + " while the first one exists"
	case r == mechanics.WhenGone:
		return "the StatefulSet waits for its pods with lower numbers (OrderedReady)"
	case r == mechanics.OnSameNode:
		return "it is recreated on " + m.name + " when the node is Ready and has only taints that the pod tolerates"
	}
	return "its controller waits until the pod is deleted"
}

// createdMessage describes the problem of a new pod; empty if it keeps running.
func createdMessage(p *evidence.Pod, m *simNode, k *podBounds) string {
	evicted := slices.Equal(k.deletedBy, []cause{byTaint}) && m.back == never
	switch {
	case evicted && mechanics.Replaces(p) == mechanics.OnSameNode:
		return "the DaemonSet controller ignores tolerationSeconds: the new pod is evicted too, repeatedly, until the taint is removed"
	case !k.starts.seen:
		return "it is created, but cannot start: its volume is attached to " + m.name
	}
	return ""
}

// noneMessage returns why a deleted pod is not replaced; empty if it has terminated, or that is normal.
func noneMessage(p *evidence.Pod, k *podBounds) string {
	switch {
	case !k.deleted.seen || p.Finished():
		return ""
	case mechanics.Replaces(p) == mechanics.WhenFailed:
		return "the Job has reached its backoffLimit and fails"
	case p.Owner == (evidence.Owner{}):
		return "it has no controller that recreates it"
	}
	return ""
}
