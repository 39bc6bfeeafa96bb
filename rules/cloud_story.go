package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// failures are the failed entries of the entry's story, what was asked for first and the deepest last: a cluster's
// operation fails after what it set off, and repeats that.
func failures(p *triage.Pass, a *evidence.CloudActivity) []*evidence.CloudActivity {
	out := slices.DeleteFunc(p.Snapshot.Story(a), func(b *evidence.CloudActivity) bool { return b != a && !strings.EqualFold(b.Status, "Failed") })
	slices.SortStableFunc(out, func(a, b *evidence.CloudActivity) int {
		return cmp.Or(cmp.Compare(depthOf(a), depthOf(b)), b.Time.Compare(a.Time), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// depthOf is how far below the request an operation is, by what it works on.
func depthOf(a *evidence.CloudActivity) int {
	switch on := strings.ToLower(a.Resource); {
	case strings.Contains(on, "/agentpools/"):
		return 1
	case strings.Contains(on, "/managedclusters/"):
		return 0
	case strings.Contains(on, "/virtualmachines/"):
		return 3
	}
	return 2
}

// told are the errors of the entry's story, the innermost last, and the entry that gives the innermost.
func told(p *triage.Pass, a *evidence.CloudActivity) (errors []evidence.CloudError, by *evidence.CloudActivity) {
	for _, f := range failures(p, a) {
		if len(f.Errors) > 0 {
			errors, by = append(errors, f.Errors...), f
		}
	}
	return errors, by
}

// endedBadly tells whether the operation of the entry failed or was called off in the end: what it began was not done.
func endedBadly(p *triage.Pass, a *evidence.CloudActivity) bool {
	bad := func(b *evidence.CloudActivity) bool {
		return strings.EqualFold(b.Status, "Failed") || strings.EqualFold(b.Status, "Canceled")
	}
	return bad(a) || slices.ContainsFunc(p.Snapshot.ActivitiesOf(a.ID), func(b *evidence.CloudActivity) bool {
		return strings.EqualFold(b.Operation, a.Operation) && bad(b)
	})
}
