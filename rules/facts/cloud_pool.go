package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// QuotasOf are the quotas without much room that count the cores of the pool's machines.
func QuotasOf(p *triage.Pass, pool *evidence.CloudPool) []evidence.Ref {
	var out []evidence.Ref
	for _, q := range Resources[*evidence.CloudQuota](p) {
		if full(q) && (q.AllCores || q.Family != "" && q.Family == pool.Family) {
			out = append(out, quotaRef(q))
		}
	}
	return out
}

// full reports whether a quota has next to no room: what is asked for is more than one.
func full(q *evidence.CloudQuota) bool {
	return q.Free().Known && q.Limit.Value > 0 && q.Used.Value*10 >= q.Limit.Value*9
}

func quotaRef(q *evidence.CloudQuota) evidence.Ref {
	return CloudRef(q, "usage", fmt.Sprintf("quota %s: %d of %d used", q.Name, q.Used.Value, q.Limit.Value))
}

// LocksOf are the locks that can stop a change of the pool: on its account, on the group of its cluster, or on that of its machines
// and what lies in it.
func LocksOf(p *triage.Pass, pool *evidence.CloudPool) []evidence.Ref {
	var out []evidence.Ref
	for _, l := range Resources[*evidence.CloudLock](p) {
		if l.Group == "" && l.Account != "" && strings.EqualFold(l.Account, pool.Account) || l.Group != "" && liesIn(p, pool, l.Group) {
			out = append(out, lockRef(l))
		}
	}
	return out
}

// liesIn reports whether the pool's cluster or its machines lie in the group.
func liesIn(p *triage.Pass, pool *evidence.CloudPool, group string) bool {
	begins := pool.MachineGroup != "" && len(group) > len(pool.MachineGroup) && strings.EqualFold(group[:len(pool.MachineGroup)], pool.MachineGroup)
	return begins || strings.EqualFold(group, pool.Group) || slices.ContainsFunc(Resources[*evidence.CloudSet](p), func(set *evidence.CloudSet) bool {
		return strings.EqualFold(set.Pool, pool.Name) && strings.EqualFold(set.Group, group)
	})
}

func lockRef(l *evidence.CloudLock) evidence.Ref {
	return CloudRef(l, "level", fmt.Sprintf("lock %s (%s) on %s", l.Name, OrUnknown(l.Level), OrUnknown(LastSegment(l.Scope))))
}
