package check

import (
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// systemPool finds applications on nodes of a pool that is reserved for system pods. Under their load CoreDNS, metrics and the
// connection to the control plane starve first. If the cluster has no other nodes, there is no alternative.
func (r *reviewer) systemPool() {
	apart := map[string]bool{}
	for _, n := range r.s.Data().Nodes {
		if evidence.ForSystem(n) {
			apart[n.Name] = true
		}
	}
	if len(apart) == 0 || len(apart) == len(r.s.Data().Nodes) {
		r.moot = true
		return
	}
	on := map[evidence.Subject][]string{}
	r.running(func(p *evidence.Pod, owner evidence.Subject) {
		if apart[p.Node] && !ofCluster(p) && !slices.Contains(on[owner], p.Node) {
			on[owner] = append(on[owner], p.Node)
		}
	})
	for _, owner := range slices.SortedFunc(maps.Keys(on), func(a, b evidence.Subject) int { return strings.Compare(a.String(), b.String()) }) {
		slices.Sort(on[owner])
		r.add(owner, "on "+wording.Some(on[owner]), shell.Format("kubectl get pods -n {namespace} -o wide", owner.Namespace))
	}
}

// ofCluster reports whether the cluster needs the pod, by its namespace or its priority.
func ofCluster(p *evidence.Pod) bool {
	return evidence.SystemNamespace(p.Namespace) || strings.HasSuffix(p.Namespace, "-system") ||
		p.Spec != nil && strings.HasPrefix(p.Spec.PriorityClassName, "system-")
}
