package cloud

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
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
	pools := facts.Resources[*evidence.CloudPool](p)
	for _, set := range facts.Resources[*evidence.CloudSet](p) {
		if set.Failed() && set.Pool != "" && !slices.ContainsFunc(pools, func(pool *evidence.CloudPool) bool { return strings.EqualFold(pool.Name, set.Pool) }) {
			of := &evidence.CloudPool{CloudItem: set.CloudItem, Size: set.Size, Family: set.Family, Cores: set.Cores, MachineGroup: set.Group}
			of.Name = set.Pool
			pools = append(pools, of)
		}
	}
	for _, said := range facts.Resources[*evidence.CloudSaid](p) {
		if !slices.ContainsFunc(pools, func(pool *evidence.CloudPool) bool { return said.Name == "" || strings.EqualFold(pool.Name, said.Name) }) {
			pools = append(pools, &evidence.CloudPool{CloudItem: said.CloudItem, Size: said.Size, Family: said.Family, Cores: said.Cores})
		}
	}
	return slices.DeleteFunc(pools, func(pool *evidence.CloudPool) bool {
		return !pool.Failed() || known(p, pool.Errors)
	})
}

// about is the pool as a subject: the cluster, where its name is not told.
func about(pool *evidence.CloudPool) evidence.Subject {
	if pool.Name == "" {
		return evidence.ClusterSubject()
	}
	return evidence.Subject{Kind: "Pool", Name: pool.Name}
}

// saidOf are the words by which the pool failed, where no document shows it.
func saidOf(p *triage.Pass, pool *evidence.CloudPool) []evidence.Ref {
	var out []evidence.Ref
	for _, m := range facts.LinesSaying(p, "pool-failed") {
		if slices.ContainsFunc(facts.Resources[*evidence.CloudSaid](p), func(s *evidence.CloudSaid) bool { return s.Name == pool.Name }) && (m.Subject.IsZero() || m.Subject == about(pool)) {
			out = append(out, m.Ref)
		}
	}
	return out
}

// canBeWhy begins the summary of what can be why the pool failed.
func canBeWhy(pool *evidence.CloudPool, condition string) string {
	return named(pool) + " failed, its error was not read, and this can be why" + condition + ": "
}

// named is the pool in words.
func named(pool *evidence.CloudPool) string {
	if pool.Name == "" {
		return "a pool"
	}
	return "pool " + pool.Name
}
