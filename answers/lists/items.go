package lists

import (
	"cmp"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// PodList is the list of pods in JSON.
type PodList struct {
	*Pods
	// Items are all pods, group by group. The pods in groups are the same; they are deprecated.
	Items []PodItem `json:"items,omitzero"`
}

// PodItem is one pod, with the reason of its group.
type PodItem struct {
	nodes.Object
	Pod
	Reason string `json:"reason"`
	Acts   string `json:"acts"` // who has to act
}

// Listed returns the list with its items.
func (l *Pods) Listed() *PodList {
	out := &PodList{Pods: l, Items: []PodItem{}}
	for _, g := range l.Groups {
		for _, p := range g.Pods {
			out.Items = append(out.Items, PodItem{object("v1", "Pod", p.Namespace, p.Name), p, g.Reason, g.Acts})
		}
	}
	return out
}

// BudgetList is the list of PodDisruptionBudgets in JSON.
type BudgetList struct {
	*Budgets
	// Items are the PodDisruptionBudgets. budgets are the same; they are deprecated.
	Items []BudgetItem `json:"items,omitzero"`
}

// BudgetItem is one PodDisruptionBudget.
type BudgetItem struct {
	nodes.Object
	Budget
}

// Listed returns the list with its items.
func (l *Budgets) Listed() *BudgetList {
	return &BudgetList{l, items(l.Budgets, func(b Budget) BudgetItem {
		return BudgetItem{object("policy/v1", "PodDisruptionBudget", b.Namespace, b.Name), b}
	})}
}

// DaemonSetList is the list of DaemonSets in JSON.
type DaemonSetList struct {
	*DaemonSets
	// Items are the DaemonSets. daemonSets are the same; they are deprecated.
	Items []DaemonSetItem `json:"items,omitzero"`
}

// DaemonSetItem is one DaemonSet.
type DaemonSetItem struct {
	nodes.Object
	DaemonSet
}

// Listed returns the list with its items.
func (l *DaemonSets) Listed() *DaemonSetList {
	return &DaemonSetList{l, items(l.DaemonSets, func(d DaemonSet) DaemonSetItem {
		return DaemonSetItem{object("apps/v1", "DaemonSet", d.Namespace, d.Name), d}
	})}
}

// PoolList is the list of node pools in JSON.
type PoolList struct {
	*Pools
	// Items are the node pools. pools are the same; they are deprecated.
	Items []PoolItem `json:"items,omitzero"`
}

// PoolItem is one node pool.
type PoolItem struct {
	nodes.Object
	Pool
}

// Listed returns the list with its items.
func (l *Pools) Listed() *PoolList {
	return &PoolList{l, items(l.Pools, func(p Pool) PoolItem {
		return PoolItem{object(nodereport.APIVersion, "NodePool", "", p.Name), p}
	})}
}

// OperationList is the list of cloud operations in JSON.
type OperationList struct {
	*Operations
	// Items are the operations. operations are the same; they are deprecated.
	Items []OperationItem `json:"items,omitzero"`
}

// OperationItem is one cloud operation. Its name is its id, or else its operation.
type OperationItem struct {
	nodes.Object
	Operation
}

// Listed returns the list with its items.
func (l *Operations) Listed() *OperationList {
	return &OperationList{l, items(l.Operations, func(o Operation) OperationItem {
		return OperationItem{object(nodereport.APIVersion, "CloudOperation", "", cmp.Or(o.ID, o.Operation)), o}
	})}
}

// items returns an item of each element of a list, and an empty list, not null, if it has none.
func items[E, I any](list []E, item func(E) I) []I {
	out := make([]I, 0, len(list))
	for _, e := range list {
		out = append(out, item(e))
	}
	return out
}

func object(version, kind, namespace, name string) nodes.Object {
	return nodes.Object{APIVersion: version, Kind: kind, Metadata: nodes.Metadata{Name: name, Namespace: namespace}}
}
