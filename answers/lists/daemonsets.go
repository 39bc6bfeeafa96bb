package lists

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// DaemonSets are all DaemonSets.
type DaemonSets struct {
	Head
	DaemonSets []DaemonSet `json:"daemonSets"`
}

// DaemonSet is one DaemonSet, with the nodes that it targets.
type DaemonSet struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Desired, Current, Ready, Updated and Available are the node counts of its controller.
	Desired   int `json:"desired"`
	Current   int `json:"current"`
	Ready     int `json:"ready"`
	Updated   int `json:"updated"`
	Available int `json:"available"`
	// Missing are nodes without its pod that should run one. NotReady are nodes whose pod is not ready. Misplaced are nodes
	// that run one and should not, for example because a taint was added later.
	Missing   []string `json:"missing"`
	NotReady  []string `json:"notReady"`
	Misplaced []string `json:"misplaced"`
	Odd       []string `json:"odd"`
}

// NewDaemonSets lists the DaemonSets.
func NewDaemonSets(s *evidence.Snapshot, at time.Time, by Filter, order string) (*DaemonSets, error) {
	b := newBase(s, at, by)
	out := &DaemonSets{Head: b.head("DaemonSetList", evidence.Workloads, evidence.Nodes, evidence.Pods), DaemonSets: []DaemonSet{}}
	pods := map[string]map[string]*evidence.Pod{} // by set, by node
	for _, p := range s.Data().Pods {
		if mechanics.Replaces(p) == mechanics.OnSameNode && p.Node != "" && !p.Finished() {
			key := p.Namespace + "/" + p.Owner.Name
			if pods[key] == nil {
				pods[key] = map[string]*evidence.Pod{}
			}
			pods[key][p.Node] = p
		}
	}
	for _, w := range s.Data().Workloads {
		if mechanics.OfKind(w.Kind) != mechanics.OnSameNode {
			continue
		}
		if by.Namespace != "" && w.Namespace != by.Namespace {
			out.Hidden++
			continue
		}
		row := b.daemonSet(w, pods[w.Namespace+"/"+w.Name])
		onNode := slices.Contains(slices.Concat(row.Missing, row.NotReady, row.Misplaced), by.Node)
		out.DaemonSets = addRow(&out.Head, out.DaemonSets, row, row.Odd, by, onNode)
	}
	out.settle(len(out.DaemonSets))
	return out, sortBy(out.DaemonSets, order, daemonColumns)
}

var daemonColumns = map[string]func(a, b DaemonSet) int{
	"name":      func(a, b DaemonSet) int { return cmp.Compare(a.Name, b.Name) },
	"namespace": func(a, b DaemonSet) int { return byName(a.Namespace, a.Name, b.Namespace, b.Name) },
	"desired":   func(a, b DaemonSet) int { return cmp.Compare(b.Desired, a.Desired) },
	"missing":   func(a, b DaemonSet) int { return cmp.Compare(b.Desired-b.Ready, a.Desired-a.Ready) },
}

func (b base) daemonSet(w *evidence.Workload, on map[string]*evidence.Pod) DaemonSet {
	row := DaemonSet{
		Namespace: w.Namespace, Name: w.Name, Desired: w.Replicas, Current: w.Current, Ready: w.Ready, Updated: w.Updated,
		Available: w.Available, Missing: []string{}, NotReady: []string{}, Misplaced: []string{}, Odd: []string{},
	}
	for _, n := range b.snap.Data().Nodes {
		p := on[n.Name]
		if p != nil && p.Ready == evidence.False {
			row.NotReady = append(row.NotReady, n.Name)
		}
		if w.Template == nil || n.Partial {
			continue // its nodes are unknown
		}
		switch wanted, _ := mechanics.DaemonRunsOn(w.Template, n); {
		case wanted && p == nil && b.snap.Covers(evidence.Pods) == evidence.Complete:
			row.Missing = append(row.Missing, n.Name)
		case !wanted && p != nil:
			row.Misplaced = append(row.Misplaced, n.Name)
		}
	}
	say := func(format string, nodes []string) {
		if len(nodes) > 0 {
			row.Odd = append(row.Odd, fmt.Sprintf(format, wording.Some(nodes)))
		}
	}
	say("no pod on %s", row.Missing)
	say("not ready on %s", row.NotReady)
	say("still runs on %s, where it is no longer scheduled (not counted in DESIRED)", row.Misplaced)
	if len(row.Odd) == 0 && w.Ready < w.Replicas {
		row.Odd = append(row.Odd, fmt.Sprintf("%d of %s ready", w.Ready, wording.Count(w.Replicas, "pod")))
	}
	return row
}
