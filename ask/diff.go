package ask

import (
	"context"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/answers/diff"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// DiffOptions are the options of Diff.
type DiffOptions struct {
	// Before is the earlier side.
	Before Side
	// After is the later side. The zero Side means the source of From.
	After Side
	// Nodes are the nodes to compare; empty means all.
	Nodes []string
}

// Side is one side of a comparison: evidence to judge, or an existing report.
type Side struct {
	Source Source
	Report *triage.Report // replaces Source; only causes are compared
}

// Diff shows what changed between two times.
func Diff(ctx context.Context, from From, opt DiffOptions) (*diff.Diff, error) {
	before, err := opt.look(ctx, from, opt.Before)
	if err != nil {
		return nil, err
	}
	after, err := opt.look(ctx, from, opt.After)
	if err != nil {
		return nil, err
	}
	if a, b := before.Report.TakenAt, after.Report.TakenAt; a != nil && b != nil && b.Before(*a) {
		return nil, hintf("pass the older one first", "the snapshots are in the wrong order: %s is from %s, and %s from %s", report.Clean(before.Report.Source), a.UTC().Format(time.RFC3339), report.Clean(after.Report.Source), b.UTC().Format(time.RFC3339))
	}
	return diff.Compare(before, after, rules.All().Rules, opt.Nodes), nil
}

// look reads and judges one side. A live cluster is judged as of now. Of saved evidence, only the nodes in it are judged.
func (opt *DiffOptions) look(ctx context.Context, from From, side Side) (diff.Side, error) {
	if side.Report != nil {
		return diff.Side{Report: side.Report}, nil
	}
	if side.Source != nil {
		from.Source = side.Source
	}
	_, live := from.Source.(Cluster)
	var scope Scope
	if live {
		scope.Nodes = opt.Nodes
	}
	if err := from.namesShown(); err != nil {
		return diff.Side{}, err
	}
	s, err := Read(ctx, from, scope)
	if err != nil {
		return diff.Side{}, err
	}
	if live {
		return diff.Side{Report: from.Knowledge.Judge(s, s.TakenAt(), opt.Nodes...), Snapshot: s}, nil
	}
	s = s.Until(from.At)
	there := slices.DeleteFunc(slices.Clone(opt.Nodes), func(name string) bool { return s.Node(name) == nil })
	return diff.Side{Report: from.Knowledge.Judge(s, from.At, there...), Snapshot: s}, nil
}
