package triage

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Ending is one way in which the trouble that a message tells of can be over: what failed works since, is not asked for any
// more, or would have been said again.
type Ending struct {
	ID  string // kebab case; the file is named after it
	Doc string // one sentence: what shows that it is over
	// Ends are the mechanisms whose failures it ends, of the catalogue; empty: of any.
	Ends []string
	// Texts are the kinds of text whose messages it ends; empty: of any.
	Texts []string
	// OfNode: it is asked only of what is known to be on a node; Dated: only of what has a time.
	OfNode, Dated bool
	// Reads are the kinds of evidence that it looks at besides the messages.
	Reads []evidence.Kind
	Ended func(*Pass, *Failure) (End, bool)
}

// End is the fact that ended what a message tells of.
type End struct {
	By     string    // in words: "pod shop/web-0 runs since 12:00:03Z"
	At     time.Time // zero: not known
	Ending string    // the id of the ending
}

// Failure is what a message tells of, with what endings and doubts ask of it.
type Failure struct {
	*evidence.Match
	Signature *signatures.Signature // nil: an event that no signature has read
	Says      string                // the cause or symptom; empty: none
	Mechanism string                // what failed, of the catalogue's mechanisms; empty: not known
	Node      string                // on which it was; empty: not known
}

// FailureOf is what a message tells of.
func (p *Pass) FailureOf(m *evidence.Match) *Failure {
	f := &Failure{Match: m, Signature: p.Signatures.Lookup(m.Signature), Node: p.Snapshot.NodeOf(m.Subject)}
	if f.Signature != nil {
		f.Says = f.Signature.Says
		f.Mechanism = p.Catalog.Mechanism(f.Says)
	}
	return f
}

// EndOf returns what ended what a message tells of: the first of the endings that does.
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

// HasEnded reports whether what a message tells of is over.
func (p *Pass) HasEnded(m *evidence.Match) bool {
	_, ended := p.EndOf(m)
	return ended
}

// endOf is the answer of EndOf for one message.
type endOf struct {
	end   End
	ended bool
}

// IsFor reports whether an ending is asked of a failure.
func (e *Ending) IsFor(f *Failure) bool {
	wants := func(list []string, is string) bool { return len(list) == 0 || slices.Contains(list, is) }
	told := (!e.OfNode || f.Node != "") && (!e.Dated || !f.Last.IsZero())
	read := f.Signature != nil || f.Kind == evidence.TextEvent
	return read && told && wants(e.Texts, f.Kind) && wants(e.Ends, f.Mechanism)
}
