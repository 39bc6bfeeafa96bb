package triage

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// statement is a cause or symptom on one subject with all claims that speak for it.
type statement struct {
	id          string
	subject     evidence.Subject
	place       place
	claims      []Claim        // the most certain first
	cause       *catalog.Cause // nil for a symptom
	stops       string         // of a symptom: what does not work (catalog.Symptom.Stops)
	score       float64
	rank        float64    // the score, at least the rank of each cause that it explains, except causes that only follow (catalog.Follows)
	ordered     float64    // the result of order; 0: not computed yet
	by          *statement // the cause that explains it
	outrankedBy *statement // a cause that a rule ranks before it, with or without explaining it
	effects     []*statement
	out         bool // left out, by an exception or the filter
	shared      bool // a change that is common to nodes that failed together
}

// graph has all statements, and which of them explains which.
type graph struct {
	in         Input
	around     *surroundings
	cohorts    []Cohort
	statements []*statement // ordered by id and subject
	byID       map[string][]*statement
	onNode     map[string]map[string][]*statement // by id and node name; "" if no single node is known
	ofOwner    map[string]map[evidence.Owner][]*statement
	stops      map[string][]string        // by node, the causes that are at least likely and can stop it
	first      map[string]map[string]Pair // first[a][b]: a rule ranked cause a before cause b
	ruledOut   []RuledOut
	ignored    []Ignored
	several    bool                    // the evidence names more than one node
	words      func() quotes           // see wordsOf
	shared     map[string]bool         // causes that are a change common to nodes that failed together
	leftOut    int                     // by the filter
	dropped    []unstated              // only for a trace
	refused    map[*statement][]string // what a statement does not explain and why; only for a trace
}

func newGraph(in Input, said Outcome) *graph {
	g := &graph{in: in, around: newSurroundings(in.Snapshot, in.Signatures), cohorts: Cohorts(in.Snapshot), byID: map[string][]*statement{},
		onNode: map[string]map[string][]*statement{}, ofOwner: map[string]map[evidence.Owner][]*statement{}, stops: map[string][]string{}, ruledOut: said.RuledOut,
		shared: map[string]bool{}, refused: map[*statement][]string{}, words: sync.OnceValue(func() quotes { return wordsOf(in.Snapshot) })}
	g.state(said.Claims)
	for _, id := range slices.Sorted(maps.Keys(g.byID)) {
		g.weighAll(id)
	}
	g.several = g.severalNodes()
	g.put(said.Pairs)
	g.explain()
	if in.Except != nil || in.Filter != nil {
		g.choose()
	}
	return g
}

// state makes one statement of all claims of a cause or symptom on one subject.
func (g *graph) state(claims []Claim) {
	type key struct {
		id      string
		subject evidence.Subject
	}
	all := map[key]*statement{}
	for _, c := range claims {
		if g.in.Catalog.Role(c.Says) == catalog.Transient && !justBack(g.in, c.Subject) {
			g.drop(&statement{id: c.Says, subject: c.Subject, claims: []Claim{c}}, "it resolves by itself, and the node has been Ready for a day or is not back")
			continue
		}
		st := all[key{c.Says, c.Subject}]
		if st == nil {
			st = &statement{id: c.Says, subject: c.Subject, place: placeOf(g.in.Snapshot, c.Subject), cause: g.in.Catalog.Cause(c.Says), stops: g.in.Catalog.Stops(c.Says)}
			all[key{c.Says, c.Subject}] = st
			g.byID[c.Says] = append(g.byID[c.Says], st)
		}
		st.claims = append(st.claims, c)
		if c.Shared {
			g.shared[c.Says], st.shared = true, true
		}
	}
}

// weighAll scores the statements of an id and adds them to the graph, except possible causes that a rule excluded.
func (g *graph) weighAll(id string) {
	list := g.adoptNameless(g.byID[id])
	for _, st := range list {
		st.weigh()
	}
	list = slices.DeleteFunc(list, g.disproved)
	slices.SortFunc(list, func(a, b *statement) int { return compareSubjects(a.subject, b.subject) })
	g.onNode[id], g.ofOwner[id] = map[string][]*statement{}, map[evidence.Owner][]*statement{}
	delete(g.byID, id)
	for _, st := range list {
		g.keep(id, st)
	}
	g.statements = append(g.statements, list...)
}

// adoptNameless merges a statement without an object into the only named statement of the same cause. A symptom without an
// object is dropped if it was also seen on named objects.
func (g *graph) adoptNameless(list []*statement) []*statement {
	nameless := slices.IndexFunc(list, func(st *statement) bool { return st.subject.IsZero() })
	switch {
	case nameless < 0 || len(list) == 1:
		return list
	case len(list) == 2:
		named := list[1-nameless]
		named.claims = append(named.claims, list[nameless].claims...)
		return []*statement{named}
	case list[nameless].cause == nil:
		g.drop(list[nameless], "it names no object, and was also seen on objects with a name")
		return slices.Delete(list, nameless, nameless+1)
	}
	return list
}

// weigh sorts the claims and combines the independent ones into the score.
func (st *statement) weigh() {
	slices.SortFunc(st.claims, compareClaims)
	independent := map[string]float64{}
	for _, c := range st.claims {
		key := c.rule + "/" + c.Key
		independent[key] = max(independent[key], c.weight())
	}
	st.score = combine(independent)
	st.rank = st.score
}

// disproved reports whether a cause is only possible and another rule ruled it out on the same object. It records the reason.
func (g *graph) disproved(st *statement) bool {
	if st.cause == nil || certainty(st.score) != Possible || st.subject.Name == "" {
		return false
	}
	i := slices.IndexFunc(g.ruledOut, func(r RuledOut) bool {
		claimedIt := func(c Claim) bool { return c.rule == r.rule }
		return r.Cause == st.id && r.Subject == st.subject && !slices.ContainsFunc(st.claims, claimedIt)
	})
	if i < 0 {
		return false
	}
	g.drop(st, "only possible, and rule "+g.ruledOut[i].rule+" ruled it out: "+g.ruledOut[i].Because)
	return true
}

// compareClaims sorts the most certain claim first. Ties are broken by content, so that the order of rules does not matter.
func compareClaims(a, b Claim) int {
	first := func(c Claim) evidence.Ref {
		if len(c.Evidence) == 0 {
			return evidence.Ref{}
		}
		return c.Evidence[0]
	}
	ra, rb := first(a), first(b)
	return cmp.Or(
		cmp.Compare(b.Certainty.Weight(), a.Certainty.Weight()),
		cmp.Compare(a.rule, b.rule), cmp.Compare(a.Key, b.Key), a.Since.Compare(b.Since),
		cmp.Compare(ra.Source, rb.Source), cmp.Compare(ra.Locator, rb.Locator), cmp.Compare(ra.Text, rb.Text),
		cmp.Compare(a.Summary, b.Summary),
	)
}

func compareSubjects(a, b evidence.Subject) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// holds reports whether the cause or symptom was found on the subject or on a related object.
func (g *graph) holds(id string, subject evidence.Subject) bool {
	at := placeOf(g.in.Snapshot, subject)
	about := func(st *statement) bool { return related(st.place, at) }
	if subject.Kind == "Node" {
		return slices.ContainsFunc(g.onNode[id][subject.Name], about) || slices.ContainsFunc(g.onNode[id][""], about)
	}
	return slices.ContainsFunc(g.byID[id], about)
}

// keep adds a statement to the indexes.
func (g *graph) keep(id string, st *statement) {
	g.byID[id] = append(g.byID[id], st)
	g.onNode[id][st.place.name] = append(g.onNode[id][st.place.name], st)
	if owner := st.place.owner; owner != (evidence.Owner{}) {
		g.ofOwner[id][owner] = append(g.ofOwner[id][owner], st)
	}
	if st.cause != nil && st.place.name != "" && certainty(st.score) != Possible && g.in.Catalog.StopsNodes(id) {
		g.stops[st.place.name] = append(g.stops[st.place.name], id)
	}
}

// reachable returns the statements of an id that the root can explain: those of its node, those whose node is unknown, the pods
// of its controller, and pods on other nodes that need the volume it holds.
func (g *graph) reachable(root *statement, id string) []*statement {
	node := root.place.name
	if node == "" {
		return g.byID[id]
	}
	out := slices.Concat(g.onNode[id][node], g.onNode[id][""], g.elsewhereWithVolume(root, id))
	if root.place.owner == (evidence.Owner{}) {
		return out
	}
	for _, st := range g.ofOwner[id][root.place.owner] {
		if st.place.name != node && st.place.name != "" {
			out = append(out, st)
		}
	}
	return out
}

// backFor is the age up to which a recovery of a node is reported.
const backFor = 24 * time.Hour

// justBack reports whether a node may have come back recently. A NotReady node has not, and a node that has been Ready for a day is
// healthy. Without a known node it returns true.
func justBack(in Input, about evidence.Subject) bool {
	n := in.Snapshot.Node(about.Name)
	if about.Kind != "Node" || n == nil {
		return true
	}
	ready := n.Condition(corev1.NodeReady)
	if ready == nil {
		return true
	}
	since := ready.LastTransitionTime.Time
	return ready.Status == corev1.ConditionTrue && (since.IsZero() || in.Now.IsZero() || in.Now.Sub(since) < backFor)
}
