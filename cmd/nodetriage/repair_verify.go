package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/execute"
	"github.com/nodetriage/nodetriage/repair"
	"github.com/nodetriage/nodetriage/rules"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/verify"
)

// mostVerified is how many nodes of a pool or cluster are looked at with their kubelets, logs and pods; the others are looked
// at by what the API and the cloud tell.
const mostVerified = 10

// proven looks whether what must hold at the end of a change holds: in the cloud, and by verify on the nodes.
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
	proof.Missing = repair.Missing(r.f.action, subject, r.f.count, repair.Proof{Before: before, After: l.report, Since: p.Begun, Snapshot: l.s, Standing: l.standing})
	if len(proof.Missing) > 0 {
		return proof, nil
	}
	switch r.f.action {
	case cloud.Abort, cloud.DeleteMachine, cloud.DeletePool: // no node is to be better for it
		return proof, nil
	}
	in := verify.Input{Catalog: r.k.catalog, Signatures: r.k.signatures, Rules: rules.All(), Snapshot: l.s, Since: p.Done}
	if one {
		in.Node = subject.Name
		proof.Nodes = []*verify.Verification{verify.Judge(in)}
		return proof, nil
	}
	if l.s.Covers(evidence.Nodes) != evidence.Complete {
		proof.Unseen = "not all nodes could be read: there may be more"
	}
	closely, others := r.concerned(l.s, before, p.Begun)
	proof.Others = verify.Survey(in, others)
	if len(closely) == 0 {
		return proof, nil
	}
	if in.Snapshot, err = r.near(ctx, l.s, closely); err != nil {
		return proof, err
	}
	for _, in.Node = range closely {
		proof.Nodes = append(proof.Nodes, verify.Judge(in))
	}
	return proof, nil
}

// near reads what concerns some nodes alone: their kubelets, logs and pods. What the cloud tells was read with all.
func (r *repairing) near(ctx context.Context, all *evidence.Snapshot, nodes []string) (*evidence.Snapshot, error) {
	src := *r.src
	src.cloud.wanted = false
	s, err := src.live(ctx, nodes, r.k)
	if err != nil {
		return nil, err
	}
	d := *s.Data()
	d.CloudResources, d.CloudActivities = all.Data().CloudResources, all.Data().CloudActivities
	return evidence.New(d), nil
}

// concerned are the nodes of the pool or cluster that is changed. Those that the change made or was to help come first, and
// are looked at closely, up to a bound: those about which something was found before, and those that came since it began;
// all, where all get another image.
func (r *repairing) concerned(s *evidence.Snapshot, before *triage.Report, since time.Time) (closely, others []string) {
	subject := r.f.subject()
	for _, n := range s.Data().Nodes {
		if _, pool := n.PoolLabel(); subject.Kind == "Pool" && pool != subject.Name {
			continue
		}
		found := before != nil && slices.ContainsFunc(before.Findings, func(f triage.Finding) bool {
			return f.Subject == n.Subject() || slices.Contains(f.Subjects, n.Subject())
		})
		if len(closely) < mostVerified && (found || r.f.action == cloud.UpgradeImage || n.CreationTimestamp.After(since)) {
			closely = append(closely, n.Name)
		} else {
			others = append(others, n.Name)
		}
	}
	return closely, others
}
