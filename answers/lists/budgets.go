package lists

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
)

// Budgets are all PodDisruptionBudgets.
type Budgets struct {
	Head
	Budgets []Budget `json:"budgets"`
}

// Budget is one PodDisruptionBudget, with the status that its controller last computed.
type Budget struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Wants     string `json:"wants"` // in words: at least 2, at most 25% away
	// MinAvailable and MaxUnavailable are the fields of its spec: a number or a percentage. One of them is empty.
	MinAvailable   string `json:"minAvailable,omitempty"`
	MaxUnavailable string `json:"maxUnavailable,omitempty"`
	Selector       string `json:"selector"` // empty: unknown if Partial evidence has none
	// Expected is how many pods its controller counts, Desired how many must stay healthy. null: unknown, because a
	// kubectl table and pods do not show it.
	Expected *int `json:"expected"`
	Healthy  *int `json:"healthy"`
	Desired  *int `json:"desired"`
	Allowed  int  `json:"allowed"` // pods that may be evicted now
	Pods     *int `json:"pods"`    // that the selector matches in this evidence; null: no pods in the evidence
	// Holds are the nodes whose drain it blocks now, because they run a pod whose eviction it rejects.
	Holds []string `json:"holds"`
	Odd   []string `json:"odd"` // what is wrong with it, and how to fix it
}

// NewBudgets lists the PodDisruptionBudgets.
func NewBudgets(s *evidence.Snapshot, at time.Time, by Filter, order string) (*Budgets, error) {
	b := newBase(s, at, by)
	out := &Budgets{Head: b.head("BudgetList", evidence.PDBs, evidence.Pods), Budgets: []Budget{}}
	index := mechanics.NewBudgets(s.Data().PDBs)
	pods := map[*evidence.PDB][]*evidence.Pod{}
	crowded := map[*evidence.PDB]*evidence.Pod{} // a pod that another budget selects too
	for _, p := range s.Data().Pods {
		all := index.Of(p)
		for _, pdb := range all {
			pods[pdb] = append(pods[pdb], p)
			if len(all) > 1 && mechanics.AsksBudgets(p) {
				crowded[pdb] = p
			}
		}
	}
	if slices.ContainsFunc(s.Data().PDBs, func(b *evidence.PDB) bool { return !b.Counted() }) {
		out.lack("the table of kubectl shows neither the pods of a PodDisruptionBudget nor how many are healthy", "kubectl get pdb -A -o yaml")
	}
	for _, pdb := range s.Data().PDBs {
		if by.Namespace != "" && pdb.Namespace != by.Namespace {
			out.Hidden++
			continue
		}
		row := b.budget(pdb, pods[pdb], index)
		if p := crowded[pdb]; p != nil {
			row.Odd = append(row.Odd, fmt.Sprintf("pod %s matches a second PodDisruptionBudget, and the API server evicts no pod that matches two: keep one of them", p.Name))
		}
		onNode := slices.ContainsFunc(pods[pdb], func(p *evidence.Pod) bool { return p.Node == by.Node })
		out.Budgets = addRow(&out.Head, out.Budgets, row, row.Odd, by, onNode)
	}
	out.settle(len(out.Budgets))
	return out, sortBy(out.Budgets, order, budgetColumns)
}

var budgetColumns = map[string]func(a, b Budget) int{
	"name":      func(a, b Budget) int { return cmp.Compare(a.Name, b.Name) },
	"namespace": func(a, b Budget) int { return byName(a.Namespace, a.Name, b.Namespace, b.Name) },
	"allowed":   func(a, b Budget) int { return cmp.Compare(a.Allowed, b.Allowed) },
	"pods":      func(a, b Budget) int { return cmp.Compare(orNone(b.Pods), orNone(a.Pods)) },
	"blocks":    func(a, b Budget) int { return cmp.Compare(len(b.Holds), len(a.Holds)) },
}

func (b base) budget(pdb *evidence.PDB, pods []*evidence.Pod, index mechanics.Budgets) Budget {
	st := pdb.Status
	row := Budget{
		Namespace: pdb.Namespace, Name: pdb.Name, Wants: wants(pdb), MinAvailable: bound(pdb.Spec.MinAvailable),
		MaxUnavailable: bound(pdb.Spec.MaxUnavailable), Allowed: int(st.DisruptionsAllowed), Holds: []string{}, Odd: []string{},
	}
	if pdb.Counted() {
		row.Expected, row.Healthy, row.Desired = number(st.ExpectedPods), number(st.CurrentHealthy), number(st.DesiredHealthy)
		if b.snap.Covers(evidence.Pods) != evidence.NotRead {
			row.Pods = number(len(pods))
		}
	}
	if pdb.Spec.Selector != nil {
		row.Selector = metav1.FormatLabelSelector(pdb.Spec.Selector)
	}
	for _, p := range pods {
		refuses := slices.Contains(index.Refusing(p), pdb)
		if refuses && p.Node != "" && !slices.Contains(row.Holds, p.Node) {
			row.Holds = append(row.Holds, p.Node)
		}
	}
	slices.Sort(row.Holds)
	if odd := b.oddBudget(pdb, pods); odd != "" {
		row.Odd = append(row.Odd, odd)
	}
	return row
}

// oddBudget returns what is unusual about a PodDisruptionBudget with these pods; empty if nothing is.
func (b base) oddBudget(pdb *evidence.PDB, pods []*evidence.Pod) string {
	if failed := mechanics.SyncFailed(pdb); failed != "" {
		return "the disruption controller cannot compute it and allows no eviction: " + failed
	}
	switch st := pdb.Status; {
	case pdb.Counted() && b.snap.Covers(evidence.Pods) == evidence.Complete && len(pods) == 0:
		return "its selector matches no pods, so it protects nothing"
	case mechanics.Stale(pdb):
		return "the disruption controller has not processed the last change, and allows no eviction until then"
	case mechanics.NeverAllows(pdb):
		return "never allows an eviction, even if all pods are healthy: drains of the nodes of these pods hang"
	case st.DisruptionsAllowed == 0 && !pdb.Counted():
		return "allows no eviction now; to see how many pods are healthy: " + string(shell.Format("kubectl describe pdb -n {namespace} {pdb}", pdb.Namespace, pdb.Name))
	case st.DisruptionsAllowed == 0 && st.ExpectedPods > 0:
		return fmt.Sprintf("allows no eviction now: %d of %d pods healthy, %d required", st.CurrentHealthy, st.ExpectedPods, st.DesiredHealthy)
	}
	return ""
}

func number[T int | int32](n T) *int {
	v := int(n)
	return &v
}

// orNone returns the number, or the smallest one if it is unknown.
func orNone(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

// bound returns a limit of a PodDisruptionBudget; "" if it has none.
func bound(n *intstr.IntOrString) string {
	if n == nil {
		return ""
	}
	return n.String()
}

// wants describes the requirement of the PodDisruptionBudget.
func wants(pdb *evidence.PDB) string {
	switch {
	case pdb.Spec.MinAvailable != nil:
		return "at least " + pdb.Spec.MinAvailable.String()
	case pdb.Spec.MaxUnavailable != nil:
		return "at most " + pdb.Spec.MaxUnavailable.String() + " away"
	}
	return ""
}
