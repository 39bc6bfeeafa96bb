package triage

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// findings joins the statements of one cause and orders them: the root that is surest and worst first.
func (g *graph) findings() []Finding {
	type ranked struct {
		Finding
		rank float64
	}
	var list []ranked
	for _, id := range slices.Sorted(maps.Keys(g.byID)) {
		if g.in.Catalog.Cause(id) == nil {
			continue
		}
		group := slices.DeleteFunc(slices.Clone(g.byID[id]), func(st *statement) bool { return st.out || !g.in.inScope(st.place) })
		if len(group) == 0 {
			continue
		}
		sort.SliceStable(group, func(i, j int) bool { return group[i].order() > group[j].order() })
		list = append(list, ranked{g.finding(group), group[0].order()})
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(b.rank, a.rank) })
	out := make([]Finding, 0, len(list))
	for _, r := range list {
		out = append(out, r.Finding)
	}
	return out
}

// order returns the sort key of a statement, higher first: rank times the factor of its severity, plus bonuses, and always below
// the cause that explains it. So a mild root takes all of its effects down with it: a repair of the root repairs them.
func (st *statement) order() float64 {
	if st.ordered != 0 {
		return st.ordered
	}
	r := st.rank * severityFactor[severity(st)]
	for _, b := range st.bonuses() {
		r += b.adds
	}
	for _, root := range []*statement{st.by, st.outrankedBy} {
		if root != nil {
			r = min(r, root.order()-0.001)
		}
	}
	st.ordered = r
	return r
}

// bonus moves a cause up in the order of findings.
type bonus struct {
	adds float64
	why  string
}

// bonuses returns small bonuses for the last message before an exit and for up to three explained symptoms. A cause that explains
// why a node does not work gets a large one (0.5 or 1). So a possible cause of a dead node comes before a certain cause of a
// Pending pod on another node.
func (st *statement) bonuses() []bonus {
	var out []bonus
	if st.saidWithItsEnd() {
		out = append(out, bonus{lastSaid, "it reports the end of its program"})
	}
	seen := map[string]bool{}
	hurt := bonus{}
	for _, e := range st.effects {
		if e.cause != nil {
			continue
		}
		here := st.place.name == e.subject.Name || st.place.anywhere && (!st.subject.IsZero() || certainty(st.score) != Possible)
		if h := hurts(e); here && h > hurt.adds {
			hurt = bonus{h, "it explains " + e.name()}
		}
		if len(seen) < 3 {
			seen[e.id] = true
		}
	}
	if n := len(seen); n > 0 {
		out = append(out, bonus{0.01 * float64(n), counted(n, "symptom") + " explained"})
	}
	if hurt.adds > 0 && severity(st).Rank() <= catalog.Error.Rank() {
		out = append(out, hurt)
	}
	return out
}

// lastSaid ranks the last message before an exit before earlier messages of the program.
const lastSaid = 0.04

// saidWithItsEnd reports whether the claim that makes a statement likely is a message about the end of its program.
func (st *statement) saidWithItsEnd() bool {
	sure := certainty(st.score)
	return sure != Possible && st.rank == st.score && slices.ContainsFunc(st.claims, func(c Claim) bool { return c.Fatal && c.Certainty == sure })
}

// hurts returns the bonus for a symptom of a node: 1 if the node does not work, 0.5 if pods do not start or stop on it.
func hurts(symptom *statement) float64 {
	if symptom.subject.Kind != "Node" {
		return 0
	}
	switch symptom.stops {
	case catalog.Node:
		return 1
	case catalog.Pods:
		return 0.5
	}
	return 0
}

// severity returns the severity of the cause, or of the form that the statement shows, unless a claim of the highest certainty
// overrides it. A less certain claim cannot make a known problem milder.
func severity(st *statement) catalog.Severity {
	for _, c := range st.claims {
		if c.Severity != "" && c.Certainty == st.claims[0].Certainty {
			return c.Severity
		}
	}
	return severityOf(st)
}

const maxRefs = 12 // pieces of evidence per finding

// finding makes one finding of the statements of one cause. The first statement has the highest order.
func (g *graph) finding(group []*statement) Finding {
	first := group[0]
	cause := first.cause
	f := Finding{
		Cause: cause.ID, Title: titleOf(cause, group), Severity: severity(first), Certainty: certainty(first.score), Confidence: certainty(first.score),
		Score: round(first.score), Subject: first.subject, Subjects: []evidence.Subject{}, Explains: []string{},
		Evidence: refs(group, maxRefs), Summary: summary(group), Page: "docs/causes/" + cause.ID + ".md",
		LikelyOn: g.likelyOn(group), Impact: g.impactNow(group), about: map[evidence.Subject]bool{},
	}
	explained := 0
	var since time.Time
	var lastSeen *time.Time
	effects, rules := map[string]bool{}, map[string]bool{}
	for _, st := range group {
		f.Subjects = append(f.Subjects, st.subject)
		f.about[st.subject] = true
		if f.anywhere.IsZero() && st.place.anywhere && st.subject.Kind == "Pod" {
			f.anywhere = st.subject
		}
		for _, e := range st.effects {
			if !e.out {
				effects[e.id] = true
			}
		}
		if st.by != nil {
			explained++
		}
		for _, c := range st.claims {
			rules[c.rule] = true
			if !c.Since.IsZero() && (since.IsZero() || c.Since.Before(since)) {
				since = c.Since
			}
			lastSeen = newer(lastSeen, c.LastSeen)
		}
	}
	f.Explains = append(f.Explains, slices.Sorted(maps.Keys(effects))...)
	f.Rules = slices.Sorted(maps.Keys(rules))
	if explained == len(group) {
		f.ExplainedBy = first.by.id
	}
	if since.IsZero() {
		since = sinceEffects(group)
	}
	if !since.IsZero() {
		f.Since = &since
	}
	f.LastSeen = lastSeen
	f.Named = g.named(&f, group)
	g.advise(&f, cause, group, filler(g.in.Snapshot, g.around, group), g.cloud(f.Subjects))
	return f
}

// sinceEffects returns when the first symptom of the statements began, on the same node or without a node; zero: unknown.
func sinceEffects(group []*statement) time.Time {
	var out time.Time
	for _, st := range group {
		for _, e := range st.effects {
			if e.cause != nil || e.place.name != st.place.name {
				continue
			}
			for _, c := range e.claims {
				if !c.Since.IsZero() && (out.IsZero() || c.Since.Before(out)) {
					out = c.Since
				}
			}
		}
	}
	return out
}

// tell reports whether the evidence of the statements or of their effects contains one of the words, which are in lower case.
func tell(group []*statement, words []string) bool {
	tells := func(st *statement) bool {
		return slices.ContainsFunc(st.claims, func(c Claim) bool {
			return slices.ContainsFunc(c.Evidence, func(e evidence.Ref) bool { return hasOne(e.Text, words) })
		})
	}
	return len(words) > 0 && slices.ContainsFunc(group, func(st *statement) bool { return tells(st) || slices.ContainsFunc(st.effects, tells) })
}

// hasOne reports whether the text contains one of the words, which are in lower case.
func hasOne(text string, words []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// outOn reports whether a cause is ruled out on all the subjects, or in the whole cluster.
func (g *graph) outOn(cause string, subjects []evidence.Subject) bool {
	return !slices.ContainsFunc(subjects, func(s evidence.Subject) bool {
		return g.holds(cause, s) || !slices.ContainsFunc(g.ruledOut, func(r RuledOut) bool { return r.Cause == cause && (r.Subject == s || r.Subject.Kind == "Cluster") })
	})
}

// cloud returns the cloud of the finding's nodes. If they name none, it is the first cloud that a node names.
func (g *graph) cloud(subjects []evidence.Subject) advice.Cloud {
	var any string
	for _, n := range g.in.Snapshot.Nodes() {
		of := evidence.ProviderOf(n)
		if of != "" && slices.Contains(subjects, n.Subject()) {
			return advice.Cloud(of)
		}
		any = cmp.Or(any, of)
	}
	return advice.Cloud(any)
}

func (g *graph) symptoms() []Symptom {
	out := []Symptom{}
	for _, st := range g.statements {
		if st.cause != nil || st.out || !g.in.inScope(st.place) {
			continue
		}
		s := Symptom{ID: st.id, Title: st.id, Subject: st.subject, Evidence: refs([]*statement{st}, 2)}
		if known := g.in.Catalog.Symptom(st.id); known != nil {
			s.Title, s.Look, s.Checks = known.Title, known.Look, g.looks(known, st)
		}
		if st.by != nil {
			s.ExplainedBy = st.by.id
		}
		out = append(out, s)
	}
	return out
}

// refs takes the evidence of the statements in turn, so that each subject is represented.
func refs(group []*statement, limit int) []evidence.Ref {
	lists, longest := make([][]evidence.Ref, len(group)), 0
	for i, st := range group {
		for _, c := range st.claims {
			lists[i] = append(lists[i], c.Evidence...)
		}
		longest = max(longest, len(lists[i]))
	}
	out := []evidence.Ref{}
	for round := 0; round < longest; round++ {
		for _, list := range lists {
			if len(out) == limit {
				return out
			}
			if round < len(list) && !slices.ContainsFunc(out, list[round].SamePlace) {
				out = append(out, list[round])
			}
		}
	}
	return out
}

// summary returns the text of the most certain claim that has one, about the first subject with a name.
func summary(group []*statement) string {
	for _, st := range group {
		for _, c := range st.claims {
			if c.Summary != "" {
				return strings.TrimSuffix(c.Summary, ".")
			}
		}
		if !st.subject.IsZero() {
			break
		}
	}
	return titleOf(group[0].cause, group)
}

// IfItLasts begins the impact of a cause with which no node is Ready, while all of its nodes still are.
const IfItLasts = "if it lasts: "

// impactNow returns the impact of a cause. What the evidence shows of its nodes is not contradicted.
func (g *graph) impactNow(group []*statement) string {
	cause := group[0].cause
	ready := func(st *statement) bool {
		n := g.in.Snapshot.Node(st.place.name)
		return n != nil && n.Ready() == evidence.True
	}
	stops := slices.Contains([]string{catalog.Ready, catalog.Answering, catalog.Reporting}, g.in.Catalog.Keeps(cause.ID))
	impact := cmp.Or(variantOf(cause, group).Impact, cause.Impact)
	if impact == "" || !stops || slices.ContainsFunc(group, func(st *statement) bool { return !ready(st) }) {
		return impact
	}
	return IfItLasts + impact
}
