package triage

import (
	"math"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Rule turns facts of a Snapshot into claims. It sees only its Pass, so that it is pure.
type Rule struct {
	ID  string // kebab case; the file is named after it
	Doc string // one or two sentences: what it reads and what it concludes
	// Scope is how much evidence the rule needs. With OfNode, the evidence of one node gives the same result for that node as the
	// whole cluster. The default is OfCluster.
	Scope Scope
	// Needs are the kinds of evidence that the rule requires, NeedsOne the kinds that can replace each other: any one is sufficient. Check
	// runs if all of the first and one of the second were read at least in part. A kind that was refused or cut off lets the rule
	// exclude nothing, because what it does not see may exist, and keeps the verdict from HEALTHY.
	Needs, NeedsOne []evidence.Kind
	// Reads are the kinds that the rule also reads if they are there. Without them it may still exclude a cause, so its absence there
	// must not be a reason. Endings, doubts and facts declare their own kinds.
	Reads []evidence.Kind
	Check func(*Pass)
	// JudgesInstead reports whether the evidence has the data that this rule judges. If so, messages whose signature or cause names this
	// rule in judgedBy are ignored. nil: the rule judges no messages.
	JudgesInstead func(*Pass, *evidence.Match) bool
}

// Scope is how much of the evidence a rule needs to judge a node.
type Scope string

// The scopes of rules.
const (
	OfCluster Scope = ""     // all of it: the rule compares nodes, or judges what they share
	OfNode    Scope = "node" // the node, its pods, what they use, and messages about them (evidence.Snapshot.OfNode)
)

// Certainty of a finding.
type Certainty string

// From the surest to the weakest.
const (
	Certain  Certainty = "certain"
	Likely   Certainty = "likely"
	Possible Certainty = "possible"
)

// Weight returns the weight of one claim of this certainty.
func (c Certainty) Weight() float64 {
	switch c {
	case Certain:
		return 0.95
	case Likely:
		return 0.75
	case Possible:
		return 0.4
	}
	return 0
}

// perDoubt multiplies the weight of a possible claim once for each doubt.
const perDoubt = 0.8

// weight returns the weight of a claim, with its doubts.
func (c *Claim) weight() float64 {
	w := c.Certainty.Weight()
	if c.Certainty != Possible {
		return w
	}
	return w * math.Pow(perDoubt, float64(c.Doubts))
}

// Claim is a rule's conclusion that a cause or symptom holds for a subject.
type Claim struct {
	// Says is the id of a cause or a symptom.
	Says      string
	Subject   evidence.Subject
	Certainty Certainty // of a cause; symptoms have none
	Summary   string    // one line with the numbers; empty: the title of the cause
	Evidence  []evidence.Ref
	// Fill replaces {names} in the remedies' commands.
	Fill map[string]string
	// Since is when it began; zero: unknown.
	Since time.Time
	// LastSeen is when it was last observed; zero: a state that holds at the time of the evidence, or unknown.
	LastSeen time.Time
	// Key distinguishes claims of one rule that rest on independent evidence. Claims with the same key count once.
	Key string
	// Severity overrides the catalog's severity, if the cause is milder or worse here.
	Severity catalog.Severity
	// Doubts is the number of doubts about the message. Each lowers the weight of a claim that is only possible.
	Doubts int
	// Fatal: the message reports the end of its program.
	Fatal bool
	// Shared: a change common to nodes that failed together. It explains what else is found on each of them.
	Shared bool

	rule string
}

// Pass is all that a rule can read, and where it reports its results.
type Pass struct {
	Snapshot   *evidence.Snapshot
	Catalog    *catalog.Catalog
	Signatures *signatures.Set
	Now        time.Time // the time of judgment; zero: unknown
	Rulebook   Rulebook  // all that judges the evidence

	out   *Outcome
	trace *Trace
	cloud func() *catalog.Provider
	ends  map[*evidence.Match]endOf // cache
	// doubts is a cache.
	doubts map[*evidence.Match][]*Doubt
}

// SaidCloud returns the cloud that texts show if no Node object was read; nil: none or several.
func (p *Pass) SaidCloud() *catalog.Provider { return p.cloud() }

// Found claims a cause or a symptom.
func (p *Pass) Found(c Claim) {
	c.rule = p.out.Rule.ID
	p.out.Claims = append(p.out.Claims, c)
}

// Traces reports whether a trace is requested, so that reasons have to be worded.
func (p *Pass) Traces() bool { return p.trace != nil }

// Message records, for a trace, the result for a message that a signature matched.
func (p *Pass) Message(m *evidence.Match, says string, fate Fate, because string, certainty Certainty) {
	if p.trace != nil {
		p.trace.message(m, p.Signatures.Lookup(m.Signature), p.Catalog.Mechanism(says), fate, because, certainty)
	}
}

// Over records a cause that was present and is resolved: the claim as it was true then, and the fact that resolved it.
func (p *Pass) Over(c Claim, endedBy string, at time.Time) {
	c.rule = p.out.Rule.ID
	p.out.Over = append(p.out.Over, Ended{Claim: c, By: endedBy, At: at})
}

// RuleOut records that a cause was checked and is not present, and the fact that shows it.
func (p *Pass) RuleOut(cause string, subject evidence.Subject, because string) {
	p.out.RuledOut = append(p.out.RuledOut, RuledOut{Cause: cause, Subject: subject, Because: because, rule: p.out.Rule.ID})
}

// Unknown records what could not be checked, why, and how to check it.
func (p *Pass) Unknown(what, why string, how shell.Text) {
	p.out.Unknown = append(p.out.Unknown, NotChecked{What: what, Why: why, How: how})
}

// First records that the same message or object points to both causes, and that cause ranks before other.
func (p *Pass) First(cause, other string) {
	p.out.Pairs = append(p.out.Pairs, Pair{First: cause, Then: other})
}

// Follows records that other was reported only as an effect of cause.
func (p *Pass) Follows(cause, other string) {
	p.out.Pairs = append(p.out.Pairs, Pair{First: cause, Then: other, Follows: true})
}

// Age returns the time from t to now, and whether both are known.
func (p *Pass) Age(t time.Time) (time.Duration, bool) {
	if t.IsZero() || p.Now.IsZero() {
		return 0, false
	}
	return p.Now.Sub(t), true
}
