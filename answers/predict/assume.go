package predict

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// assumptions returns the assumptions of the forecast in addition to the evidence.
func (sim *simulation) assumptions() []string {
	out := append([]string{}, sim.set.assumptions...)
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if len(sim.leftOut) > 0 {
		say("%s: already down and left out; run predict without --event for it", firstNames(sim.leftOut))
	}
	if sim.sc.Event == Shutdown {
		out = append(out, sim.shutdownAssumptions()...)
	}
	if sim.sc.TolerationSeconds != nil {
		say("all pods tolerate not-ready and unreachable nodes for %ds (as given)", *sim.sc.TolerationSeconds)
	}
	if sim.sc.Replicas != nil {
		say("each workload has %d replicas (as given); missing ones are ready on other nodes if a new pod fits there", *sim.sc.Replicas)
	}
	sim.assumeZones(say)
	sim.assumeManager(say)
	if sim.sc.Event == AlreadyDown && sim.zero.Equal(sim.at) {
		say("the time when the node went down is not in the evidence: times count from the time of the evidence")
	}
	for _, m := range sim.list {
		if m.unready.known && fromTable(m.node) {
			say("a table does not show whether the kubelet of %s stopped reporting: assumed that it did", m.name)
		}
	}
	sim.assumeUnread(say)
	say("a new pod also needs the time to pull its image and to start")
	return out
}

// assumeZones records assumptions about zones.
func (sim *simulation) assumeZones(say func(string, ...any)) {
	for _, key := range sim.zoneNames() {
		z := sim.zones[key]
		switch {
		case z.assumedUnharmed:
			say("not all nodes are in the evidence: the others are assumed to be healthy")
		case z.stopped() && z.awaitingTaint > 0:
			text := z.mechanism()
			if n := z.taintedBeforeStop(sim.set.race); n > 0 {
				text += fmt.Sprintf("; up to %d of the nodes may get the taint before that, in unknown order", n)
			}
			say("%s", text)
		}
	}
}

// assumeManager records assumptions about kube-controller-manager.
func (sim *simulation) assumeManager(say func(string, ...any)) {
	if sim.sc.ManagerRestart != nil {
		begin, least := sim.outage(extremes{})
		_, most := sim.outage(extremes{late: true})
		say("no controller acts from %s until another manager leads (%s to %s later); then all timers restart", begin, least-begin, most-begin)
		return
	}
	if !sim.silent() {
		return
	}
	say("kube-controller-manager keeps running: a restart would restart all timers")
	if sim.set.rate > 0 {
		say("its caches are up to date: otherwise a node gets its taint one turn (%s) later", turnPeriod(sim.set.rate).Round(time.Second))
	}
}

// assumeUnread records assumptions for missing evidence.
func (sim *simulation) assumeUnread(say func(string, ...any)) {
	if sim.snap.Data().Source.Kind == "cluster" && sim.snap.Covers(evidence.Mutations) != evidence.Complete {
		say("no MutatingAdmissionPolicy changes new pods (they could not be read)")
	}
	if looked := placement.LookedOn(sim.snap); looked != "" {
		say("%s", looked)
	}
	if n := sim.withoutSpec(); n > 0 {
		say("the tolerations of %d pods are not in the evidence: the default is assumed (300 s; no limit for DaemonSets)", n)
	}
	if sim.unreadWorkloads() {
		say("controllers that are not in the evidence recreate their pods")
	}
	if sim.snap.Covers(evidence.Pods) == evidence.NotRead {
		say("pods are not in the evidence: the forecast covers only the node")
	}
}

// depends returns unknown facts that decide what happens.
func (sim *simulation) depends() []string {
	out := []string{}
	for _, key := range sim.zoneNames() {
		if sim.zones[key].unknownRest {
			out = append(out, "on other nodes, which were not all read: if any is Ready, pods are evicted as shown here; if none is, "+cutOff+", and the pods stay")
			break
		}
	}
	return out
}

// silent reports whether any of the nodes is lost to the control plane.
func (sim *simulation) silent() bool {
	for _, m := range sim.list {
		if m.unheard() {
			return true
		}
	}
	return false
}

func (sim *simulation) withoutSpec() int {
	n := 0
	for _, p := range sim.pods {
		if p.Spec == nil {
			n++
		}
	}
	return n
}

func (sim *simulation) unreadWorkloads() bool {
	for _, p := range sim.pods {
		if p.Owner.Name != "" && mechanics.Replaces(p) != mechanics.ByKubelet && sim.snap.OwnerOf(p) == nil {
			return true
		}
	}
	return false
}

// never returns events that do not happen without an action.
func (sim *simulation) never(f *Forecast) []string {
	out := []string{}
	var stuck, waiting, kept, lost, either []string
	daemons := 0
	for i, p := range f.Pods {
		name := p.Namespace + "/" + p.Name
		if p.DeletedAt != nil && sim.mayStay(sim.pods[i]) {
			either = append(either, name)
		}
		if p.GoneAt == nil && p.DeletedAt != nil {
			stuck = append(stuck, name)
		}
		if unreplaced(sim.pods[i], p.Replacement) {
			waiting = append(waiting, name)
		}
		switch {
		case p.Fate == NeverMoves && p.ofDaemonSet():
			daemons++
		case p.Fate == NeverMoves:
			kept = append(kept, name)
		case p.Fate == Lost:
			lost = append(lost, name)
		}
	}
	say := func(list []string, format string) {
		if len(list) > 0 {
			out = append(out, fmt.Sprintf(format, fewNames(list)))
		}
	}
	leave := ""
	if len(either) > 0 {
		leave = ", if they are evicted"
	}
	say(either, "stay on the node, shown as Running, if the cluster has no other Ready node: %s")
	say(stuck, "stuck in Terminating"+leave+": %s")
	say(waiting, "no replacement pod can start for"+leave+": %s")
	say(kept, "stay on the node, shown as Running: %s")
	say(lost, "not recreated by a controller"+leave+": %s")
	if daemons > 0 {
		out = append(out, wording.Counted(daemons, "pod of a DaemonSet stays on the node, shown as Running", "pods of DaemonSets stay on the node, shown as Running")+": nothing to do")
	}
	return out
}

// mayStay reports whether the pod is deleted only if the cluster has other working nodes.
func (sim *simulation) mayStay(p *evidence.Pod) bool {
	return sim.restUnknown(p) && !p.Deleting() && !sim.nodes[p.Node].tainted.known
}

// unreplaced reports whether a controller wants the pod again, but no new pod ever runs.
func unreplaced(p *evidence.Pod, r Replacement) bool {
	switch r.Kind {
	case Waits:
		return mechanics.Replaced(p) && mechanics.Replaces(p) != mechanics.OnSameNode
	case Created:
		return r.StartsAt == nil
	}
	return false
}

// fewNames lists some names and counts the rest.
func fewNames(list []string) string {
	const most = 10
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
