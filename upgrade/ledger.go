package upgrade

import (
	"github.com/nodetriage/nodetriage/drain"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/plan"
)

// book is a budget as it changes while pods go and come.
type book struct {
	mechanics.Book
	held  []*mover
	asked bool // those that it keeps are tried again soon
}

// booksOf are the budgets of pods like p.
func (c *course) booksOf(p *evidence.Pod) []*book {
	if out, known := c.known[p]; known {
		return out
	}
	var out []*book
	for _, pdb := range c.view.Budgets.Of(p) {
		if c.books[pdb] == nil {
			c.books[pdb] = &book{Book: mechanics.OpenBook(pdb)}
		}
		out = append(out, c.books[pdb])
	}
	c.known[p] = out
	return out
}

// recount lets the disruption controller count again, with so many more pods that are ready; those that the budget keeps
// are tried again, in a slow run as late as an evictor may.
func (c *course) recount(k *book, more int32) {
	k.Recount(more)
	if len(k.held) == 0 || k.asked {
		return
	}
	k.asked = true
	wait := plan.Within(0, drain.RetryAfter)
	c.after(c.pick(wait), func() {
		k.asked = false
		held := k.held
		k.held = nil
		for _, p := range held {
			if p.state == staying && p.on.draining {
				c.evict(p)
			}
		}
	})
}

// elsewhere follows pods of budgets that are starting now, and those that wait for room already.
func (c *course) elsewhere() {
	for _, p := range c.view.Data().Pods {
		switch {
		case p.Ready == evidence.True || p.Partial || p.Finished():
		case p.Node == "" && !p.Deleting():
			c.waiting = append(c.waiting, &mover{like: p, key: p.Key(), state: waiting, old: true})
		case c.machines[p.Node] == nil && c.view.SoonReady(p):
			for _, k := range c.booksOf(p) {
				c.after(c.pick(c.startOf(p)), func() {
					c.recount(k, 1)
				})
			}
		}
	}
	for _, k := range c.books {
		if mechanics.Stale(k.PDB) {
			c.after(c.pick(plan.Within(0, drain.RetryAfter)), func() { c.recount(k, 0) })
		}
	}
}
