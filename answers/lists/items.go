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
	out := &BudgetList{Budgets: l, Items: []BudgetItem{}}
	for _, b := range l.Budgets {
		out.Items = append(out.Items, BudgetItem{object("policy/v1", "PodDisruptionBudget", b.Namespace, b.Name), b})
	}
	return out
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
	out := &DaemonSetList{DaemonSets: l, Items: []DaemonSetItem{}}
	for _, d := range l.DaemonSets {
		out.Items = append(out.Items, DaemonSetItem{object("apps/v1", "DaemonSet", d.Namespace, d.Name), d})
	}
	return out
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
	out := &PoolList{Pools: l, Items: []PoolItem{}}
	for _, p := range l.Pools {
		out.Items = append(out.Items, PoolItem{object(nodereport.APIVersion, "NodePool", "", p.Name), p})
	}
	return out
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
	out := &OperationList{Operations: l, Items: []OperationItem{}}
	for _, o := range l.Operations {
		out.Items = append(out.Items, OperationItem{object(nodereport.APIVersion, "CloudOperation", "", cmp.Or(o.ID, o.Operation)), o})
	}
	return out
}

func object(version, kind, namespace, name string) nodes.Object {
	return nodes.Object{APIVersion: version, Kind: kind, Metadata: nodes.Metadata{Name: name, Namespace: namespace}}
}
