package check

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/triage"
)

// Harm is the damage of a weakness when a node goes away.
type Harm string

// Grades. High: a drain gets stuck, or a drain or the loss of a node causes an outage. Medium: it does more damage than
// necessary. Low: for information.
const (
	High   Harm = "high"
	Medium Harm = "medium"
	Low    Harm = "low"
)

// Verdict is the result of a review. It covers only what was checked.
type Verdict string

// Verdicts.
const (
	Findings Verdict = "findings" // weaknesses were found; the first one shows the severity
	Unknown  Verdict = "unknown"  // no severe weakness was found, and required evidence was not read
	Clear    Verdict = "clear"    // nodes, pods and PodDisruptionBudgets were read, and no check found anything
)

// Looked is how many objects a review checked.
type Looked struct {
	Nodes   int `json:"nodes"`
	Pods    int `json:"pods"`
	Budgets int `json:"budgets"`
	// Unread are those of these kinds that are not in the evidence, so that their number says nothing.
	Unread []evidence.Kind `json:"unread,omitempty"`
}

// Review is the list of risks for node loss, drains and upgrades, in its stable JSON form.
type Review struct {
	APIVersion string              `json:"apiVersion"`
	Kind       string              `json:"kind"` // Review
	TakenAt    *time.Time          `json:"takenAt"`
	Source     string              `json:"source"`
	Verdict    Verdict             `json:"verdict"`
	Looked     Looked              `json:"looked"`
	Weaknesses []Weakness          `json:"weaknesses"` // the worst first
	Passed     []string            `json:"passed"`     // checks that found nothing
	NotChecked []triage.NotChecked `json:"notChecked"`
	// FirstToExpire is the certificate of a node that expires first; null: no node reports any.
	FirstToExpire *Expiry `json:"firstToExpire,omitempty"`
	// Ignored is what exceptions removed. It affects neither the verdict nor the exit code.
	Ignored []Ignored `json:"ignored,omitempty"`
	// ExceptionNotes list expired exceptions, and invalid annotations.
	ExceptionNotes []string `json:"exceptionNotes,omitempty"`

	seen bool // enough was read to rule out weaknesses
}

// Expiry is when a certificate of a node expires.
type Expiry struct {
	Node        string    `json:"node"`
	Certificate string    `json:"certificate"`
	Until       time.Time `json:"until"`
}

// Ignored is a subject of a weakness with an exception.
type Ignored struct {
	Check     string           `json:"check"`
	Harm      Harm             `json:"harm"`
	Subject   evidence.Subject `json:"subject"`
	Detail    string           `json:"detail"`
	Exception triage.Exception `json:"exception"`
}

// Weakness is what one check found on one or more similar subjects.
type Weakness struct {
	Check    string             `json:"check"`
	Harm     Harm               `json:"harm"`
	Title    string             `json:"title"`
	Why      string             `json:"why,omitempty"` // the damage if it is not fixed
	Subjects []evidence.Subject `json:"subjects"`
	Details  []string           `json:"details"` // of each subject
	Fix      string             `json:"fix"`
	Commands []shell.Text       `json:"commands"`
	Or       []plan.Way         `json:"or,omitempty"` // other ways, for the first subject
}

// check is one check of a review.
type check struct {
	id, title, fix string
	harm           Harm
	needs          []evidence.Kind
	find           func(*reviewer)
}

// reviewer runs one check after another.
type reviewer struct {
	*clusterview.View
	s        *evidence.Snapshot
	upgrades []*upgrade.Plan
	board    func() (placement.Board, error) // nil: it is unknown where pods fit
	ties     []tie                           // found while nodes and zones were removed

	now   *check
	found *Weakness
	moot  bool // nothing to check
	out   *Review
}

// New reviews the whole cluster as of a time; zero means when the evidence was taken. It tries on a board where pods fit;
// without a board that is unknown. upgrades are planned upgrades.
func New(s *evidence.Snapshot, at time.Time, board placement.Open, upgrades ...*upgrade.Plan) *Review {
	r := &reviewer{
		View: clusterview.New(s, at), s: s, upgrades: upgrades,
		out: &Review{APIVersion: evidence.APIVersion, Kind: "Review",
			Looked:     lookedAt(s),
			Source:     s.Data().Source.String(),
			Weaknesses: []Weakness{}, Passed: []string{}, NotChecked: []triage.NotChecked{}},
	}
	if board != nil {
		r.board = board.Once(s)
	}
	if !r.Now.IsZero() {
		r.out.TakenAt = &r.Now
	}
	for i := range checks {
		r.run(&checks[i])
	}
	for i := range upgradeChecks {
		if len(upgrades) > 0 {
			r.run(&upgradeChecks[i])
		}
	}
	if r.managed() {
		for i := range cloudChecks {
			r.run(&cloudChecks[i])
		}
	}
	r.named()
	slices.SortStableFunc(r.out.Weaknesses, func(a, b Weakness) int { return cmp.Compare(rank(a.Harm), rank(b.Harm)) })
	r.out.seen = enough(s)
	r.out.Verdict = r.verdict()
	return r.out
}

// lookedAt counts the objects that all checks share.
func lookedAt(s *evidence.Snapshot) Looked {
	out := Looked{Nodes: len(s.Data().Nodes), Pods: len(s.Data().Pods), Budgets: len(s.Data().PDBs)}
	for _, k := range []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.PDBs} {
		if s.Covers(k) == evidence.NotRead {
			out.Unread = append(out.Unread, k)
		}
	}
	return out
}

func rank(h Harm) int { return slices.Index([]Harm{High, Medium, Low}, h) }

func (r *reviewer) run(c *check) {
	for _, k := range c.needs {
		if r.s.Covers(k) == evidence.NotRead {
			r.unread(c.title, k)
			return
		}
	}
	before := len(r.out.NotChecked)
	r.now, r.found, r.moot = c, nil, false
	c.find(r)
	for _, n := range triage.ReadInPart(r.s, append(slices.Clip(c.needs), beside[c.id]...)...) {
		r.unknown(c.title, n.What+": "+n.Why, n.How)
	}
	switch {
	case r.found != nil:
		r.out.Weaknesses = append(r.out.Weaknesses, *r.found)
	case len(r.out.NotChecked) == before && !r.moot:
		r.out.Passed = append(r.out.Passed, c.id)
	}
}

// unread records why a kind that a check needs is missing.
func (r *reviewer) unread(what string, k evidence.Kind) {
	part := triage.ReadInPart(r.s, k)
	for _, n := range part {
		r.unknown(what, n.What+": "+n.Why, n.How)
	}
	if part != nil {
		return
	}
	for _, g := range r.s.Gaps() { // of files, which do not declare their contents
		if g.What == string(k) {
			r.unknown(what, string(k)+": "+g.Why, g.How)
			return
		}
	}
	r.unknown(what, "the evidence contains no "+k.Word(), k.Saved())
}

func (r *reviewer) unknown(what, why string, how shell.Text) {
	r.out.NotChecked = append(r.out.NotChecked, triage.NotChecked{What: what, Why: why, How: how})
}

// add adds a subject to the current weakness, with commands that fix it.
func (r *reviewer) add(on evidence.Subject, detail string, commands ...shell.Text) {
	if r.found == nil {
		r.found = &Weakness{Check: r.now.id, Harm: r.now.harm, Title: r.now.title, Why: reasons[r.now.id], Fix: r.now.fix, Commands: []shell.Text{}}
	}
	if slices.Contains(r.found.Subjects, on) {
		return
	}
	r.found.Subjects = append(r.found.Subjects, on)
	r.found.Details = append(r.found.Details, detail)
	for _, c := range commands {
		if !slices.Contains(r.found.Commands, c) { // one command may restore several
			r.found.Commands = append(r.found.Commands, c)
		}
	}
}

// Worst returns the harm of the most severe weakness; empty if there is none.
func (r *Review) Worst() Harm {
	if len(r.Weaknesses) == 0 {
		return ""
	}
	return r.Weaknesses[0].Harm
}

// verdict is unknown if no severe weakness was found and nodes, pods or PodDisruptionBudgets were not read, because these have
// the most severe ones. It is also unknown if a kind of any check was partial.
func (r *reviewer) verdict() Verdict {
	worst := r.out.Worst()
	if worst == High || worst == Medium {
		return Findings
	}
	switch {
	case !r.out.seen:
		return Unknown
	case worst != "":
		return Findings
	}
	return Clear
}

// enough reports whether nodes, pods and PodDisruptionBudgets were read, there are nodes, and nothing was partial.
func enough(s *evidence.Snapshot) bool {
	if len(s.Incomplete(rests...)) > 0 {
		return false
	}
	for _, k := range []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.PDBs} {
		if s.Covers(k) == evidence.NotRead {
			return false
		}
	}
	return len(s.Data().Nodes) > 0
}

// beside are kinds that a check does not need but that can change its findings.
var beside = map[string][]evidence.Kind{
	"nodes-down": {evidence.Leases}, "bound": {evidence.Claims, evidence.Volumes}, "unmanaged": {evidence.Workloads},
	"upgrade-stuck": clusterview.Rests, "upgrade-unmanaged": {evidence.Nodes, evidence.Workloads}, // the nodes of the pool
}

// named adds partial kinds that no check has named, because they prevent a clear verdict.
func (r *reviewer) named() {
	for _, n := range triage.ReadInPart(r.s, rests...) {
		said := func(x triage.NotChecked) bool { return strings.HasPrefix(x.Why, n.What+": ") }
		if !slices.ContainsFunc(r.out.NotChecked, said) {
			r.unknown("checks that need "+n.What, n.What+": "+n.Why, n.How)
		}
	}
}

// rests are the kinds that a review needs: for its checks, and for the board on which pods are tried.
var rests = clusterview.Rests

// running calls f for each running pod that is not part of a DaemonSet, with the end of its chain of controllers.
func (r *reviewer) running(f func(p *evidence.Pod, owner evidence.Subject)) {
	for _, p := range r.s.Data().Pods {
		over := p.Finished() || p.Deleting()
		if over || p.Node == "" || p.Partial || mechanics.TiedToNode(p) {
			continue
		}
		f(p, r.subject(p))
	}
}

// subject returns the end of the pod's chain of controllers, or the pod.
func (r *reviewer) subject(p *evidence.Pod) evidence.Subject {
	if w := r.s.TopOwnerOf(p); w != nil {
		return w.Subject()
	}
	if p.Owner != (evidence.Owner{}) {
		return evidence.Subject{Kind: p.Owner.Kind, Namespace: p.Namespace, Name: p.Owner.Name}
	}
	return p.Subject()
}
