package diff

import (
	"cmp"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// Diff is the difference between two looks, in its stable JSON form.
type Diff struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Before     Look   `json:"before"`
	After      Look   `json:"after"`
	// Verdict depends only on new causes: healthy, warning or broken; unknown if the later look cannot judge.
	Verdict triage.Verdict `json:"verdict"`
	Came    []Cause        `json:"came"`
	Went    []Cause        `json:"went"`
	Stayed  []Cause        `json:"stayed"`
	// Unseen are earlier causes that the later look could not check.
	Unseen []Cause  `json:"unseen"`
	Joined []string `json:"joined"` // nodes that are only in the later look
	Left   []string `json:"left"`   // nodes that are only in the first look
	Nodes  []Node   `json:"nodes"`  // changes on nodes in both looks; nodes without a change are omitted
	// Lacking lists what could not be compared, and why.
	Lacking []string `json:"lacking"`

	inPart bool // one of the looks is partial
}

// Look is one of the two looks.
type Look struct {
	Source  string         `json:"source"`
	TakenAt *time.Time     `json:"takenAt"` // null: unknown
	Verdict triage.Verdict `json:"verdict"`
	// Knowledge is the knowledge that judged the look.
	Knowledge []catalog.Origin `json:"knowledge,omitempty"`
}

// Cause is a cause on a subject.
type Cause struct {
	Cause    string           `json:"cause"`
	Title    string           `json:"title"`
	Severity catalog.Severity `json:"severity"`
	Subject  evidence.Subject `json:"subject"`
	Because  string           `json:"because"` // what it is, why it is gone, or why that is unknown
}

// Node is what changed on one node.
type Node struct {
	Name    string   `json:"name"`
	Changes []Change `json:"changes"`
}

// Change is one difference.
type Change struct {
	What   string     `json:"what"`
	Before string     `json:"before"` // empty: it did not exist
	After  string     `json:"after"`  // empty: it no longer exists
	At     *time.Time `json:"at"`     // when it changed; null: unknown
}

// Side is one side of a comparison: a report, and its evidence.
type Side struct {
	Report   *triage.Report
	Snapshot *evidence.Snapshot // nil: only the report exists
}

// Compare returns the differences, optionally limited to nodes.
func Compare(before, after Side, rules []*triage.Rule, nodes []string) *Diff {
	d := &Diff{
		APIVersion: evidence.APIVersion, Kind: "Diff", Before: lookOf(before), After: lookOf(after),
		Came: []Cause{}, Went: []Cause{}, Stayed: []Cause{}, Unseen: []Cause{}, Joined: []string{}, Left: []string{}, Nodes: []Node{}, Lacking: []string{},
	}
	d.causes(before, after, rules, nodes)
	d.readInPart("the older snapshot", before)
	d.readInPart("the newer snapshot", after)
	switch {
	case before.Snapshot == nil || after.Snapshot == nil:
		d.notKnown("changes of nodes: a report contains only problems; compare bundles of nodetriage collect")
	default:
		d.nodes(before.Snapshot, after.Snapshot, nodes)
	}
	d.judge()
	return d
}

func lookOf(s Side) Look {
	return Look{s.Report.Source, s.Report.TakenAt, s.Report.Verdict, s.Report.Knowledge}
}

// readInPart records what is partial in a look: objects that are missing in it may exist.
func (d *Diff) readInPart(which string, s Side) {
	d.inPart = d.inPart || len(s.Report.ReadInPart) > 0
	if s.Snapshot == nil {
		for _, k := range s.Report.ReadInPart {
			d.notKnown(which + " does not contain all " + k.Word())
		}
		return
	}
	for _, g := range s.Snapshot.Incomplete(s.Report.ReadInPart...) {
		d.notKnown(which + " is incomplete: " + g.Title() + ": " + g.Why)
	}
}

func (d *Diff) notKnown(text string) { d.Lacking = append(d.Lacking, text) }

// causes groups all causes into new, remaining and resolved ones.
func (d *Diff) causes(before, after Side, rules []*triage.Rule, nodes []string) {
	var reread triage.Reread
	if after.Snapshot != nil {
		reread = triage.RereadIn(after.Snapshot, rules, before.Report, after.Report)
	}
	severity := map[string]catalog.Severity{}
	for _, f := range slices.Concat(before.Report.Findings, after.Report.Findings) {
		severity[f.Cause] = f.Severity
	}
	for _, c := range triage.Compare(before.Report, after.Report, reread).Changes {
		if len(nodes) > 0 && c.Subject.Kind == "Node" && !slices.Contains(nodes, c.Subject.Name) {
			continue
		}
		cause := Cause{c.Cause, c.Title, severity[c.Cause], c.Subject, c.Because}
		switch c.Now {
		case triage.Newly:
			d.Came = append(d.Came, cause)
		case triage.Gone:
			d.Went = append(d.Went, cause)
		case triage.Stays:
			d.Stayed = append(d.Stayed, cause)
		case triage.Unseen:
			d.Unseen = append(d.Unseen, cause)
		}
	}
}

// judge sets the verdict by the worst new cause.
func (d *Diff) judge() {
	d.Verdict = triage.Healthy
	if d.After.Verdict == triage.Unclear || d.inPart {
		d.Verdict = triage.Unclear
	}
	if len(d.Came) == 0 {
		return
	}
	worst := slices.MinFunc(d.Came, func(a, b Cause) int { return cmp.Compare(a.Severity.Rank(), b.Severity.Rank()) })
	if !d.inPart {
		d.Verdict = triage.Warn
	}
	if worst.Severity.Rank() < catalog.Warning.Rank() {
		d.Verdict = triage.Broken
	}
}
