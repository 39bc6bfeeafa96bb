package lists

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
)

// Budgets are all disruption budgets.
type Budgets struct {
	Head
	Budgets []Budget `json:"budgets"`
}

// Budget is one disruption budget, as its controller last computed it.
type Budget struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Wants     string `json:"wants"`    // in words: at least 2, at most 25% away
	Selector  string `json:"selector"` // empty: not known, where Partial evidence has none
	// Expected are the pods that its controller counts on, Desired the healthy ones that it keeps. null: a table of kubectl
	// does not tell, as neither do Pods.
	Expected *int `json:"expected"`
	Healthy  *int `json:"healthy"`
	Desired  *int `json:"desired"`
	Allowed  int  `json:"allowed"` // pods that may be evicted now
	Pods     *int `json:"pods"`    // that the selector matches in this evidence; null: the evidence has no pods
	// Holds are the nodes whose drain it holds now: they run a pod whose eviction it refuses.
	Holds []string `json:"holds"`
	Odd   []string `json:"odd"` // what is wrong with it, and what would help
}

// NewBudgets lists the budgets.
func NewBudgets(s *evidence.Snapshot, at time.Time, by Filter, order string) (*Budgets, error) {
	b := newBase(s, at, by)
	out := &Budgets{Head: b.head("BudgetList", evidence.PDBs, evidence.Pods), Budgets: []Budget{}}
	index := mechanics.NewBudgets(s.Data().PDBs)
	pods := map[*evidence.PDB][]*evidence.Pod{}
	crowded := map[*evidence.PDB]*evidence.Pod{} // a pod that another budget holds as well
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
		out.lack("a table of kubectl shows neither the pods of a budget nor how many of them are healthy", "kubectl get pdb -A -o yaml")
	}
	for _, pdb := range s.Data().PDBs {
		if by.Namespace != "" && pdb.Namespace != by.Namespace {
			continue
		}
		row := b.budget(pdb, pods[pdb], index)
		if p := crowded[pdb]; p != nil {
			row.Odd = append(row.Odd, fmt.Sprintf("pod %s has a second budget, and the API server evicts no pod that two budgets hold: leave one of them", p.Name))
		}
		onNode := slices.ContainsFunc(pods[pdb], func(p *evidence.Pod) bool { return p.Node == by.Node })
		out.Budgets = addRow(&out.Head, out.Budgets, row, row.Odd, by, onNode)
	}
	return out, sortBy(out.Budgets, order, budgetColumns)
}

var budgetColumns = map[string]func(a, b Budget) int{
	"name":      func(a, b Budget) int { return cmp.Compare(a.Name, b.Name) },
	"namespace": func(a, b Budget) int { return byName(a.Namespace, a.Name, b.Namespace, b.Name) },
	"allowed":   func(a, b Budget) int { return cmp.Compare(a.Allowed, b.Allowed) },
	"pods":      func(a, b Budget) int { return cmp.Compare(orNone(b.Pods), orNone(a.Pods)) },
	"holds":     func(a, b Budget) int { return cmp.Compare(len(b.Holds), len(a.Holds)) },
}

func (b base) budget(pdb *evidence.PDB, pods []*evidence.Pod, index mechanics.Budgets) Budget {
	st := pdb.Status
	row := Budget{
		Namespace: pdb.Namespace, Name: pdb.Name, Wants: wants(pdb), Allowed: int(st.DisruptionsAllowed), Holds: []string{}, Odd: []string{},
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

// oddBudget says what is odd about a budget that selects these pods; empty: nothing.
func (b base) oddBudget(pdb *evidence.PDB, pods []*evidence.Pod) string {
	if failed := mechanics.SyncFailed(pdb); failed != "" {
		return "its controller cannot compute it and allows nothing: " + failed
	}
	switch st := pdb.Status; {
	case pdb.Counted() && b.snap.Covers(evidence.Pods) == evidence.Complete && len(pods) == 0:
		return "it selects no pod: it protects nothing"
	case mechanics.Stale(pdb):
		return "its controller has not seen it as it is now: until then it allows nothing"
	case mechanics.NeverAllows(pdb):
		return "it never lets a pod go, even when all are healthy: each drain of their nodes waits"
	case st.DisruptionsAllowed == 0 && !pdb.Counted():
		return "it lets no pod go now; how many of its pods are healthy tells " + string(shell.Format("kubectl describe pdb -n {namespace} {pdb}", pdb.Namespace, pdb.Name))
	case st.DisruptionsAllowed == 0 && st.ExpectedPods > 0:
		return fmt.Sprintf("it lets no pod go now: %d of %d pods are healthy, and it keeps %d", st.CurrentHealthy, st.ExpectedPods, st.DesiredHealthy)
	}
	return ""
}

func number[T int | int32](n T) *int {
	v := int(n)
	return &v
}

// orNone is the number, or less than any where it is not known.
func orNone(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

// wants says in words what the budget asks for.
func wants(pdb *evidence.PDB) string {
	switch {
	case pdb.Spec.MinAvailable != nil:
		return "at least " + pdb.Spec.MinAvailable.String()
	case pdb.Spec.MaxUnavailable != nil:
		return "at most " + pdb.Spec.MaxUnavailable.String() + " away"
	}
	return ""
}
