package triage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Trace explains how a report was made: the result for every matched message, and the reason for the position of every cause and
// symptom. It helps to find the reason for a wrong answer.
type Trace struct {
	Messages   []TracedMessage   `json:"messages"`
	Unread     []TracedLine      `json:"unread"`     // the gravest lines that no signature matched
	Statements []TracedStatement `json:"statements"` // findings first, in the order of the report
	// Of is the cause or symptom that the trace is limited to; empty: all.
	Of string `json:"of,omitempty"`
	// Before are the findings that rank before it, with their order.
	Before []string `json:"before,omitempty"`
}

// Only returns the trace of one cause or symptom: its statements, the findings before it, and its messages.
func (t *Trace) Only(id string) *Trace {
	out := &Trace{Messages: []TracedMessage{}, Unread: []TracedLine{}, Statements: []TracedStatement{}, Of: id}
	for i, st := range t.Statements {
		switch {
		case st.ID == id:
			out.Statements = append(out.Statements, st)
		case len(out.Statements) == 0 && st.Place == InFindings && (i == 0 || t.Statements[i-1].ID != st.ID):
			out.Before = append(out.Before, fmt.Sprintf("%s (%s): order %.3f", st.ID, st.Subject, st.Order))
		}
	}
	for _, m := range t.Messages {
		if m.Says == id {
			out.Messages = append(out.Messages, m)
		}
	}
	return out
}

// Fate is the result for a matched message.
type Fate string

// The fates of a message.
const (
	Claimed Fate = "claimed" // it supports the cause or symptom of its signature
	Past    Fate = "ended"   // it was true and is resolved
	Dropped Fate = "dropped" // it proves nothing here
)

// TracedMessage is a message that a signature matched.
type TracedMessage struct {
	Signature string           `json:"signature"`
	Certainty string           `json:"certainty,omitempty"` // of the signature; empty: the signature is of a symptom
	Took      string           `json:"took,omitempty"`      // the words that the signature matched
	Says      string           `json:"says"`
	Source    string           `json:"source"`
	Locator   string           `json:"locator"`
	Text      string           `json:"text"`
	Class     string           `json:"class"` // log, event, condition, status, command or cloud; empty: unknown
	Speaker   logline.Speaker  `json:"speaker"`
	Owner     evidence.Subject `json:"owner"`
	Mechanism string           `json:"mechanism"` // what failed, one of the catalog's mechanisms; empty: unknown
	Count     int              `json:"count"`
	Fate      Fate             `json:"fate"`
	Because   string           `json:"because"`              // why it was dropped, what resolved it, or which doubts hold
	Claimed   Certainty        `json:"confidence,omitempty"` // of a claim

	line int // in its source; 0: none
}

// TracedLine is a line with an error that no signature matched.
type TracedLine struct {
	Source  string          `json:"source"`
	Locator string          `json:"locator"`
	Text    string          `json:"text"`
	Speaker logline.Speaker `json:"speaker"`
	Gravity string          `json:"gravity"`
	Count   int             `json:"count"`
}

// unread records the gravest lines that no signature matched, those at the end of a text first.
func (t *Trace) unread(in Input) {
	lines := slices.Clone(in.Snapshot.Lines())
	slices.SortStableFunc(lines, func(a, b *evidence.Line) int {
		return cmp.Or(cmp.Compare(b.Gravity, a.Gravity), cmp.Compare(a.After, b.After))
	})
	for _, l := range lines {
		if len(in.Signatures.Match(l.Ref.Text, "")) == 0 {
			t.Unread = append(t.Unread, TracedLine{Source: l.Ref.Source, Locator: l.Ref.Locator, Text: l.Ref.Text, Speaker: l.Speaker, Gravity: l.Gravity.String(), Count: l.Count})
		}
	}
}

// Place is the position of a statement in the report.
type Place string

// The places of a statement.
const (
	InFindings Place = "finding"
	InSymptoms Place = "symptom"
	LeftOut    Place = "left out"
)

// TracedStatement is a cause or a symptom on one subject.
type TracedStatement struct {
	ID      string           `json:"id"`
	Subject evidence.Subject `json:"subject"`
	Place   Place            `json:"place"`
	Because string           `json:"because"`
	Claims  []TracedClaim    `json:"claims"`
	// Score is the combined weight of the claims. Rank raises it at least to that of what the statement explains. Order also counts
	// severity and symptoms, and decides the position.
	Score float64 `json:"score"`
	Rank  float64 `json:"rank"`
	Order float64 `json:"order"`
	// FollowsFrom is the statement that explains this one.
	FollowsFrom string `json:"followsFrom,omitempty"`
	// NotExplained are statements that the catalog says this one may explain, each with the reason why it does not here.
	NotExplained []string `json:"notExplained,omitempty"`
}

// TracedClaim is one rule's claim.
type TracedClaim struct {
	Rule      string    `json:"rule"`
	Key       string    `json:"key,omitempty"` // the signature, if a message claims it
	Certainty Certainty `json:"confidence"`
	Source    string    `json:"source,omitempty"`
	Locator   string    `json:"locator,omitempty"`
	Weight    float64   `json:"weight,omitempty"` // what it would add to the score alone, reduced by each doubt
	Doubts    int       `json:"doubts,omitempty"`
}

// message records the result for a matched message.
func (t *Trace) message(m *evidence.Match, sig *signatures.Signature, mechanism string, fate Fate, because string, certainty Certainty) {
	t.Messages = append(t.Messages, TracedMessage{
		Signature: m.Signature, Certainty: string(sig.Certainty), Took: sig.Hit(m.Ref.Text), Says: sig.Says, Mechanism: mechanism, Source: m.Ref.Source, Locator: m.Ref.Locator, Text: m.Ref.Text, Class: m.Kind,
		Speaker: m.Speaker, Owner: m.Subject, Count: m.Count, Fate: fate, Because: because, Claimed: certainty, line: m.Line,
	})
}

// statements records the final graph.
func (t *Trace) statements(g *graph, r *Report) {
	for _, st := range g.statements {
		t.Statements = append(t.Statements, g.traced(st))
	}
	for _, d := range g.dropped {
		out := g.traced(d.statement)
		out.Place, out.Because = LeftOut, d.because
		t.Statements = append(t.Statements, out)
	}
	position := map[string]int{}
	for i, f := range r.Findings {
		position[f.Cause] = i - len(r.Findings) // before everything that is not a finding
	}
	slices.SortStableFunc(t.Statements, func(a, b TracedStatement) int {
		return cmp.Or(cmp.Compare(position[a.ID], position[b.ID]), cmp.Compare(b.Order, a.Order), cmp.Compare(a.ID, b.ID), compareSubjects(a.Subject, b.Subject))
	})
	slices.SortStableFunc(t.Messages, func(a, b TracedMessage) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.line, b.line), cmp.Compare(a.Signature, b.Signature))
	})
}

func (g *graph) traced(st *statement) TracedStatement {
	out := TracedStatement{
		ID: st.id, Subject: st.subject, Claims: []TracedClaim{}, Score: fine(st.score), Rank: fine(st.rank), NotExplained: g.refused[st],
	}
	for _, c := range st.claims {
		claim := TracedClaim{Rule: c.rule, Key: c.Key, Certainty: c.Certainty, Weight: fine(c.weight()), Doubts: c.Doubts}
		if len(c.Evidence) > 0 {
			claim.Source, claim.Locator = c.Evidence[0].Source, c.Evidence[0].Locator
		}
		out.Claims = append(out.Claims, claim)
	}
	if st.by != nil {
		out.FollowsFrom = st.by.name()
	}
	out.Place, out.Because = g.whereabouts(st)
	if st.cause != nil {
		out.Order = fine(st.order())
	}
	return out
}

// whereabouts returns the position of a statement in the report, and why.
func (g *graph) whereabouts(st *statement) (Place, string) {
	switch {
	case st.out:
		return LeftOut, "an exception or the filter excludes it"
	case !g.in.inScope(st.place):
		return LeftOut, "it concerns none of the requested nodes"
	case st.cause == nil:
		return InSymptoms, "the catalog lists it as a symptom, so it is never the answer"
	}
	return InFindings, g.ordering(st)
}

// ordering describes how the order of a cause is computed.
func (g *graph) ordering(st *statement) string {
	out := fmt.Sprintf("score %.3f from %s on %s", st.score, counted(len(st.claims), "claim"), counted(st.texts(), "text"))
	if st.rank > st.score {
		out += fmt.Sprintf(", raised to %.3f to rank before what it explains or precedes", st.rank)
	}
	out += fmt.Sprintf(", times %.2f for severity %s", severityFactor[severity(st)], severity(st))
	for _, b := range st.bonuses() {
		out += fmt.Sprintf(", plus %.2f: %s", b.adds, b.why)
	}
	if symptoms := st.explained(); len(symptoms) > 0 {
		out += "; explains " + strings.Join(symptoms, ", ")
	}
	if st.by != nil {
		out += "; ranks after " + st.by.name() + ", which causes it according to the catalog" + g.byWay(st.by.id, st.id) + surer(st.by, st)
	}
	if st.outrankedBy != nil {
		out += "; ranks after " + st.outrankedBy.name() + ", which a rule prefers if both are found" + surer(st.outrankedBy, st)
	}
	return out
}

// byWay returns the causes between a cause and its effect, and which of them were not found. It returns "" if there are none.
func (g *graph) byWay(cause, effect string) string {
	way := g.in.Catalog.Way(cause, effect)
	if len(way) == 0 {
		return ""
	}
	for i, id := range way {
		if len(g.byID[id]) == 0 {
			way[i] += " (not found here)"
		}
	}
	return " through " + strings.Join(way, ", then ")
}

// surer describes whether the root ranks first because of its certainty.
func surer(root, st *statement) string {
	if root.score > st.score {
		return " and is more certain"
	}
	return " (not more certain; only the relation decides)"
}

// texts returns the number of different texts behind the claims. Several signatures may find one cause in one text.
func (st *statement) texts() int {
	seen := map[evidence.Ref]bool{}
	for _, c := range st.claims {
		if len(c.Evidence) > 0 {
			seen[c.Evidence[0].Place()] = true
		}
	}
	return len(seen)
}

// explained returns the symptoms that the statement explains, each once.
func (st *statement) explained() []string {
	var out []string
	for _, e := range st.effects {
		if e.cause == nil && !slices.Contains(out, e.id) {
			out = append(out, e.id)
		}
	}
	return out
}

func (st *statement) name() string { return st.id + " (" + st.subject.String() + ")" }

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// unstated is a statement that did not reach the graph.
type unstated struct {
	*statement
	because string
}

// drop records a statement that is left out of the graph.
func (g *graph) drop(st *statement, because string) {
	if g.in.Trace != nil {
		g.dropped = append(g.dropped, unstated{st, because})
	}
}

// refuse records why a root does not explain an effect that the catalog says it may.
func (g *graph) refuse(root, st *statement, because string) {
	if g.in.Trace != nil && (related(root.place, st.place) || sharesVolume(root, st)) {
		g.refused[root] = append(g.refused[root], st.name()+": "+because)
	}
}
