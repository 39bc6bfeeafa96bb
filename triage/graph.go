package triage

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
)

// statement is a cause or symptom on one subject with all claims that speak for it.
type statement struct {
	id      string
	subject evidence.Subject
	claims  []Claim
	cause   *catalog.Cause // nil for a symptom
	score   float64
	rank    float64    // score, raised to that of what it explains
	by      *statement // what it follows from
	effects []*statement
}

type graph struct {
	in         Input
	statements []*statement
}

func newGraph(in Input, claims []Claim) *graph {
	g := &graph{in: in}
	byKey := map[string]*statement{}
	for _, c := range claims {
		key := c.Says + "\x00" + c.Subject.Kind + "\x00" + c.Subject.Namespace + "\x00" + c.Subject.Name
		st := byKey[key]
		if st == nil {
			st = &statement{id: c.Says, subject: c.Subject, cause: in.Catalog.Cause(c.Says)}
			byKey[key] = st
			g.statements = append(g.statements, st)
		}
		st.claims = append(st.claims, c)
	}
	g.adoptNameless()
	for _, st := range g.statements {
		independent := map[string]float64{}
		for _, c := range st.claims {
			key := c.rule + "/" + c.Key
			independent[key] = max(independent[key], c.Confidence.Weight())
		}
		st.score = combine(independent)
		st.rank = st.score
	}
	g.explain()
	return g
}

// adoptNameless gives statements without a subject to the only named one of the same cause.
func (g *graph) adoptNameless() {
	named := map[string][]*statement{}
	for _, st := range g.statements {
		if !st.subject.IsZero() {
			named[st.id] = append(named[st.id], st)
		}
	}
	g.statements = slices.DeleteFunc(g.statements, func(st *statement) bool {
		if st.subject.IsZero() && len(named[st.id]) == 1 {
			named[st.id][0].claims = append(named[st.id][0].claims, st.claims...)
			return true
		}
		return false
	})
}

// explain draws the edges between what was found. A cause explains another only if it is about as sure as
// that one: a mere possibility does not demote a certainty.
func (g *graph) explain() {
	order := slices.Clone(g.statements)
	// Consequences first, so that a root inherits the rank of the whole chain below it.
	sort.SliceStable(order, func(i, j int) bool { return g.depth(order[i]) < g.depth(order[j]) })
	for _, root := range order {
		if root.cause == nil {
			continue
		}
		for _, st := range order {
			if st == root || !g.in.Catalog.Explains(root.id, st.id) || !g.related(root.subject, st.subject) {
				continue
			}
			if st.cause != nil && root.score < 0.55*st.score {
				continue
			}
			root.effects = append(root.effects, st)
			if st.cause != nil {
				root.rank = max(root.rank, st.rank+0.001)
			}
			if st.by == nil || st.by.rank < root.rank {
				st.by = root
			}
		}
	}
}

// depth is the length of the longest chain of causes below.
func (g *graph) depth(st *statement) int {
	n := 0
	for _, other := range g.statements {
		if other.cause != nil && g.in.Catalog.Explains(st.id, other.id) {
			n++
		}
	}
	return n
}

// related tells whether something about a can bring about something about b.
func (g *graph) related(a, b evidence.Subject) bool {
	if a.IsZero() || b.IsZero() || a == b {
		return true
	}
	node := func(s evidence.Subject) (string, bool) {
		switch s.Kind {
		case "Node":
			return s.Name, true
		case "Pod":
			if p := g.in.Snapshot.Pod(s.Namespace, s.Name); p != nil && p.Node != "" {
				return p.Node, true
			}
		}
		return "", false
	}
	na, okA := node(a)
	nb, okB := node(b)
	if okA && okB {
		return na == nb
	}
	return true
}

func (g *graph) holds(id string, subject evidence.Subject) bool {
	return slices.ContainsFunc(g.statements, func(st *statement) bool {
		return st.id == id && g.related(st.subject, subject)
	})
}

func (g *graph) symptoms() []Symptom {
	out := []Symptom{}
	for _, st := range g.statements {
		if st.cause != nil {
			continue
		}
		s := Symptom{ID: st.id, Title: st.id, Subject: st.subject, Evidence: refs([]*statement{st}, 2)}
		if known := g.in.Catalog.Symptom(st.id); known != nil {
			s.Title, s.Look = known.Title, known.Look
		}
		if st.by != nil {
			s.ExplainedBy = st.by.id
		}
		out = append(out, s)
	}
	return out
}

const maxRefs = 12 // pieces of evidence per finding

// findings joins the statements of one cause and orders them: the root that is surest and worst first.
func (g *graph) findings() []Finding {
	groups := map[string][]*statement{}
	var ids []string
	for _, st := range g.statements {
		if st.cause == nil {
			continue
		}
		if groups[st.id] == nil {
			ids = append(ids, st.id)
		}
		groups[st.id] = append(groups[st.id], st)
	}
	type ranked struct {
		Finding
		rank float64
	}
	var list []ranked
	for _, id := range ids {
		group := groups[id]
		sort.SliceStable(group, func(i, j int) bool { return group[i].rank > group[j].rank })
		list = append(list, ranked{g.finding(group), g.order(group)})
	}
	sort.SliceStable(list, func(i, j int) bool {
		if d := list[i].rank - list[j].rank; d > 1e-9 || d < -1e-9 {
			return d > 0
		}
		return list[i].Cause < list[j].Cause
	})
	out := make([]Finding, 0, len(list))
	for _, r := range list {
		out = append(out, r.Finding)
	}
	return out
}

// harm makes a mild cause give way to a grave one of about the same certainty.
var harm = map[catalog.Severity]float64{catalog.Critical: 1, catalog.Error: 0.97, catalog.Warning: 0.85, catalog.Info: 0.5}

func (g *graph) order(group []*statement) float64 {
	rank := 0.0
	for _, st := range group {
		r := st.rank * harm[g.severity(st)]
		seen := map[string]bool{}
		for _, e := range st.effects {
			if e.cause == nil && !seen[e.id] && len(seen) < 3 {
				seen[e.id] = true
				r += 0.01 // explains what was seen
			}
		}
		if st.by != nil {
			r = min(r, st.by.rank*harm[g.severity(st.by)]-0.001)
		}
		rank = max(rank, r)
	}
	return rank
}

func (g *graph) severity(st *statement) catalog.Severity {
	for _, c := range st.claims {
		if c.Severity != "" {
			return c.Severity
		}
	}
	return st.cause.Severity
}

func (g *graph) finding(group []*statement) Finding {
	first := group[0]
	cause := first.cause
	f := Finding{
		Cause: cause.ID, Title: cause.Title, Severity: g.severity(first), Confidence: confidence(first.score),
		Score: round(first.score), Subject: first.subject, Subjects: []evidence.Subject{}, Explains: []string{},
		Evidence: refs(group, maxRefs), Summary: summary(group), Page: "docs/causes/" + cause.ID + ".md",
	}
	explained := 0
	var since time.Time
	for _, st := range group {
		f.Subjects = append(f.Subjects, st.subject)
		for _, e := range st.effects {
			if !slices.Contains(f.Explains, e.id) {
				f.Explains = append(f.Explains, e.id)
			}
		}
		if st.by != nil {
			explained++
		}
		for _, c := range st.claims {
			if !c.Since.IsZero() && (since.IsZero() || c.Since.Before(since)) {
				since = c.Since
			}
		}
	}
	if explained == len(group) {
		f.ExplainedBy = first.by.id
	}
	if !since.IsZero() {
		f.Since = &since
	}
	sort.Strings(f.Explains)
	fill := filler(g.in.Snapshot, group)
	f.Confirm = make([]catalog.Check, 0, len(cause.Confirm))
	for _, c := range cause.Confirm {
		c.Run, c.Expect = fill.one(c.Run), fill.one(c.Expect)
		f.Confirm = append(f.Confirm, c)
	}
	for _, r := range cause.Remedies {
		r.Commands = fill.all(r.Commands)
		f.Remedies = append(f.Remedies, r)
	}
	f.Verify, f.Cautions = fill.all(cause.Verify), fill.all(cause.Cautions)
	if f.Remedies == nil {
		f.Remedies = []catalog.Remedy{}
	}
	return f
}

// refs lists the evidence of the statements in turn, so that each subject shows some.
func refs(group []*statement, limit int) []evidence.Ref {
	out := []evidence.Ref{}
	for round := 0; len(out) < limit; round++ {
		more := false
		for _, st := range group {
			var all []evidence.Ref
			for _, c := range st.claims {
				all = append(all, c.Evidence...)
			}
			if round < len(all) {
				more = true
				if len(out) < limit && !slices.Contains(out, all[round]) {
					out = append(out, all[round])
				}
			}
		}
		if !more {
			break
		}
	}
	return out
}

// summary is the text of the surest claim that has one.
func summary(group []*statement) string {
	best := ""
	weight := -1.0
	for _, c := range group[0].claims {
		if w := c.Confidence.Weight(); c.Summary != "" && w > weight {
			best, weight = c.Summary, w
		}
	}
	if best == "" {
		best = group[0].cause.Title
	}
	return strings.TrimSuffix(best, ".")
}
