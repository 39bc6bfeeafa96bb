package drain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// waves simulates the eviction API, with PodDisruptionBudgets shared by all pods. All allowed pods are evicted, then their
// replacements become ready, and so on until no eviction is allowed.
func (b *builder) waves(pods []*candidate) {
	var left []*candidate
	for _, c := range pods {
		if c.blocked() {
			c.plan.Action = Block
		}
		if c.plan.Action == Evict {
			left = append(left, c)
		}
	}
	slices.SortStableFunc(left, before)
	ledger := b.newLedger(pods)
	ledger.numberWaves(left)
	for _, c := range pods {
		for _, pdb := range c.budgets {
			switch {
			case c.plan.Action == Evict && c.plan.Wave > 1:
				c.delayedBy(pdb)
			case c.plan.Wave == 0 && len(c.budgets) == 1 && mechanics.Answer(ledger.books[pdb].PDB, c.pod.Ready) == mechanics.Refused:
				c.refused(pdb) // also if something else blocks
			}
		}
		if c.plan.Action == Evict && c.plan.Wave == 0 {
			c.plan.Action = Block
		}
	}
}

// numberWaves gives each pod the number of its wave; 0: none.
func (l *ledger) numberWaves(left []*candidate) {
	for wave := 1; len(left) > 0; wave++ {
		var gone, stay []*candidate
		for _, c := range left {
			if l.evict(c) {
				c.plan.Wave = wave
				gone = append(gone, c)
			} else {
				stay = append(stay, c)
			}
		}
		if !l.refill(gone, wave == 1) {
			break
		}
		left = stay
	}
}

// before orders the pods of a wave: first those that are not ready, because they use no budget, then by priority.
func before(x, y *candidate) int {
	return cmp.Or(cmp.Compare(cost(x), cost(y)), cmp.Compare(mechanics.Priority(x.pod), mechanics.Priority(y.pod)), strings.Compare(x.plan.Key(), y.plan.Key()))
}

func cost(c *candidate) int {
	if mechanics.AsksBudgets(c.pod) && c.pod.Ready == evidence.True {
		return 1
	}
	return 0
}

// ledger tracks the PodDisruptionBudgets while pods are evicted.
type ledger struct {
	books map[*evidence.PDB]mechanics.Ledger
	soon  map[*evidence.PDB]int32 // pods that are becoming ready now
}

func (b *builder) newLedger(pods []*candidate) *ledger {
	l := &ledger{map[*evidence.PDB]mechanics.Ledger{}, map[*evidence.PDB]int32{}}
	for _, c := range pods {
		for _, pdb := range c.budgets {
			if _, open := l.books[pdb]; !open {
				l.books[pdb] = mechanics.OpenLedger(pdb)
				l.soon[pdb] = b.Starting(pdb) + max(0, b.HealthyOf(pdb)-pdb.Status.CurrentHealthy)
			}
		}
	}
	return l
}

// evict reports whether the pod may be evicted now, and updates its budget.
func (l *ledger) evict(c *candidate) bool {
	for _, pdb := range c.budgets { // at most one: several are rejected earlier
		if c.surges() {
			return mechanics.AllowsOneWithMore(pdb) // the second replica replaces it, so the budget does not change
		}
		if l.books[pdb].Evict(c.pod.Ready) == mechanics.Refused {
			return false
		}
		l.books[pdb].Leaves(c.pod.Ready)
	}
	return true
}

// refill counts again after the pods of a wave are gone and their replacements are ready. After the first wave it includes pods
// that were starting. It reports whether another wave may do more.
func (l *ledger) refill(gone []*candidate, first bool) bool {
	again := len(gone) > 0
	for _, c := range gone {
		for _, pdb := range c.budgets {
			if c.refills() && !c.surges() {
				l.books[pdb].Recount(1)
			} else {
				l.books[pdb].Recount(0)
			}
		}
	}
	if first {
		for pdb, n := range l.soon {
			again = again || n > 0 || mechanics.Stale(l.books[pdb].PDB)
			l.books[pdb].Recount(n)
		}
	}
	return again
}

// surges reports whether the pod is replaced before its eviction.
func (c *candidate) surges() bool {
	return c.b.opt.Surge && c.plan.Placement != placement.Pending && c.SingleReplica(c.pod) != nil
}
