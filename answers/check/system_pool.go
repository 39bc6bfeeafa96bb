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
	on := map[string]map[string]bool{}
	r.running(func(p *evidence.Pod, owner evidence.Subject) {
		if !apart[p.Node] || ofCluster(p) {
			return
		}
		if on[p.Node] == nil {
			on[p.Node] = map[string]bool{}
		}
		on[p.Node][owner.String()] = true
	})
	for _, node := range slices.Sorted(maps.Keys(on)) {
		owners := slices.Sorted(maps.Keys(on[node]))
		r.add(evidence.NodeSubject(node), wording.Some(owners),
			shell.Format("kubectl get pods -A -o wide --field-selector spec.nodeName={node}", node))
	}
}

// ofCluster reports whether the cluster needs the pod, by its namespace or its priority.
func ofCluster(p *evidence.Pod) bool {
	return evidence.SystemNamespace(p.Namespace) || strings.HasSuffix(p.Namespace, "-system") ||
		p.Spec != nil && strings.HasPrefix(p.Spec.PriorityClassName, "system-")
}
