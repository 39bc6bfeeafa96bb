package nodes

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// Map is all nodes of the evidence, in its stable JSON form.
type Map struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	At         *time.Time     `json:"takenAt"` // the time that it is judged by; null: the evidence has none
	Source     string         `json:"source"`
	Verdict    triage.Verdict `json:"verdict"` // of the report with the findings, and at most as good as the nodes
	Faults     int            `json:"faults"`  // number of independent findings
	Nodes      int            `json:"nodes"`
	States     map[State]int  `json:"states"`
	// Schedulable is the number of nodes that are Ready and not cordoned.
	Schedulable *int    `json:"schedulable,omitempty"`
	Free        Free    `json:"free,omitzero"`
	Groups      []Group `json:"groups"`
	// Elsewhere are findings that are not about one node: about the cluster, a workload, an unscheduled pod.
	Elsewhere  []Found             `json:"elsewhere"`
	NotChecked []triage.NotChecked `json:"notChecked"`
	// ReadInPart are partial kinds, as in a report.
	ReadInPart []evidence.Kind  `json:"readInPart,omitempty"`
	Knowledge  []catalog.Origin `json:"knowledge,omitempty"` // the knowledge that judged it

	// Hidden is the number of nodes that do not match the filters, which are the flags.
	Hidden  int      `json:"hidden,omitempty"`
	Filters []string `json:"filters,omitempty"`

	Reported triage.Verdict `json:"-"` // verdict of the report, before the states of the nodes are considered
}

// Group is the nodes of one pool in one zone.
type Group struct {
	Pool   string        `json:"pool"` // the pool's label; the node's role if there is no pool
	Zone   string        `json:"zone"`
	States map[State]int `json:"states"`
	// Schedulable is the number of nodes that are Ready and not cordoned.
	Schedulable *int `json:"schedulable,omitempty"`
	Free        Free `json:"free,omitzero"`
	// Traits are the most frequent values in the group: kubelet, kernel, node image and so on, by name.
	Traits   map[string]string `json:"traits"`
	Findings []Found           `json:"findings"` // about the pool or the zone as a whole
	Nodes    []*Node           `json:"nodes"`
}

// Found is a short form of a finding.
type Found struct {
	Cause      string           `json:"cause"`
	Summary    string           `json:"summary,omitempty"`
	Severity   string           `json:"severity"`
	Certainty  triage.Certainty `json:"certainty,omitempty"`
	Confidence triage.Certainty `json:"confidence"` // the same as certainty: the former name of the field
	// Follows is the cause that explains this one; empty: a root cause.
	Follows string `json:"follows,omitempty"`
	// Likely: this node was not checked, but it failed together with nodes that have the cause.
	Likely bool `json:"likely,omitempty"`

	since time.Time // zero: unknown
}

// Past is a short form of a resolved problem of a node.
type Past struct {
	Cause string     `json:"cause"`
	From  *time.Time `json:"from"` // null: unknown
	To    *time.Time `json:"to"`   // null: unknown
}

// Keep keeps only the nodes that keep selects, and their groups. The caller sets the verdict to that of a report about them.
func (m *Map) Keep(keep func(*Node) bool) {
	var groups []Group
	m.Nodes, m.States, m.Verdict = 0, map[State]int{}, m.Reported
	for _, g := range m.Groups {
		all := g.Nodes
		g.Nodes, g.States = nil, map[State]int{}
		for _, n := range all {
			if !keep(n) {
				continue
			}
			g.Nodes = append(g.Nodes, n)
			g.States[n.State]++
			m.States[n.State]++
			m.Nodes++
		}
		if len(g.Nodes) > 0 {
			groups = append(groups, g)
		}
	}
	m.Groups = append([]Group{}, groups...)
	m.addFree()
	m.temper()
}

// New returns the map of the snapshot with the findings of its report, judged at the given time; zero means when the evidence
// was taken.
func New(s *evidence.Snapshot, r *triage.Report, at time.Time) *Map {
	b := newBuilder(s, r, at)
	m := &Map{
		APIVersion: r.APIVersion, Kind: "NodeMap", Source: r.Source, Verdict: r.Verdict, Faults: len(r.Independent()),
		Nodes: len(s.Data().Nodes), States: map[State]int{}, Groups: []Group{},
		Elsewhere: b.elsewhere, NotChecked: r.NotChecked, ReadInPart: r.ReadInPart, Knowledge: r.Knowledge, Reported: r.Verdict,
	}
	m.At = b.when()
	index := map[[2]string]int{}
	for _, n := range s.Data().Nodes {
		node := b.node(n)
		key := [2]string{node.Pool, node.Zone}
		i, ok := index[key]
		if !ok {
			i = len(m.Groups)
			index[key] = i
			m.Groups = append(m.Groups, Group{
				Pool: node.Pool, Zone: node.Zone, States: map[State]int{}, Findings: b.about(node.Pool, node.Zone),
			})
		}
		g := &m.Groups[i]
		g.Nodes = append(g.Nodes, node)
		g.States[node.State]++
		m.States[node.State]++
	}
	sort.Slice(m.Groups, func(i, j int) bool {
		a, b := m.Groups[i], m.Groups[j]
		return a.Pool < b.Pool || a.Pool == b.Pool && a.Zone < b.Zone
	})
	for i := range m.Groups {
		m.Groups[i].compare()
	}
	m.unlike(s)
	m.addFree()
	m.temper()
	return m
}

// addFree adds up the headroom of the nodes.
func (m *Map) addFree() {
	all := 0
	m.Free, m.Schedulable = none(), &all
	for i := range m.Groups {
		g := &m.Groups[i]
		total, open := TotalFree(g.Nodes)
		g.Free, g.Schedulable = total, &open
		m.Free.Add(total)
		all += open
	}
}

// ShowLabels adds to each node its labels with these keys; without keys, all. A missing label has an empty value.
func (m *Map) ShowLabels(s *evidence.Snapshot, keys []string) {
	for _, g := range m.Groups {
		for _, n := range g.Nodes {
			of := s.Node(n.Name)
			if of == nil {
				continue
			}
			if len(keys) == 0 {
				n.Labels = maps.Clone(of.Labels)
				continue
			}
			n.Labels = map[string]string{}
			for _, key := range keys {
				n.Labels[key] = of.Labels[key]
			}
		}
	}
}

// temper limits the verdict to the states of the nodes: a problem without a rule is still visible.
func (m *Map) temper() {
	down := false
	for _, g := range m.Groups {
		down = down || slices.ContainsFunc(g.Nodes, (*Node).down)
	}
	switch {
	case down:
		m.Verdict = triage.Broken
	case m.States[Unhealthy] > 0 && m.Verdict != triage.Broken && len(m.ReadInPart) == 0:
		m.Verdict = triage.Warn
	}
}

// mostCompared limits how many nodes are compared with their healthy peers.
const mostCompared = 50

// unlike adds the differences between unhealthy nodes and their healthy peers.
func (m *Map) unlike(s *evidence.Snapshot) {
	differs := triage.Differences(s)
	left := mostCompared
	for _, g := range m.Groups {
		for _, n := range g.Nodes {
			if left == 0 || !n.Odd() {
				continue
			}
			left--
			for k, v := range differs(s.Node(n.Name)) {
				if n.Differs == nil {
					n.Differs = map[string]string{}
				}
				n.Differs[k] = v
			}
			delete(n.Differs, "pool")
			delete(n.Differs, "zone")
		}
	}
}

// compare finds the most frequent values in the group, and the nodes that differ.
func (g *Group) compare() {
	count := map[string]map[string]int{}
	for _, n := range g.Nodes {
		for k, v := range n.Traits {
			if count[k] == nil {
				count[k] = map[string]int{}
			}
			count[k][v]++
		}
	}
	g.Traits = map[string]string{}
	for k, values := range count {
		for v, n := range values {
			if 2*n > len(g.Nodes) {
				g.Traits[k] = v
			}
		}
	}
	for _, n := range g.Nodes {
		for k, common := range g.Traits {
			if v := n.Traits[k]; v != "" && v != common {
				if n.Differs == nil {
					n.Differs = map[string]string{}
				}
				n.Differs[k] = v
			}
		}
	}
}

// builder contains what the nodes of one map share.
type builder struct {
	snapshot  *evidence.Snapshot
	at        time.Time
	onNode    map[string][]Found
	onGroup   map[evidence.Subject][]Found
	elsewhere []Found
	over      map[string][]Past // by node
	expected  map[string]bool   // nodes that are not Ready, which the report calls neither NotReady nor lost
	requests  map[*corev1.PodSpec]booked
}

func newBuilder(s *evidence.Snapshot, r *triage.Report, at time.Time) *builder {
	if at.IsZero() {
		at = s.TakenAt()
	}
	b := &builder{
		snapshot: s, at: at, onNode: map[string][]Found{}, onGroup: map[evidence.Subject][]Found{},
		elsewhere: []Found{}, over: map[string][]Past{}, expected: map[string]bool{}, requests: map[*corev1.PodSpec]booked{},
	}
	for _, f := range r.Findings {
		b.addFinding(f)
	}
	b.addExpected(r)
	for _, o := range r.Over {
		if name := b.nodeOf(o.Subject); name != "" {
			b.over[name] = addPast(b.over[name], Past{o.Cause, o.From, o.To})
		}
	}
	return b
}

// addFinding adds a finding to the nodes and groups that it is about, once for each node.
func (b *builder) addFinding(f triage.Finding) {
	found := Found{Cause: f.Cause, Summary: strings.TrimSuffix(f.Summary, "."), Severity: string(f.Severity), Certainty: f.Certainty, Confidence: f.Certainty, Follows: f.ExplainedBy}
	if f.Since != nil {
		found.since = *f.Since
	}
	seen := map[string]bool{}
	add := func(node string, found Found) {
		if !seen[node] {
			seen[node] = true
			b.onNode[node] = append(b.onNode[node], found)
		}
	}
	placed := false
	for _, about := range f.Subjects {
		switch name := b.nodeOf(about); {
		case name != "":
			add(name, found)
			placed = true
		case about.Kind == "Pool" || about.Kind == "Zone":
			b.onGroup[about] = append(b.onGroup[about], found)
			placed = true
		}
	}
	likely := found
	likely.Likely = true
	for _, about := range f.LikelyOn {
		if name := b.nodeOf(about); name != "" {
			add(name, likely)
		}
	}
	if !placed {
		if f.Subject.Name != "" && found.Summary != "" {
			found.Summary = f.Subject.String() + ": " + found.Summary
		}
		b.elsewhere = append(b.elsewhere, found)
	}
}

// addExpected collects the nodes that the report calls neither NotReady nor lost.
func (b *builder) addExpected(r *triage.Report) {
	for _, o := range r.RuledOut {
		if o.Cause == "node-lost" && o.Subject.Kind == "Node" {
			b.expected[o.Subject.Name] = true
		}
	}
	for _, sy := range r.Symptoms {
		if sy.ID == "node-not-ready" || sy.ID == "node-silent" {
			delete(b.expected, sy.Subject.Name)
		}
	}
}

// addPast adds a resolved problem. The same cause at the same time, on the node and on its pod, is added once.
func addPast(list []Past, p Past) []Past {
	for i := range list {
		have := &list[i]
		apart := endsBefore(*have, p) || endsBefore(p, *have)
		if have.Cause != p.Cause || apart {
			continue
		}
		if have.From == nil || p.From != nil && p.From.Before(*have.From) {
			have.From = p.From
		}
		if have.To == nil || p.To != nil && p.To.After(*have.To) {
			have.To = p.To
		}
		return list
	}
	return append(list, p)
}

// endsBefore reports whether p is known to end before q begins.
func endsBefore(p, q Past) bool { return p.To != nil && q.From != nil && p.To.Before(*q.From) }

// nodeOf returns the node of the subject, if it is in the evidence.
func (b *builder) nodeOf(about evidence.Subject) string {
	name := ""
	switch about.Kind {
	case "Node":
		name = about.Name
	case "Pod":
		if p := b.snapshot.Pod(about.Namespace, about.Name); p != nil {
			name = p.Node
		}
	}
	if b.snapshot.Node(name) == nil {
		return ""
	}
	return name
}

func (b *builder) about(pool, zone string) []Found {
	out := append([]Found{}, b.onGroup[evidence.Subject{Kind: "Pool", Name: pool}]...)
	return append(out, b.onGroup[evidence.Subject{Kind: "Zone", Name: zone}]...)
}

func (b *builder) when() *time.Time { return evidence.Stamp(b.at) }

// PoolOf returns the node's pool: by its label, else by its role; "" if it has neither.
func PoolOf(n *evidence.Node) string {
	if p := triage.Pool(n); p != "" {
		return p
	}
	return strings.Join(roles(n), ",")
}

func roles(n *evidence.Node) []string {
	var out []string
	for k, v := range n.Labels {
		if role, ok := strings.CutPrefix(k, "node-role.kubernetes.io/"); ok && role != "" {
			out = append(out, role)
		} else if k == "kubernetes.io/role" && v != "" {
			out = append(out, v)
		}
	}
	sort.Strings(out)
	return out
}
