package predict

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// assumptions are what the forecast rests on besides the evidence.
func (sim *simulation) assumptions() []string {
	out := append([]string{}, sim.set.assumptions...)
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if len(sim.leftOut) > 0 {
		say("%s: down already, and left out; without --event predict tells what comes next there", firstNames(sim.leftOut))
	}
	if sim.sc.Event == Shutdown {
		out = append(out, sim.shutdownAssumptions()...)
	}
	if sim.sc.TolerationSeconds != nil {
		say("as if all pods tolerated not-ready and unreachable nodes for %d s", *sim.sc.TolerationSeconds)
	}
	if sim.sc.Replicas != nil {
		say("as if each workload wanted %d replicas, those that are missing being ready on other nodes", *sim.sc.Replicas)
	}
	for _, key := range sim.zoneNames() {
		z := sim.zones[key]
		switch {
		case z.assumedUnharmed:
			say("the evidence does not show all nodes: the rest of the cluster is taken for healthy")
		case z.stopped() && z.awaitingTaint > 0:
			text := z.mechanism()
			if n := z.taintedBeforeStop(sim.set.race); n > 0 {
				text += fmt.Sprintf("; up to %d of the nodes may get the taint before that; which ones is not known", n)
			}
			say("%s", text)
		}
	}
	if sim.silent() && sim.sc.ManagerRestart == nil {
		say("kube-controller-manager keeps running: a restart would restart all timers")
		if sim.set.rate > 0 {
			say("its caches keep up: when they do not, a node misses its turn and gets its taint a turn (%s) later", turnPeriod(sim.set.rate).Round(time.Second))
		}
	}
	if sim.sc.ManagerRestart != nil {
		begin, least := sim.outage(extremes{})
		_, most := sim.outage(extremes{late: true})
		say("no controller acts from %s until another manager leads, %s to %s later; then all timers start again", begin, least-begin, most-begin)
	}
	if sim.sc.Event == AlreadyDown && sim.zero.Equal(sim.at) {
		say("the evidence does not tell when the node went down: times count from when it was taken")
	}
	for _, m := range sim.list {
		if m.unready.known && fromTable(m.node) {
			say("a table does not tell whether the kubelet of %s is silent: it is taken for silent", m.name)
		}
	}
	if sim.snap.Data().Source.Kind == "cluster" && sim.snap.Covers(evidence.Mutations) != evidence.Complete {
		say("no MutatingAdmissionPolicy changes new pods: those of the cluster could not be read")
	}
	if looked := placement.LookedOn(sim.snap); looked != "" {
		say("%s", looked)
	}
	if n := sim.withoutSpec(); n > 0 {
		say("the tolerations of %d pods are not in the evidence: they are taken for the default (300 s; without a time limit for DaemonSets)", n)
	}
	if sim.unreadWorkloads() {
		say("not all controllers are in the evidence: what it lacks is taken to want its pods back")
	}
	if sim.snap.Covers(evidence.Pods) == evidence.NotRead {
		say("the evidence has no pods: only what happens to the node itself is forecast")
	}
	say("a new pod also needs the time to pull its image and to start")
	return out
}

// depends are facts that the evidence does not have and that decide what happens.
func (sim *simulation) depends() []string {
	out := []string{}
	for _, key := range sim.zoneNames() {
		if sim.zones[key].unknownRest {
			out = append(out, "on whether the cluster has other nodes that work, which a list of nodes alone does not tell: with them, "+
				"pods leave as said here; without, "+cutOff+", and the pods stay")
			break
		}
	}
	return out
}

// silent reports whether any of the nodes is lost to the control plane.
func (sim *simulation) silent() bool {
	for _, m := range sim.list {
		if m.silent != never || m.unready.known || m.shutdown {
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

// never are things that do not happen by themselves.
func (sim *simulation) never(f *Forecast) []string {
	out := []string{}
	var stuck, waiting, kept, lost, either []string
	for i, p := range f.Pods {
		name := p.Namespace + "/" + p.Name
		if sim.restUnknown(sim.pods[i]) && p.DeletedAt != nil && !sim.pods[i].Deleting() && !sim.nodes[p.Node].tainted.known {
			either = append(either, name)
		}
		if p.GoneAt == nil && p.DeletedAt != nil {
			stuck = append(stuck, name)
		}
		waits := p.Replacement.Kind == Waits && mechanics.Replaced(sim.pods[i]) && mechanics.Replaces(sim.pods[i]) != mechanics.OnSameNode
		if waits || p.Replacement.Kind == Created && p.Replacement.StartsAt == nil {
			waiting = append(waiting, name)
		}
		if p.Fate == NeverMoves {
			kept = append(kept, name)
		}
		if p.Fate == Lost {
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
		leave = ", if they leave"
	}
	say(either, "stay on the node, shown as Running, if the cluster has no other node that works: %s")
	say(stuck, "stuck in Terminating"+leave+": %s")
	say(waiting, "no new pod can replace"+leave+": %s")
	say(kept, "stay on the node, shown as Running: %s")
	say(lost, "no controller recreates"+leave+": %s")
	return out
}

// fewNames lists some names and counts the rest.
func fewNames(list []string) string {
	const most = 10
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
