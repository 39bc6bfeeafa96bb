package cloud

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/rules/facts"
	"github.com/nodetriage/nodetriage/triage"
)

// told are the errors of the failed entry's story, if the entry is the one that gives the innermost of them.
func told(p *triage.Pass, a *evidence.CloudActivity) (errors []evidence.CloudError) {
	story := p.Snapshot.Failures(a)
	for _, f := range slices.Backward(story) {
		if len(f.Errors) > 0 && f != a {
			return nil
		}
		if f == a {
			break
		}
	}
	for _, f := range story {
		errors = append(errors, f.Errors...)
	}
	return errors
}

// endedBadly tells whether the operation of the entry failed or was called off in the end: what it began was not done.
func endedBadly(p *triage.Pass, a *evidence.CloudActivity) bool {
	bad := func(b *evidence.CloudActivity) bool {
		return b.Failed() || strings.EqualFold(b.Status, "Canceled")
	}
	return bad(a) || slices.ContainsFunc(p.Snapshot.ActivitiesOf(a.ID), func(b *evidence.CloudActivity) bool {
		return strings.EqualFold(b.Operation, a.Operation) && bad(b)
	})
}

// unexplained are the pools that failed of which no error is known.
func unexplained(p *triage.Pass) []*evidence.CloudPool {
	if slices.ContainsFunc(p.Snapshot.Data().CloudActivities, func(a *evidence.CloudActivity) bool { return a.Failed() && known(p, told(p, a)) }) {
		return nil
	}
	return slices.DeleteFunc(facts.Resources[*evidence.CloudPool](p), func(pool *evidence.CloudPool) bool {
		return !pool.Failed() || known(p, pool.Errors)
	})
}
