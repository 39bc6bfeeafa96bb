package check

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/triage"
)

// Harm is how much a weakness hurts when a node goes.
type Harm string

// The grades. High: a drain or the loss of a node gets stuck, or takes something down. Medium: it hurts more than it
// should. Low: worth knowing.
const (
	High   Harm = "high"
	Medium Harm = "medium"
	Low    Harm = "low"
)

// Verdict is what a review says as a whole. It claims no more than what was looked at.
type Verdict string

// The verdicts.
const (
	Findings Verdict = "findings" // weaknesses were found; the first tells how grave they are
	Unknown  Verdict = "unknown"  // nothing grave was found, and what would tell was not read
	Clear    Verdict = "clear"    // nodes, pods and budgets were read, and no check found anything
)

// Looked is how much a review looked at.
type Looked struct {
	Nodes   int `json:"nodes"`
	Pods    int `json:"pods"`
	Budgets int `json:"budgets"`
}

// Review is what would make trouble when nodes go, found before they do, in its stable JSON form.
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
	// Ignored is what exceptions left out; it counts neither for the verdict nor for the exit code.
	Ignored []Ignored `json:"ignored,omitempty"`
	// ExceptionNotes say which exceptions ended, and which annotations could not be read as one.
	ExceptionNotes []string `json:"exceptionNotes,omitempty"`

	seen bool // enough was read to say that there is nothing
}

// Ignored is a subject of a weakness that an exception left out.
type Ignored struct {
	Check     string           `json:"check"`
	Harm      Harm             `json:"harm"`
	Subject   evidence.Subject `json:"subject"`
	Detail    string           `json:"detail"`
	Exception triage.Exception `json:"exception"`
}

// Weakness is what one check found on one or more subjects alike.
type Weakness struct {
	Check    string             `json:"check"`
	Harm     Harm               `json:"harm"`
	Title    string             `json:"title"`
	Subjects []evidence.Subject `json:"subjects"`
	Details  []string           `json:"details"` // of each subject
	Fix      string             `json:"fix"`
	Commands []shell.Text       `json:"commands"`
}

// check is one question of a review.
type check struct {
	id, title, fix string
	harm           Harm
	needs          []evidence.Kind
	find           func(*reviewer)
}

// reviewer answers one check after another.
type reviewer struct {
	*clusterview.View
	s        *evidence.Snapshot
	upgrades []*upgrade.Plan
	board    func() (placement.Board, error) // nil: nobody can tell where pods fit
	ties     []tie                           // found while nodes and zones were taken away

	now   *check
	found *Weakness
	moot  bool // there is nothing to ask
	out   *Review
}

// New reviews the whole cluster as of a time; zero: when the evidence was taken. Where pods fit is tried on a board, and
// unknown without one. The upgrades are those that are to come.
func New(s *evidence.Snapshot, at time.Time, board placement.Open, upgrades ...*upgrade.Plan) *Review {
	r := &reviewer{
		View: clusterview.New(s, at), s: s, upgrades: upgrades,
		out: &Review{APIVersion: evidence.APIVersion, Kind: "Review",
			Looked:     Looked{len(s.Data().Nodes), len(s.Data().Pods), len(s.Data().PDBs)},
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

// unread says why a kind that a check needs is not there.
func (r *reviewer) unread(what string, k evidence.Kind) {
	part := triage.ReadInPart(r.s, k)
	for _, n := range part {
		r.unknown(what, n.What+": "+n.Why, n.How)
	}
	if part != nil {
		return
	}
	for _, g := range r.s.Gaps() { // of files, which do not say what they were to hold
		if g.What == string(k) {
			r.unknown(what, string(k)+": "+g.Why, g.How)
			return
		}
	}
	r.unknown(what, "the evidence has no "+string(k), k.Saved())
}

func (r *reviewer) unknown(what, why string, how shell.Text) {
	r.out.NotChecked = append(r.out.NotChecked, triage.NotChecked{What: what, Why: why, How: how})
}

// add notes a subject with the weakness that is looked for; commands are of its fix.
func (r *reviewer) add(on evidence.Subject, detail string, commands ...shell.Text) {
	if r.found == nil {
		r.found = &Weakness{Check: r.now.id, Harm: r.now.harm, Title: r.now.title, Fix: r.now.fix, Commands: []shell.Text{}}
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

// Worst is the harm of the gravest weakness; empty: there is none.
func (r *Review) Worst() Harm {
	if len(r.Weaknesses) == 0 {
		return ""
	}
	return r.Weaknesses[0].Harm
}

// verdict is unknown where nothing grave was found and nodes, pods or budgets were not read: they carry most of what is grave. It
// is too where a kind of any check was read in part.
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

// enough reports whether nodes, pods and budgets were read, there are nodes, and nothing was read in part.
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

// beside are kinds of which a check needs none, and that would change what it finds.
var beside = map[string][]evidence.Kind{
	"nodes-down": {evidence.Leases}, "bound": {evidence.Claims, evidence.Volumes}, "unmanaged": {evidence.Workloads},
	"upgrade-stuck": clusterview.Rests, "upgrade-unmanaged": {evidence.Nodes, evidence.Workloads}, // which nodes the pool has
}

// named adds what was read in part and no check has named: it keeps the verdict from being clear.
func (r *reviewer) named() {
	for _, n := range triage.ReadInPart(r.s, rests...) {
		said := func(x triage.NotChecked) bool { return strings.HasPrefix(x.Why, n.What+": ") }
		if !slices.ContainsFunc(r.out.NotChecked, said) {
			r.unknown("what rests on "+n.What, n.What+": "+n.Why, n.How)
		}
	}
}

// rests are the kinds on which a review rests: those of its checks, and of the board on which pods are tried.
var rests = clusterview.Rests

// running calls f for each pod that runs and is nobody's daemon, with the end of its chain of controllers.
func (r *reviewer) running(f func(p *evidence.Pod, owner evidence.Subject)) {
	for _, p := range r.s.Data().Pods {
		over := p.Finished() || p.Deleting()
		if over || p.Node == "" || p.Partial || mechanics.TiedToNode(p) {
			continue
		}
		f(p, r.subject(p))
	}
}

// subject is the end of the pod's chain of controllers, or the pod.
func (r *reviewer) subject(p *evidence.Pod) evidence.Subject {
	if w := r.s.TopOwnerOf(p); w != nil {
		return w.Subject()
	}
	if p.Owner != (evidence.Owner{}) {
		return evidence.Subject{Kind: p.Owner.Kind, Namespace: p.Namespace, Name: p.Owner.Name}
	}
	return p.Subject()
}
