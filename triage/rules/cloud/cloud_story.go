package cloud

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// told returns the errors of the failed operation's chain, if the entry is the one with the innermost of them.
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

// endedBadly reports whether the operation of the entry finally failed or was canceled.
func endedBadly(p *triage.Pass, a *evidence.CloudActivity) bool {
	bad := func(b *evidence.CloudActivity) bool {
		return b.Failed() || strings.EqualFold(b.Status, "Canceled")
	}
	return bad(a) || slices.ContainsFunc(p.Snapshot.ActivitiesOf(a.ID), func(b *evidence.CloudActivity) bool {
		return strings.EqualFold(b.Operation, a.Operation) && bad(b)
	})
}

// unexplained returns the failed pools without a known error.
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

// about returns the pool as a subject, or the cluster if its name is unknown.
func about(pool *evidence.CloudPool) evidence.Subject {
	if pool.Name == "" {
		return evidence.ClusterSubject()
	}
	return evidence.Subject{Kind: "Pool", Name: pool.Name}
}

// saidOf returns the messages that the pool failed, if no document shows that.
func saidOf(p *triage.Pass, pool *evidence.CloudPool) []evidence.Ref {
	var out []evidence.Ref
	for _, m := range facts.LinesSaying(p, "pool-failed") {
		if slices.ContainsFunc(facts.Resources[*evidence.CloudSaid](p), func(s *evidence.CloudSaid) bool { return s.Name == pool.Name }) && (m.Subject.IsZero() || m.Subject == about(pool)) {
			out = append(out, m.Ref)
		}
	}
	return out
}

// canBeWhy starts the summary of a possible reason for the pool's failure.
func canBeWhy(pool *evidence.CloudPool, condition string) string {
	return named(pool) + " failed with an error that was not read; possible reason" + condition + ": "
}

// named returns the pool as text.
func named(pool *evidence.CloudPool) string {
	if pool.Name == "" {
		return "a pool"
	}
	return "pool " + pool.Name
}
