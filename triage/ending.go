package triage

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Ending is a check whether the problem in a message is resolved: what failed works again, is no longer needed, or would have
// been reported again.
type Ending struct {
	ID  string // kebab case; the file is named after it
	Doc string // one sentence: what shows that it is resolved
	// Ends are the catalog's mechanisms whose failures it resolves; empty: all.
	Ends []string
	// Texts are the kinds of text whose messages it resolves; empty: all.
	Texts []string
	// OfNode: it applies only to messages with a known node. Dated: only to messages with a time.
	OfNode, Dated bool
	// Reads are the kinds of evidence that it reads in addition to messages.
	Reads []evidence.Kind
	Ended func(*Pass, *Failure) (End, bool)
}

// End is the fact that resolved the problem in a message.
type End struct {
	By     string    // as text: "pod shop/web-0 runs since 12:00:03Z"
	At     time.Time // zero: unknown
	Ending string    // the id of the ending
}

// Failure is the problem that a message reports, with the fields that endings and doubts need.
type Failure struct {
	*evidence.Match
	Signature *signatures.Signature // nil: an event without a signature
	Says      string                // the cause or symptom; empty: none
	Mechanism string                // what failed, one of the catalog's mechanisms; empty: unknown
	Node      string                // the node of the problem; empty: unknown
}

// FailureOf returns the problem that a message reports.
func (p *Pass) FailureOf(m *evidence.Match) *Failure {
	f := &Failure{Match: m, Signature: p.Signatures.Lookup(m.Signature), Node: p.Snapshot.NodeOf(m.Subject)}
	if f.Signature != nil {
		f.Says = f.Signature.Says
		f.Mechanism = p.Catalog.Mechanism(f.Says)
	}
	return f
}

// EndOf returns the first ending that resolves the problem in a message.
//
// What is over is decided in three more places. A line without a signature has no catalog entry, so facts.EndedLater asks only for
// a later success. An effect is over with its cause (followed). The state of an object is asked by its rule (facts.Lasting).
func (p *Pass) EndOf(m *evidence.Match) (End, bool) {
	if found, known := p.ends[m]; known {
		return found.end, found.ended
	}
	f := p.FailureOf(m)
	var found endOf
	for _, e := range p.Rulebook.Endings {
		if !e.IsFor(f) {
			continue
		}
		if found.end, found.ended = e.Ended(p, f); found.ended {
			found.end.Ending = e.ID
			break
		}
	}
	p.ends[m] = found
	return found.end, found.ended
}

// HasEnded reports whether the problem in a message is resolved.
func (p *Pass) HasEnded(m *evidence.Match) bool {
	_, ended := p.EndOf(m)
	return ended
}

// endOf is the result of EndOf for one message.
type endOf struct {
	end   End
	ended bool
}

// IsFor reports whether the ending applies to a failure.
func (e *Ending) IsFor(f *Failure) bool {
	wants := func(list []string, is string) bool { return len(list) == 0 || slices.Contains(list, is) }
	told := (!e.OfNode || f.Node != "") && (!e.Dated || !f.Last.IsZero())
	read := f.Signature != nil || f.Kind == evidence.TextEvent
	return read && told && wants(e.Texts, f.Kind) && wants(e.Ends, f.Mechanism)
}
