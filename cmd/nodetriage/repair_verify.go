package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/execute"
	"github.com/nodetriage/nodetriage/plan"
	"github.com/nodetriage/nodetriage/rules"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/verify"
)

// mostVerified is how many nodes of a pool are verified one by one; the rules judge all of them.
const mostVerified = 10

// proven looks whether what must hold at the end of a change holds: in the cloud, and by verify on the nodes that it changed.
func (r *repairing) proven(ctx context.Context, before *triage.Report, p *execute.Pending) (proof execute.Proof, err error) {
	subject := r.f.subject()
	one := subject.Kind == "Node" && r.f.action != cloud.DeleteMachine
	l := &looked{at: time.Now()}
	if one {
		l.s, err = r.src.live(ctx, []string{subject.Name}, r.k)
	} else {
		l.s, err = r.src.all(r.cmd, r.k)
	}
	if err != nil {
		return proof, err
	}
	l.report = r.k.judge(l.s, time.Time{})
	if subject.Kind != "Node" || l.s.Node(subject.Name) != nil {
		verb := r.f.action
		if verb == cloud.AddPool { // it is there now
			verb = cloud.ScalePool
		}
		l.standing, err = r.inspect(ctx, l.s, verb)
		if err != nil && !(r.f.action == cloud.DeletePool && errors.Is(err, cloud.ErrMissing)) {
			return proof, err
		}
	}
	proof.Missing = plan.Missing(r.f.action, subject, r.f.count, plan.Proof{Before: before, After: l.report, Since: p.Begun, Snapshot: l.s, Standing: l.standing})
	if len(proof.Missing) > 0 {
		return proof, nil
	}
	switch r.f.action {
	case cloud.Abort, cloud.DeleteMachine, cloud.DeletePool: // no node is to be better for it
		return proof, nil
	}
	nodes := []string{subject.Name}
	if !one {
		if nodes = changed(l.s, r.f.action, subject, before, p.Begun); len(nodes) == 0 {
			return proof, nil
		}
		if l.s, err = r.src.live(ctx, nodes, r.k); err != nil {
			return proof, err
		}
	}
	for _, n := range nodes {
		proof.Nodes = append(proof.Nodes, verify.Judge(verify.Input{
			Catalog: r.k.catalog, Signatures: r.k.signatures, Rules: rules.All(), Snapshot: l.s, Node: n, Since: p.Done,
		}))
	}
	return proof, nil
}

// changed are the nodes of a pool, or of the cluster, that a change made or was to help: those that came since it began, and
// those about which something was found before; all, where all get another image.
func changed(s *evidence.Snapshot, action cloud.Verb, of evidence.Subject, before *triage.Report, since time.Time) []string {
	var out []string
	for _, n := range s.Data().Nodes {
		if _, pool := n.PoolLabel(); of.Kind == "Pool" && pool != of.Name {
			continue
		}
		found := before != nil && slices.ContainsFunc(before.Findings, func(f triage.Finding) bool {
			return f.Subject == n.Subject() || slices.Contains(f.Subjects, n.Subject())
		})
		if found || action == cloud.UpgradeImage || n.CreationTimestamp.After(since) {
			out = append(out, n.Name)
		}
	}
	return out[:min(len(out), mostVerified)]
}
