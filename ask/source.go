package ask

import (
	"context"
	"errors"
	"time"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/anonymize"
)

// From is the source of an answer. Every question takes it.
type From struct {
	// Source is the evidence: a Cluster, Files, a Recording, or Held, a Snapshot that was read before. It is required.
	Source Source
	// Knowledge has the signatures that match text while it is read, and the catalog that judges the evidence. It is required. A
	// Held Snapshot keeps the matches that it was read with.
	Knowledge *Knowledge
	// At is the time to judge the evidence by. Later evidence is dropped, except by Read and Repair: a repair is about now. Zero
	// means when the evidence was taken.
	At time.Time
	// Progress receives the progress of the reading. Several goroutines may call it at once. It may be nil.
	Progress func(Progress)
	// ShowSecrets keeps passwords, tokens and keys, instead of [redacted-...].
	ShowSecrets bool
	// Texts receives the texts that are read, for a bundle. If nil, they are dropped.
	Texts *bundle.Texts
	// HideNames makes the question replace names of nodes, pods and people by aliases. It receives the aliases before anything
	// is judged. Options contain the real names. If nil, names are not replaced. Only Diagnose, Check, Node, Timeline and Collect
	// can do that; the others return a UsageError.
	HideNames func(*anonymize.Names) error
}

// Source is a source of evidence.
type Source interface {
	// read reads at least what a question needs: a part of a cluster, but files as a whole. What cannot be read becomes a gap in
	// the Snapshot.
	read(ctx context.Context, from *From, n need) (*evidence.Snapshot, error)
}

// need is the part of a source that a question reads. The zero need is the whole cluster, without its cloud.
type need struct {
	nodes   []string         // only objects related to these nodes
	room    []string         // only objects that decide where the pods of these nodes can be scheduled
	subject evidence.Subject // only objects that explain this pod or workload
	cloud   bool             // also the cloud's data about the machines
	upgrade bool             // also what the next upgrade needs
	back    time.Duration    // how far back the cloud's log is read; 0: the default of the cloud's reader
	aliases bool             // the question finds the aliases of the names in its options
}

// maxRoom is the number of nodes up to which only part of a cluster is read. For more nodes, nearly all of it is needed.
const maxRoom = 20

// whole reports whether the whole cluster is needed.
func (n need) whole() bool {
	part := len(n.nodes) > 0 || !n.subject.IsZero() || len(n.room) > 0 && len(n.room) <= maxRoom
	return !part
}

// Held is a Snapshot that was read before. Names cannot be hidden in it.
type Held struct{ Snapshot *evidence.Snapshot }

func (h Held) read(ctx context.Context, from *From, _ need) (*evidence.Snapshot, error) {
	if from.HideNames != nil {
		return nil, &UsageError{errors.New("names can only be hidden while evidence is read, and this evidence has already been read")}
	}
	return h.Snapshot, context.Cause(ctx)
}

// look is the evidence of a question, ready to be judged.
type look struct {
	*From
	snapshot *evidence.Snapshot
	names    *anonymize.Names // nil: names are not replaced
}

// look reads what a question needs, replaces names if From says so, and drops what is later than At.
func (from *From) look(ctx context.Context, n need) (*look, error) {
	if !n.aliases {
		if err := from.namesShown(); err != nil {
			return nil, err
		}
	}
	s, err := from.Source.read(ctx, from, n)
	if err != nil {
		return nil, err
	}
	l := &look{From: from, snapshot: s}
	if from.HideNames != nil {
		if err := l.hide(); err != nil {
			return nil, err
		}
	}
	l.snapshot = l.snapshot.Until(from.At)
	return l, nil
}

// namesShown returns an error if names are to be hidden, for a question that would answer with real names.
func (from *From) namesShown() error {
	if from.HideNames != nil {
		return &UsageError{errors.New("this answer cannot hide names")}
	}
	return nil
}

// now returns the time to judge the evidence by.
func (l *look) now() time.Time {
	if l.At.IsZero() {
		return l.snapshot.TakenAt()
	}
	return l.At
}

// Scope is what Read reads.
type Scope struct {
	Nodes []string // objects related to these nodes; empty means the whole cluster
	Cloud bool     // also the cloud's data about their machines
	// Upgrade: also what the next upgrade needs.
	Upgrade bool
}

// Read reads evidence without judging it. It ignores From.HideNames and From.At.
func Read(ctx context.Context, from From, scope Scope) (*evidence.Snapshot, error) {
	return from.Source.read(ctx, &from, need{nodes: scope.Nodes, cloud: scope.Cloud, upgrade: scope.Upgrade})
}

// builder starts a Snapshot.
func (from *From) builder(source evidence.Source) *collect.Builder {
	b := collect.NewBuilder(source, from.Knowledge.Signatures)
	if from.ShowSecrets {
		b.Redact(nil)
	}
	b.KeepTexts(from.Texts)
	return b
}
