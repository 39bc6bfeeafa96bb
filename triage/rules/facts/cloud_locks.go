package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// LocksOf returns the locks that can stop a change of the pool: on its account, on the group of its cluster, or on the group of its
// machines. If the group of the pool is unknown, it returns the locks of the only group that has any.
func LocksOf(p *triage.Pass, pool *evidence.CloudPool) []evidence.Ref {
	locks := Resources[*evidence.CloudLock](p)
	if unplaced(p, pool) && slices.ContainsFunc(locks, func(l *evidence.CloudLock) bool { return !strings.EqualFold(l.Group, locks[0].Group) }) {
		return nil
	}
	var out []evidence.Ref
	for _, l := range locks {
		if unplaced(p, pool) || lockCovers(p, l, pool) {
			out = append(out, lockRef(l))
		}
	}
	return out
}

// lockCovers reports whether a lock is on a group of the pool, or on the whole account of the pool.
func lockCovers(p *triage.Pass, l *evidence.CloudLock, pool *evidence.CloudPool) bool {
	if l.Group != "" {
		return liesIn(p, pool, l.Group)
	}
	return l.Account != "" && strings.EqualFold(l.Account, pool.Account)
}

func lockRef(l *evidence.CloudLock) evidence.Ref {
	text := fmt.Sprintf("lock %s (%s) on %s", l.Name, OrUnknown(l.Level), OrUnknown(LastSegment(l.Scope)))
	if l.Note != "" {
		text += fmt.Sprintf(", with the note %q", l.Note)
	}
	return CloudRef(l, "level", text)
}
