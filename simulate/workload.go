package simulate

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/placement"
)

// workloads tells what the controllers are left with, the worst first.
func (w *world) workloads(j *joined) []WorkloadFate {
	out := []WorkloadFate{}
	hit := map[evidence.Subject][]*evidence.Pod{}
	for _, p := range w.pods {
		touched := j.pods[p].unready.seen || j.pods[p].deleted.seen
		if top := w.snap.TopOwnerOf(p); top != nil && mechanics.OfKind(top.Kind) != mechanics.OnSameNode && !p.Finished() && touched {
			hit[top.Subject()] = append(hit[top.Subject()], p)
		}
	}
	elsewhere := w.readyElsewhere(hit)
	for about, pods := range hit {
		top := w.snap.Workload(about.Kind, about.Namespace, about.Name)
		f := WorkloadFate{Kind: about.Kind, Namespace: about.Namespace, Name: about.Name, Wanted: top.Replicas, Hit: len(pods), Elsewhere: elsewhere[about]}
		if n := w.sc.Replicas; n != nil && mechanics.OfKind(about.Kind) != mechanics.WhenFailed {
			f.Wanted, f.Elsewhere = *n, max(*n-len(pods), 0)
		}
		restored := w.restored(j, pods)
		if f.Elsewhere < f.Wanted {
			f.RestoredAt = restored.span()
		}
		if restored.missing {
			f.RestoredAt = nil
		}
		f.Outage = mechanics.OfKind(about.Kind) != mechanics.WhenFailed && f.Elsewhere == 0 && (restored.seen || restored.missing)
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b WorkloadFate) int {
		if a.Outage != b.Outage {
			if a.Outage {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Namespace+"/"+a.Kind+"/"+a.Name, b.Namespace+"/"+b.Kind+"/"+b.Name)
	})
	return out
}

// restored is when the last of the pods, or what replaces it, can run again; it misses where one never does.
func (w *world) restored(j *joined, pods []*evidence.Pod) around {
	var out around
	for _, p := range pods {
		k := j.pods[p]
		a := k.starts
		if k.fate == Stays {
			a = k.readyAgain
			if !k.unready.seen {
				continue // it never stopped
			}
		}
		if !a.seen || k.room.verdict == placement.Pending || k.contested || a.missing && w.open(p) {
			out.missing = true
			continue
		}
		out.from, out.to, out.seen = max(out.from, a.from), max(out.to, a.to), true
	}
	return out
}

// readyElsewhere counts the ready pods of the workloads on other nodes.
func (w *world) readyElsewhere(hit map[evidence.Subject][]*evidence.Pod) map[evidence.Subject]int {
	out := map[evidence.Subject]int{}
	for _, p := range w.snap.Data().Pods {
		if p.Node == "" || w.machines[p.Node] != nil || !p.Works() || p.Finished() {
			continue
		}
		if top := w.snap.TopOwnerOf(p); top != nil && hit[top.Subject()] != nil {
			out[top.Subject()]++
		}
	}
	return out
}
