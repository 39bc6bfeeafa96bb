package lists

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Pools are all node pools.
type Pools struct {
	Head
	One      bool         `json:"-"` // one pool was requested
	NoNodes  bool         `json:"-"` // nodes were not read
	Clusters []CloudState `json:"clusters"`
	Pools    []Pool       `json:"pools"`
	// Knowledge is the knowledge that found the causes.
	Knowledge []catalog.Origin `json:"knowledge,omitempty"`
}

// Pool is one node pool, from its cloud if that was read, else from its nodes and their labels.
type Pool struct {
	Name        string              `json:"name"`   // empty: nodes without a pool
	Source      string              `json:"source"` // cloud, or nodes: the cloud's data is unknown
	Mode        string              `json:"mode"`   // the kind of pods it is for, in the cloud's term
	Size        string              `json:"size"`   // of its machines
	Count       *int                `json:"count"`  // number of machines that it wants; null: unknown
	Min         *int                `json:"min"`    // limits of the autoscaler
	Max         *int                `json:"max"`
	Autoscaling evidence.Fact       `json:"autoscaling"`
	Nodes       int                 `json:"nodes"`           // in the cluster
	Ready       *int                `json:"ready,omitempty"` // nodes with the condition Ready=True, as kubectl shows it; absent: unknown
	States      map[nodes.State]int `json:"states"`
	Free        nodes.Free          `json:"free,omitzero"`
	Zones       []string            `json:"zones"`
	System      string              `json:"system"`  // operating system, in the cloud's term
	Image       string              `json:"image"`   // configured for its nodes, else the most frequent one
	Version     string              `json:"version"` // of the kubelets, like the image
	State       string              `json:"state"`   // state of its last change, in the cloud's term
	Power       string              `json:"power"`   // in the cloud's term
	Priority    string              `json:"priority"`
	MaxPods     *int                `json:"maxPods"` // of one node
	Labels      map[string]string   `json:"labels"`  // configured for the pool; from nodes: labels that all share and that are not well-known
	Taints      []string            `json:"taints"`  // key=value:effect; from nodes: taints that all share
	Upgrade     PoolUpgrade         `json:"upgrade"`
	Removal     Removal             `json:"removal"`
	Causes      []string            `json:"causes"` // on its nodes, the most frequent first
	Odd         []string            `json:"odd"`
}

// PoolUpgrade is the upgrade settings of a pool; empty: unknown.
type PoolUpgrade struct {
	MaxSurge       string `json:"maxSurge,omitempty"`       // nodes added during the upgrade: a number or a percentage
	MaxUnavailable string `json:"maxUnavailable,omitempty"` // nodes unavailable during the upgrade
	DrainTimeout   string `json:"drainTimeout,omitempty"`
	Soak           string `json:"soak,omitempty"`        // wait after each node
	Undrainable    string `json:"undrainable,omitempty"` // what happens to a node that cannot be drained, in the cloud's term
}

// PoolOptions are the input of a list of pools in addition to the evidence.
type PoolOptions struct {
	Report *triage.Report // the source of findings, and of the time of the list
	Board  placement.Open // the scheduler; nil: it is unknown where pods would go
	Ask    cloud.Asking   // how to query the cloud
}

// NewPools lists the pools, unusual ones first.
func NewPools(s *evidence.Snapshot, at time.Time, opt PoolOptions, by Filter, order string) (*Pools, error) {
	if err := sortBy([]Pool(nil), order, poolColumns); err != nil {
		return nil, err
	}
	b := newBase(s, at, by)
	out := &Pools{Head: b.head("PoolList", evidence.Nodes, evidence.Pods), One: by.Pool != "", NoNodes: s.Covers(evidence.Nodes) == evidence.NotRead, Pools: []Pool{}, Knowledge: opt.Report.Knowledge}
	read := cloudPools(s)
	if len(read) == 0 && inCloud(s) {
		out.lack("pools in the cloud not read: count, limits, state and surge are unknown", opt.Ask.State)
	}
	names := poolNames(s, read)
	whole := len(s.Incomplete(evidence.Nodes, evidence.Pods, evidence.Leases)) == 0
	if len(names) > 0 && out.NoNodes && whole {
		out.Verdict = triage.Healthy
	}
	out.Clusters = []CloudState{}
	if !out.One {
		out.Clusters = b.clusters(&out.Head)
	}
	byPool := b.byPool(opt.Report)
	price := newPricer(s, opt.Board, out.One)
	for _, name := range names {
		of := cmp.Or(byPool[strings.ToLower(name)], &members{})
		if !b.wanted(name, of) {
			out.Hidden++
			continue
		}
		row := b.pool(name, read[strings.ToLower(name)], of)
		if by.Odd && len(row.Odd) == 0 {
			out.Hidden++
			continue
		}
		if out.NoNodes {
			row.Free, row.Ready = nodes.Free{}, nil // unknown
		}
		row.Removal = price.of(of.list)
		out.add(row)
	}
	if out.One && !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, by.Pool) }) {
		return nil, &evidence.AbsentError{What: "node pool", Name: by.Pool, Names: names}
	}
	return out, sortBy(out.Pools, order, poolColumns)
}

// add adds a pool. An unusual one makes the list a warning.
func (l *Pools) add(row Pool) {
	if len(row.Odd) > 0 && l.Verdict == triage.Healthy {
		l.Verdict = triage.Warn
	}
	l.Pools = append(l.Pools, row)
}

// wanted reports whether the pool was requested, by its name or by one of its nodes.
func (b base) wanted(name string, of *members) bool {
	return (b.by.Pool == "" || strings.EqualFold(name, b.by.Pool)) && (b.by.Node == "" || of.has(b.by.Node))
}

var poolColumns = map[string]func(a, b Pool) int{
	"name":      func(a, b Pool) int { return cmp.Compare(a.Name, b.Name) },
	"nodes":     func(a, b Pool) int { return cmp.Compare(b.Nodes, a.Nodes) },
	"size":      func(a, b Pool) int { return cmp.Compare(a.Size, b.Size) },
	"version":   func(a, b Pool) int { return cmp.Compare(a.Version, b.Version) },
	"state":     func(a, b Pool) int { return cmp.Compare(a.State, b.State) },
	"unhealthy": func(a, b Pool) int { return cmp.Compare(unhealthy(b.States), unhealthy(a.States)) },
	"pending":   func(a, b Pool) int { return cmp.Compare(b.Removal.most(), a.Removal.most()) },
}

// unhealthy counts nodes that are not just Ready.
func unhealthy(states map[nodes.State]int) (n int) {
	for state, count := range states {
		if state != nodes.Ready {
			n += count
		}
	}
	return n
}

// inCloud reports whether any node has a cloud provider id.
func inCloud(s *evidence.Snapshot) bool {
	return slices.ContainsFunc(s.Data().Nodes, evidence.InCloud)
}

// withoutCloud reports whether there are nodes, and none has a cloud provider id.
func withoutCloud(s *evidence.Snapshot) bool { return len(s.Data().Nodes) > 0 && !inCloud(s) }

// cloudPools returns the pools in the cloud, by name in lower case. Two answers may contain the same one.
func cloudPools(s *evidence.Snapshot) map[string]*evidence.CloudPool {
	out := map[string]*evidence.CloudPool{}
	for _, p := range evidence.CloudOf[*evidence.CloudPool](s.Data()) {
		key := strings.ToLower(p.Name)
		if key == "" {
			continue
		}
		if old := out[key]; old == nil || told(p) >= told(old) {
			out[key] = p
		}
	}
	return out
}

// told counts the fields of a pool in an answer. A table has fewer than the API.
func told(p *evidence.CloudPool) (n int) {
	for _, text := range []string{p.State, p.Power, p.Image, p.Version, p.Mode, p.Size, p.MaxSurge, p.Priority} {
		if text != "" {
			n++
		}
	}
	return n + len(p.Errors)
}

// poolNames returns the names in the cloud and on the nodes, in order.
func poolNames(s *evidence.Snapshot, read map[string]*evidence.CloudPool) []string {
	names := map[string]string{} // by name in lower case
	for key, p := range read {
		names[key] = p.Name
	}
	for _, n := range s.Data().Nodes {
		pool := nodes.PoolOf(n)
		names[strings.ToLower(pool)] = pool
	}
	return slices.Sorted(maps.Values(names))
}

// members are the nodes of one pool.
type members struct {
	list   []*evidence.Node
	judged []*nodes.Node
	found  []nodes.Found // about the pool as a whole
}

func (m *members) has(node string) bool {
	return slices.ContainsFunc(m.list, func(n *evidence.Node) bool { return n.Name == node })
}

// all reports whether is returns true for every node.
func (m *members) all(is func(*evidence.Node) bool) bool {
	return !slices.ContainsFunc(m.list, func(n *evidence.Node) bool { return !is(n) })
}

// byPool returns the nodes by the pool's name in lower case, judged like the map of all nodes.
func (b base) byPool(r *triage.Report) map[string]*members {
	out := map[string]*members{}
	for _, g := range nodes.New(b.snap, r, b.at).Groups {
		key := strings.ToLower(g.Pool)
		m := out[key]
		if m == nil {
			m = &members{}
			out[key] = m
		}
		m.judged = append(m.judged, g.Nodes...)
		for _, f := range g.Findings {
			if !slices.Contains(m.found, f) {
				m.found = append(m.found, f)
			}
		}
		for _, n := range g.Nodes {
			m.list = append(m.list, b.snap.Node(n.Name))
		}
	}
	return out
}

// pool returns one row. c is nil if the cloud did not show the pool.
func (b base) pool(name string, c *evidence.CloudPool, m *members) Pool {
	row := ofNodes(name, m)
	if c != nil {
		row.ofCloud(c)
	}
	b.judge(&row, c, m)
	return row
}

// ofCloud sets the cloud's data, which is the desired state of the pool.
func (row *Pool) ofCloud(c *evidence.CloudPool) {
	row.Source = "cloud"
	row.Mode, row.Size = cmp.Or(c.Mode, row.Mode), cmp.Or(c.Size, row.Size)
	row.Count, row.Min, row.Max, row.MaxPods = count(c.Count), count(c.Min), count(c.Max), count(c.MaxPods)
	row.Autoscaling, row.State, row.Power = c.Autoscaling, c.State, c.Power
	row.System, row.Image, row.Version = cmp.Or(c.System, row.System), cmp.Or(c.Image, row.Image), cmp.Or(c.Version, row.Version)
	row.Priority = cmp.Or(c.Priority, row.Priority)
	if len(c.Zones) > 0 {
		row.Zones = slices.Clone(c.Zones)
	}
	if c.Labels != nil {
		row.Labels = maps.Clone(c.Labels)
	}
	if len(c.Taints) > 0 {
		row.Taints = slices.Clone(c.Taints)
	}
	row.Upgrade = PoolUpgrade{MaxSurge: c.MaxSurge, MaxUnavailable: c.MaxUnavailable, Undrainable: c.Undrainable}
	if c.DrainTimeout > 0 {
		row.Upgrade.DrainTimeout = wording.Duration(c.DrainTimeout)
	}
	if c.Soak > 0 {
		row.Upgrade.Soak = wording.Duration(c.Soak)
	}
}

func count(c evidence.CloudCount) *int {
	if !c.Known {
		return nil
	}
	return &c.Value
}

// ofNodes returns the data from the nodes: what most of them have, and the labels and taints that all share.
func ofNodes(name string, m *members) Pool {
	row := Pool{Name: name, Source: "nodes", Nodes: len(m.list), States: map[nodes.State]int{}, Zones: []string{}, Labels: map[string]string{}, Taints: []string{}, Causes: []string{}, Odd: []string{}}
	for _, n := range m.judged {
		row.States[n.State]++
	}
	ready := 0
	row.Free, _ = nodes.TotalFree(m.judged)
	row.Ready = &ready
	for _, n := range m.list {
		if n.Ready() == evidence.True {
			ready++
		}
		// A zone is named after its region: region-1, region-a. All zones share the region.
		zone := strings.TrimPrefix(strings.TrimPrefix(triage.Zone(n), n.Labels[corev1.LabelTopologyRegion]), "-")
		if zone != "" && !slices.Contains(row.Zones, zone) {
			row.Zones = append(row.Zones, zone)
		}
	}
	slices.Sort(row.Zones)
	row.Size, row.Image, row.Version = most(m, "instance type"), most(m, "node image"), strings.TrimPrefix(most(m, "kubelet"), "v")
	if len(m.list) == 0 {
		return row
	}
	row.labelsOf(m)
	row.taintsOf(m)
	if pods := m.judged[0].Pods.Max; pods != nil {
		row.MaxPods = pods
	}
	return row
}

// labelsOf sets the labels that all nodes of the pool share.
func (row *Pool) labelsOf(m *members) {
	pool, _ := m.list[0].PoolLabel()
	for key, value := range m.list[0].Labels {
		if !m.all(func(n *evidence.Node) bool { v, ok := n.Labels[key]; return ok && v == value }) {
			continue
		}
		switch catalog.LabelTells(key) {
		case "mode":
			row.Mode = value
		case "priority":
			row.Priority = value
		case "system":
			row.System = value
		}
		if catalog.LabelSays(key) == "" && key != pool {
			row.Labels[key] = value
		}
	}
}

// taintsOf sets the taints that all nodes of the pool share, except those of Kubernetes.
func (row *Pool) taintsOf(m *members) {
	for _, t := range m.list[0].Spec.Taints {
		text := t.ToString()
		if !strings.HasPrefix(t.Key, "node.kubernetes.io/") && m.all(func(n *evidence.Node) bool { return hasTaint(n, text) }) {
			row.Taints = append(row.Taints, text)
		}
	}
}

func hasTaint(n *evidence.Node, text string) bool {
	for i := range n.Spec.Taints {
		if n.Spec.Taints[i].ToString() == text {
			return true
		}
	}
	return false
}

// most returns the most frequent value of a trait; the first by name on a tie.
func most(m *members, trait string) string {
	values := map[string]int{}
	for _, n := range m.judged {
		if v := n.Traits[trait]; v != "" {
			values[v]++
		}
	}
	best := ""
	for _, v := range slices.Sorted(maps.Keys(values)) {
		if values[v] > values[best] {
			best = v
		}
	}
	return best
}
