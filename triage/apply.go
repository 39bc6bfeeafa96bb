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
	// Now is the time to judge by; zero means when the evidence was taken.
	Now time.Time
	// Nodes are those asked about: what concerns only others is left out. Empty: all.
	Nodes []string
	// Except returns the exception for a cause on a subject, or nil; nil: there are none.
	Except func(cause string, on evidence.Subject) *Exception
	// Filter chooses what counts; nil: all does.
	Filter *Filter
	// Trace is filled with how the report came about; nil: nothing is kept.
	Trace *Trace
	// Knowledge is where the catalogue and the signatures came from.
	Knowledge []catalog.Origin

	// What rules have found out together.
	ends   map[*evidence.Match]endOf
	doubts map[*evidence.Match][]*Doubt
}

// Outcome is what one rule made of the evidence.
type Outcome struct {
	Rule *Rule
	// Missing are the needs of the rule of which the evidence has nothing: it was not asked.
	Missing  []evidence.Kind
	Claims   []Claim
	RuledOut []RuledOut
	Unknown  []NotChecked
	Pairs    []Pair
	Over     []Ended
}

// Ended is a claim that was true.
type Ended struct {
	Claim Claim
	By    string    // the fact that ended it, in words
	At    time.Time // zero: not known
}

// Pair is two causes that one thing names: the first is the answer.
type Pair struct {
	First, Then string
	Follows     bool // the second comes of the first; else it is there too
}

// Apply asks one rule, if the evidence has what it needs.
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

// missing are the needs of which the evidence has nothing.
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
