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

// From is where an answer comes from. Every question takes it.
type From struct {
	// Source has the evidence: a Cluster, Files, a Recording, or Held, a Snapshot that was read before. It is required.
	Source Source
	// Knowledge is what the evidence is judged by. It is required.
	Knowledge *Knowledge
	// At is the time as of which the evidence is judged, without what came later; zero: when it was taken.
	At time.Time
	// Progress is told how far the reading is. It may be called by several goroutines at once. nil: nobody is told.
	Progress func(Progress)
	// ShowSecrets leaves passwords, tokens and keys as they are, instead of [redacted-...].
	ShowSecrets bool
	// Texts keeps the texts that are read, for a bundle; nil: they are not kept.
	Texts *bundle.Texts
	// HideNames replaces the names of nodes, pods and people by stand-ins, and is handed them before anything is judged. Options
	// have the real names. nil: names stay.
	HideNames func(*anonymize.Names) error
}

// Source is where evidence is read.
type Source interface {
	// read reads what a question needs. What cannot be read becomes a gap of the Snapshot.
	read(ctx context.Context, from *From, n need) (*evidence.Snapshot, error)
}

// need is how much of a source a question reads. The zero need is the whole cluster, without its cloud.
type need struct {
	nodes   []string         // only what concerns these nodes
	room    []string         // only what decides where the pods of these nodes can go
	subject evidence.Subject // only what decides how this pod or workload is
	cloud   bool             // and what the cloud knows of the machines
	upgrade bool             // and what the next upgrade needs
	back    time.Duration    // the cloud's log is read as far back as this; 0: as far as the cloud's reader does by itself
}

// maxRoom is for how many nodes only part of a cluster is read: for the pods of more, nearly all of it matters.
const maxRoom = 20

// whole reports whether all of a cluster is needed.
func (n need) whole() bool {
	part := len(n.nodes) > 0 || !n.subject.IsZero() || len(n.room) > 0 && len(n.room) <= maxRoom
	return !part
}

// Held is a Snapshot that was read before. Names cannot be hidden in it.
type Held struct{ Snapshot *evidence.Snapshot }

func (h Held) read(ctx context.Context, from *From, _ need) (*evidence.Snapshot, error) {
	if from.HideNames != nil {
		return nil, &UsageError{errors.New("hide names: this evidence was read before; names are hidden while it is read")}
	}
	return h.Snapshot, context.Cause(ctx)
}

// look is the evidence of a question, read and made ready.
type look struct {
	*From
	snapshot *evidence.Snapshot
	names    *anonymize.Names // nil: names stay
}

// look reads what a question needs, hides names if that is wanted, and leaves out what is later than At.
func (from *From) look(ctx context.Context, n need) (*look, error) {
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

// now is the time as of which the evidence is judged.
func (l *look) now() time.Time {
	if l.At.IsZero() {
		return l.snapshot.TakenAt()
	}
	return l.At
}

// Scope is what Read reads.
type Scope struct {
	Nodes []string // what concerns these nodes; none: the whole cluster
	Cloud bool     // and what the cloud knows of their machines
}

// Read reads evidence and judges nothing. It neither hides names nor looks at From.At.
func Read(ctx context.Context, from From, scope Scope) (*evidence.Snapshot, error) {
	return from.Source.read(ctx, &from, need{nodes: scope.Nodes, cloud: scope.Cloud})
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
