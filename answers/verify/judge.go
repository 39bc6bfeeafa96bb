package verify

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// Input is the complete input of a verification.
type Input struct {
	Snapshot   *evidence.Snapshot
	Catalog    *catalog.Catalog
	Signatures *signatures.Set
	Rulebook   triage.Rulebook
	Node       string
	// Now is the time to judge by; zero: when the evidence was taken.
	Now time.Time
	// Since is the time of the fix; zero: when the node became Ready, at most Quiet ago.
	Since time.Time
	// Knowledge is the origin of the catalog and the signatures.
	Knowledge []catalog.Origin
	// Before is the report from before the fix; nil if there is none.
	Before *triage.Report
}

// Quiet is how far back logs and events count if the time of the fix is unknown.
const Quiet = 10 * time.Minute

// judge is the common state of the steps.
type judge struct {
	Input
	node   *evidence.Node // nil: not in the evidence
	report *triage.Report // of the rules, run again on the evidence since the fix
	sizes  map[string]int // nodes by pool; nil: not all nodes were read
}

// Judge runs the steps that only read.
func Judge(in Input) *Verification {
	if in.Now.IsZero() {
		in.Now = in.Snapshot.TakenAt()
	}
	j := &judge{Input: in, node: in.Snapshot.Node(in.Node), sizes: sizes(in.Snapshot)}
	if j.Since.IsZero() {
		j.Since = j.assumed()
	}
	j.report = triage.Run(triage.Input{
		Snapshot: since(in.Snapshot, j.Since), Catalog: in.Catalog, Signatures: in.Signatures, Rulebook: in.Rulebook, Now: in.Now, Nodes: []string{in.Node},
	})
	v := j.verification()
	v.Findings, v.Over, v.Faults = []triage.Finding{}, j.over(), len(j.report.Faults())
	for _, f := range j.report.Findings {
		switch {
		case j.mine(f):
			v.Findings = append(v.Findings, f)
		case f.ExplainedBy == "":
			v.Faults--
		}
	}
	v.Add(j.ready(), j.pressure(), j.taints(), j.lease(), j.kubelet(), j.journal(), j.pods())
	v.Add(j.cloud()...)
	v.Add(j.rules())
	if in.Before != nil {
		v.Comparison = triage.Compare(about(in.Before, in.Node), j.report, j.reread)
		v.Add(compared(v.Comparison))
	}
	return v
}

// verification returns one without steps.
func (j *judge) verification() *Verification {
	return &Verification{
		APIVersion: evidence.APIVersion, Kind: "Verification", Node: j.Node, TakenAt: evidence.Stamp(j.Now), Since: evidence.Stamp(j.Since),
		Source: j.Snapshot.Data().Source.String(), Over: []triage.Over{}, Knowledge: j.Knowledge,
	}
}

// over returns the resolved problems of the node. Evidence from before the fix counts here, because the fix resolved it.
func (j *judge) over() []triage.Over {
	all := triage.Run(triage.Input{
		Snapshot: j.Snapshot, Catalog: j.Catalog, Signatures: j.Signatures, Rulebook: j.Rulebook, Now: j.Now, Nodes: []string{j.Node},
	})
	return all.Over
}

// assumed returns the default time of the fix: when the node became Ready, if that is recent.
func (j *judge) assumed() time.Time {
	if j.Now.IsZero() {
		return time.Time{}
	}
	at := j.Now.Add(-Quiet)
	if j.node != nil && j.node.Ready() == evidence.True {
		if ready := j.node.Condition("Ready").LastTransitionTime.UTC(); ready.After(at) {
			at = ready
		}
	}
	return at
}

// since removes old evidence from before the fix: log messages, and events.
func since(s *evidence.Snapshot, t time.Time) *evidence.Snapshot {
	if t.IsZero() {
		return s
	}
	d := *s.Data()
	d.Matches = nil
	for _, m := range s.Data().Matches {
		if m.Kind == evidence.TextCloud && !m.Ref.ObservedAt.IsZero() && m.Ref.ObservedAt.Before(t) { // of the cloud's log
			continue
		}
		if passed := m.Kind == evidence.TextLog || m.Kind == evidence.TextEvent; !passed || !before(m, t) {
			d.Matches = append(d.Matches, m)
		}
	}
	d.Events = nil
	for _, e := range s.Data().Events {
		if e.Last.IsZero() || !e.Last.Before(t) {
			d.Events = append(d.Events, e)
		}
	}
	d.CloudActivities = nil
	for _, a := range s.Data().CloudActivities {
		if a.Time.IsZero() || !a.Time.Before(t) {
			d.CloudActivities = append(d.CloudActivities, a)
		}
	}
	return evidence.New(d)
}

// before reports whether the last time of a message is known and earlier.
func before(m *evidence.Match, t time.Time) bool {
	last := m.Last
	if last.IsZero() {
		last = m.First
	}
	return !last.IsZero() && last.Before(t)
}

// about keeps the part of a report about one node, and about what all nodes share.
func about(r *triage.Report, node string) *triage.Report {
	out := *r
	out.Findings = nil
	for _, f := range r.Findings {
		var on []evidence.Subject
		for _, s := range f.Subjects {
			if s.Kind != "Node" || s.Name == node {
				on = append(on, s)
			}
		}
		if len(f.Subjects) == 0 && (f.Subject.Kind != "Node" || f.Subject.Name == node) {
			on = append(on, f.Subject)
		}
		if f.Subjects = on; len(on) > 0 {
			out.Findings = append(out.Findings, f)
		}
	}
	return &out
}
