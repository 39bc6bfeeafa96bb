package predict

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// workloads returns what remains of the workloads, the worst first.
func (sim *simulation) workloads(j *envelope) []WorkloadFate {
	out := []WorkloadFate{}
	hit := map[evidence.Subject][]*evidence.Pod{}
	for _, p := range sim.pods {
		touched := j.pods[p].unready.seen || j.pods[p].deleted.seen
		if !touched || p.Finished() {
			continue
		}
		if top := sim.snap.TopOwnerOf(p); top != nil && mechanics.OfKind(top.Kind) != mechanics.OnSameNode {
			hit[top.Subject()] = append(hit[top.Subject()], p)
		}
	}
	elsewhere := sim.readyElsewhere(hit)
	for about, pods := range hit {
		top := sim.snap.Workload(about.Kind, about.Namespace, about.Name)
		f := WorkloadFate{Kind: about.Kind, Namespace: about.Namespace, Name: about.Name, Wanted: top.Replicas, Hit: len(pods), Elsewhere: elsewhere[about]}
		sim.assumeReplicas(&f, !sim.homeless(j, pods))
		restored := sim.restored(j, pods)
		if f.Elsewhere < f.Wanted {
			f.RestoredAt = restored.interval()
		}
		if restored.missing {
			f.RestoredAt = nil
		}
		f.Outage = mechanics.OfKind(about.Kind) != mechanics.WhenFailed && f.Elsewhere == 0 && (restored.seen || restored.missing)
		out = append(out, f)
	}
	slices.SortFunc(out, outageFirst)
	return out
}

// assumeReplicas gives the workload the number of replicas that the scenario assumes. The further pods run on other nodes if pods
// of the workload fit there.
func (sim *simulation) assumeReplicas(f *WorkloadFate, fit bool) {
	n := sim.sc.Replicas
	if n == nil || mechanics.OfKind(f.Kind) == mechanics.WhenFailed {
		return
	}
	f.Wanted = *n
	if fit {
		f.Elsewhere = max(*n-f.Hit, 0)
	}
}

// homeless reports whether a new pod of the workload fits on no node.
func (sim *simulation) homeless(j *envelope, pods []*evidence.Pod) bool {
	return slices.ContainsFunc(pods, func(p *evidence.Pod) bool { return j.pods[p].room.verdict == placement.Pending })
}

// outageFirst orders workloads: outages first, then by name.
func outageFirst(a, b WorkloadFate) int {
	if a.Outage != b.Outage {
		if a.Outage {
			return -1
		}
		return 1
	}
	return strings.Compare(a.Namespace+"/"+a.Kind+"/"+a.Name, b.Namespace+"/"+b.Kind+"/"+b.Name)
}

// restored returns when the last of the pods, or its replacement, can run again; missing if one never does.
func (sim *simulation) restored(j *envelope, pods []*evidence.Pod) bounds {
	var out bounds
	for _, p := range pods {
		k := j.pods[p]
		a := k.starts
		if k.fate == Stays {
			a = k.readyAgain
			if !k.unready.seen {
				continue // it kept running
			}
		}
		homeless := k.room.verdict == placement.Pending || k.contested
		if !a.seen || homeless || a.missing && sim.restUnknown(p) {
			out.missing = true
			continue
		}
		out.from, out.to, out.seen = max(out.from, a.from), max(out.to, a.to), true
	}
	return out
}

// readyElsewhere counts the ready pods of the workloads on other nodes.
func (sim *simulation) readyElsewhere(hit map[evidence.Subject][]*evidence.Pod) map[evidence.Subject]int {
	out := map[evidence.Subject]int{}
	for _, p := range sim.snap.Data().Pods {
		if p.Node == "" || sim.nodes[p.Node] != nil || !p.Works() || p.Finished() {
			continue
		}
		if top := sim.snap.TopOwnerOf(p); top != nil && hit[top.Subject()] != nil {
			out[top.Subject()]++
		}
	}
	return out
}
