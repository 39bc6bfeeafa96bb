package upgrade

import (
	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// ledger tracks a PodDisruptionBudget while pods are evicted and created.
type ledger struct {
	mechanics.Ledger
	held     []*simPod // pods whose eviction it rejected
	retrying bool      // they are retried soon
	starting int       // its pods that have a node and are not ready yet
}

// ledgersOf returns the ledgers of PodDisruptionBudgets for pods like p.
func (r *rollout) ledgersOf(p *evidence.Pod) []*ledger {
	if out, known := r.ledgersByPod[p]; known {
		return out
	}
	var out []*ledger
	for _, pdb := range r.view.Budgets.Of(p) {
		if r.ledgers[pdb] == nil {
			r.ledgers[pdb] = r.open(pdb)
		}
		out = append(out, r.ledgers[pdb])
	}
	r.ledgersByPod[p] = out
	return out
}

// open begins the ledger of a budget. The disruption controller soon sees one that has just changed.
func (r *rollout) open(pdb *evidence.PDB) *ledger {
	k := &ledger{Ledger: mechanics.OpenLedger(pdb)}
	if mechanics.Stale(pdb) {
		r.after(r.pick(plan.Within(0, drain.RetryAfter)), func() { r.recount(k, 0) })
	}
	return k
}

// recount lets the disruption controller count again, with so many more pods that are ready; those that the budget keeps
// are tried again, in a slow run as late as an evictor may.
func (r *rollout) recount(k *ledger, more int32) {
	k.Recount(more)
	if len(k.held) == 0 || k.retrying {
		return
	}
	k.retrying = true
	wait := plan.Within(0, drain.RetryAfter)
	r.after(r.pick(wait), func() {
		k.retrying = false
		held := k.held
		k.held = nil
		for _, p := range held {
			if p.state == staying && p.on.draining {
				r.evict(p)
			}
		}
	})
}

// followOthers simulates pods of PodDisruptionBudgets that are starting now, and those that already wait for a node.
func (r *rollout) followOthers() {
	for _, p := range r.view.Data().Pods {
		switch {
		case p.Ready == evidence.True || p.Partial || p.Finished():
		case p.Node == "" && !p.Deleting():
			r.waiting = append(r.waiting, &simPod{like: p, key: p.Key(), state: waiting, old: true, roomless: true})
		case r.nodes[p.Node] == nil && r.view.SoonReady(p):
			for _, k := range r.ledgersOf(p) {
				r.after(r.pick(r.startOf(p)), func() {
					r.recount(k, 1)
				})
			}
		}
	}
}
