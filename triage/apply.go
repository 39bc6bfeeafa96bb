package triage

import (
	"slices"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Input is everything that a report depends on.
type Input struct {
	Snapshot   *evidence.Snapshot
	Catalog    *catalog.Catalog
	Signatures *signatures.Set
	Rulebook   Rulebook
	// Now is the time of judgment; zero: when the evidence was taken.
	Now time.Time
	// Nodes are the selected nodes: findings on other objects are left out. Empty: all.
	Nodes []string
	// Except returns the exception for a cause on a subject, or nil. A nil function means no exceptions.
	Except func(cause string, on evidence.Subject) *Exception
	// Filter selects what is shown and counted; nil: everything.
	Filter *Filter
	// Trace is filled with how the report was made; nil: no trace.
	Trace *Trace
	// Knowledge is where the catalog and the signatures come from.
	Knowledge []catalog.Origin

	// Caches that the rules share.
	ends   map[*evidence.Match]endOf
	doubts map[*evidence.Match][]*Doubt
}

// Outcome is the result of one rule.
type Outcome struct {
	Rule *Rule
	// Missing are the needs of the rule that the evidence does not cover. The rule does not run then.
	Missing  []evidence.Kind
	Claims   []Claim
	RuledOut []RuledOut
	Unknown  []NotChecked
	Pairs    []Pair
	Over     []Ended
}

// Ended is a claim that was true and is resolved.
type Ended struct {
	Claim Claim
	By    string    // the fact that resolved it, as text
	At    time.Time // zero: unknown
}

// Pair is two causes that the same message or object points to. First is ranked before Then.
type Pair struct {
	First, Then string
	Follows     bool // Then is an effect of First; otherwise both exist independently
}

// Apply runs one rule, if the evidence has what it needs.
func Apply(in Input, r *Rule) Outcome {
	if in.Now.IsZero() {
		in.Now = in.Snapshot.TakenAt()
	}
	if in.ends == nil {
		in.ends, in.doubts = map[*evidence.Match]endOf{}, map[*evidence.Match][]*Doubt{}
	}
	out := Outcome{Rule: r}
	out.Missing = r.missing(in.Snapshot)
	if len(out.Missing) == 0 {
		r.Check(&Pass{
			Snapshot: in.Snapshot, Catalog: in.Catalog, Signatures: in.Signatures, Now: in.Now, Rulebook: in.Rulebook, out: &out, trace: in.Trace, ends: in.ends, doubts: in.doubts,
			cloud: sync.OnceValue(func() *catalog.Provider { return saidCloud(in.Snapshot) }),
		})
	}
	return out
}

// missing returns the needs that the evidence does not cover.
func (r *Rule) missing(s *evidence.Snapshot) []evidence.Kind {
	var out []evidence.Kind
	for _, k := range r.Needs {
		if s.Covers(k) == evidence.NotRead {
			out = append(out, k)
		}
	}
	if !slices.ContainsFunc(r.NeedsOne, func(k evidence.Kind) bool { return s.Covers(k) != evidence.NotRead }) {
		out = append(out, r.NeedsOne...)
	}
	return out
}
