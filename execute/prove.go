package execute

import (
	"context"
	"errors"

	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Observer reads the evidence for a proof. It changes nothing.
type Observer interface {
	// Cluster reads the cluster and its cloud.
	Cluster(ctx context.Context) (*evidence.Snapshot, error)
	// Node reads the evidence of one node, and its cloud.
	Node(ctx context.Context, name string) (*evidence.Snapshot, error)
	// Closely reads the kubelets, logs and pods of some nodes. It does not query the cloud.
	Closely(ctx context.Context, nodes []string) (*evidence.Snapshot, error)
	// Inspect returns the state of the changed resource in the cloud, or nil without cloud credentials.
	Inspect(ctx context.Context, s *evidence.Snapshot, verb cloud.Verb) (*cloud.Standing, error)
}

// Prover checks whether a completed cloud operation had the required effect.
type Prover struct {
	Observer Observer
	Action   cloud.Verb
	Subject  evidence.Subject
	Count    int            // machines, for AddPool and ScalePool
	Before   *triage.Report // from the evidence before the change; nil: unknown
	// Judge has the rules, catalog and signatures that judge nodes.
	Judge verify.Input
}

// Prove checks once: the cloud, and the nodes with verify.
func (p *Prover) Prove(ctx context.Context, change *Pending) (proof Proof, err error) {
	one := p.Subject.Kind == "Node" && p.Action != cloud.DeleteMachine
	var s *evidence.Snapshot
	if one {
		s, err = p.Observer.Node(ctx, p.Subject.Name)
	} else {
		s, err = p.Observer.Cluster(ctx)
	}
	if err != nil {
		return proof, err
	}
	standing, err := p.inspect(ctx, s)
	if err != nil {
		return proof, err
	}
	after := triage.Run(triage.Input{Snapshot: s, Catalog: p.Judge.Catalog, Signatures: p.Judge.Signatures, Rulebook: p.Judge.Rulebook})
	proof.Missing = repair.Missing(p.Action, p.Subject, p.Count, repair.Proof{Before: p.Before, After: after, Since: change.Begun, Snapshot: s, Standing: standing})
	if len(proof.Missing) > 0 {
		return proof, nil
	}
	switch p.Action {
	case cloud.Abort, cloud.DeleteMachine, cloud.DeletePool: // these operations improve no node
		return proof, nil
	}
	in := p.Judge
	in.Snapshot, in.Since = s, change.Done
	if one {
		in.Node = p.Subject.Name
		proof.Nodes = []*verify.Verification{verify.Judge(in)}
		return proof, nil
	}
	if s.Covers(evidence.Nodes) != evidence.Complete {
		proof.Unseen = "not all nodes could be read: there may be more"
	}
	closely, others := repair.Concerned(s, p.Action, p.Subject, p.Before, change.Begun)
	proof.Others = verify.Survey(in, others)
	if len(closely) == 0 {
		return proof, nil
	}
	if in.Snapshot, err = p.closely(ctx, s, closely); err != nil {
		return proof, err
	}
	for _, in.Node = range closely {
		proof.Nodes = append(proof.Nodes, verify.Judge(in))
	}
	return proof, nil
}

// inspect returns the changed resource in the cloud. nil means that it is deleted, as intended.
func (p *Prover) inspect(ctx context.Context, s *evidence.Snapshot) (*cloud.Standing, error) {
	if p.Subject.Kind == "Node" && s.Node(p.Subject.Name) == nil {
		return nil, nil
	}
	verb := p.Action
	if verb == cloud.AddPool { // the resource now exists
		verb = cloud.ScalePool
	}
	standing, err := p.Observer.Inspect(ctx, s, verb)
	if p.Action == cloud.DeletePool && errors.Is(err, cloud.ErrMissing) {
		return nil, nil
	}
	return standing, err
}

// closely reads some nodes closely and adds the cloud data of the full snapshot.
func (p *Prover) closely(ctx context.Context, all *evidence.Snapshot, nodes []string) (*evidence.Snapshot, error) {
	s, err := p.Observer.Closely(ctx, nodes)
	if err != nil {
		return nil, err
	}
	d := *s.Data()
	d.CloudResources, d.CloudActivities = all.Data().CloudResources, all.Data().CloudActivities
	return evidence.New(d), nil
}
