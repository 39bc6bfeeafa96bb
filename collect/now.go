package collect

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// How far clocks and files may differ before one of them is ignored.
const (
	// leaseApart exceeds the difference between the leases of reachable nodes. They are renewed every 10 s, and a node counts as
	// unreachable after 50 s (node-monitor-grace-period).
	leaseApart = time.Minute
	// heartbeatApart exceeds the difference between their heartbeats: an idle kubelet reports every 5 min
	// (nodeStatusReportFrequency).
	heartbeatApart = 6 * time.Minute
	// pairApart is how much two clocks must differ before a third, coarse time decides which one is wrong.
	pairApart = time.Hour
	// savedLater is the time within which people save the logs and reports that belong to a dump.
	savedLater = 24 * time.Hour
)

// now returns the time of evidence without a reported time: its latest time, because observations are not older than their newest
// part. A clock ahead of all others is ignored, and so are the times of its node.
func now(d *evidence.Data, texts []*paste.Text, away []*nodereport.Report) time.Time {
	c := readClocks(d, texts)
	var t time.Time
	for node, beat := range c.leases {
		if !c.ahead[node] {
			t = later(t, beat)
		}
	}
	for node, beat := range c.heartbeats {
		if !c.ahead[node] {
			t = later(t, beat)
		}
	}
	t = later(t, middle(c.servers))
	w := watch{clocks: c, agreed: t, t: t, late: map[string]time.Time{}}
	w.objects(d)
	for _, t := range texts {
		w.saw("", t.Earliest())
		w.earliest = later(w.earliest, t.Earliest())
	}
	reported := false
	for _, r := range slices.Concat(d.NodeReports, away) {
		w.saw(r.Node, r.TakenAt)
		reported = reported || !r.TakenAt.IsZero()
	}
	if !reported { // lines about a node are older than its report
		for _, m := range d.Matches {
			if m.Last.Year() != noYear.Year() {
				w.saw(nodeIn(m.Subject), m.Last)
			}
		}
		w.yearless(d.Matches)
	}
	return w.t
}

// yearless takes lines without a year, if the evidence has only logs. Their local clock must be that of the newest line with a
// year, or of the ages in the text. A line in UTC proves nothing about a clock that may use another zone.
func (w *watch) yearless(matches []*evidence.Match) {
	byAge := !w.earliest.IsZero() && w.t.Equal(w.earliest)
	byLine := slices.ContainsFunc(matches, func(m *evidence.Match) bool {
		return m.Last.Equal(w.t) && !logline.Zoned(cmp.Or(m.LastText, m.Ref.Text))
	})
	if !w.agreed.IsZero() || !byAge && !byLine {
		return
	}
	dated := w.t
	for _, m := range matches {
		if m.Last.Year() == noYear.Year() {
			w.saw(nodeIn(m.Subject), withYear(m.Last, dated))
		}
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b.UTC()
	}
	return a
}

func nodeIn(s evidence.Subject) string {
	if s.Kind == "Node" {
		return s.Name
	}
	return ""
}

// clocks are the last times that each clock wrote.
type clocks struct {
	leases, heartbeats map[string]time.Time // of nodes that are reachable for the control plane
	servers            []time.Time          // of the API servers, from their leases
	created            time.Time            // when the API server created the newest object
	ahead              map[string]bool      // nodes whose clock is ahead of the others
}

// readClocks reads the clocks of the nodes that are reachable for the control plane. Times of other nodes are old.
func readClocks(d *evidence.Data, texts []*paste.Text) *clocks {
	c := &clocks{leases: map[string]time.Time{}, heartbeats: map[string]time.Time{}, ahead: map[string]bool{}}
	nodes, leases := slices.Clip(d.Nodes), slices.Clip(d.Leases)
	for _, t := range texts {
		nodes, leases = append(nodes, t.Nodes()...), append(leases, t.Leases()...)
	}
	reachable := map[string]bool{}
	for _, n := range nodes {
		c.created = later(c.created, n.CreationTimestamp.Time)
		if n.Condition(corev1.NodeReady) != nil && !n.Silent() {
			reachable[n.Name] = true
			c.heartbeat(n)
		}
	}
	for _, l := range leases {
		c.renewal(l, reachable)
	}
	for _, p := range d.Pods {
		c.created = later(c.created, p.Created)
	}
	c.compare(c.leases, leaseApart)
	c.compare(c.heartbeats, heartbeatApart)
	return c
}

// heartbeat reads the times at which the kubelet checked its conditions.
func (c *clocks) heartbeat(n *evidence.Node) {
	for i := range n.Node.Status.Conditions {
		if beat := n.Node.Status.Conditions[i].LastHeartbeatTime; !beat.IsZero() {
			c.heartbeats[n.Name] = later(c.heartbeats[n.Name], beat.Time)
		}
	}
}

// renewal reads the lease of a reachable node or of an API server.
func (c *clocks) renewal(l *evidence.Lease, reachable map[string]bool) {
	switch {
	case l.Renewed.IsZero():
	case l.Namespace == corev1.NamespaceNodeLease && reachable[l.Name]:
		c.leases[l.Name] = later(c.leases[l.Name], l.Renewed)
	case l.Namespace == metav1.NamespaceSystem && strings.HasPrefix(l.Name, "apiserver-"):
		c.servers = append(c.servers, l.Renewed)
	}
}

// compare finds the nodes whose clock is ahead of the median of the others, and of the API servers, by more than apart. With only
// one other node, the clock nearer to the newest creation time counts.
func (c *clocks) compare(beats map[string]time.Time, apart time.Duration) {
	all := make([]time.Time, 0, len(beats))
	for _, t := range beats {
		all = append(all, t)
	}
	slices.SortFunc(all, time.Time.Compare)
	server := middle(c.servers)
	for node, beat := range beats {
		others := without(all, beat)
		switch outlived := c.created.After(others.Add(apart)); {
		case !server.IsZero():
			others = later(others, server)
		case len(all) < 2, outlived: // an object is newer than the heartbeats of the others, so these are old
			continue
		case len(all) == 2:
			gap := beat.Sub(others)
			if gap < pairApart || c.created.IsZero() || others.Sub(c.created) >= gap {
				continue
			}
		}
		if beat.Sub(others) > apart {
			c.ahead[node] = true
		}
	}
}

// without returns the median of the sorted times without one of them; zero if there is no other.
func without(sorted []time.Time, one time.Time) time.Time {
	if len(sorted) < 2 {
		return time.Time{}
	}
	at, _ := slices.BinarySearchFunc(sorted, one, time.Time.Compare)
	mid := (len(sorted) - 2) / 2
	if mid >= at {
		mid++
	}
	return sorted[mid]
}

// middle returns the median of the times, the earlier of two; zero if there is none.
func middle(times []time.Time) time.Time {
	if len(times) == 0 {
		return time.Time{}
	}
	sorted := slices.SortedFunc(slices.Values(times), time.Time.Compare)
	return sorted[(len(sorted)-1)/2]
}

// watch finds the latest time in the evidence.
type watch struct {
	*clocks
	agreed time.Time // by the nodes and API servers; zero: unknown
	t      time.Time
	// earliest is the newest lower bound for the time of a text, from its ages.
	earliest time.Time
	late     map[string]time.Time // the newest time of each node that is long after the agreed time
}

// saw takes a time of the node's clock, or ("") of an unknown clock.
func (w *watch) saw(node string, at time.Time) {
	if w.ahead[node] || !w.agreed.IsZero() && at.Sub(w.agreed) > savedLater {
		return
	}
	w.t = later(w.t, at)
}

// dated takes a time in an object. A time of one node long after all others is from a period when its clock was ahead: its events
// and pods keep such times.
func (w *watch) dated(node string, at time.Time) {
	if node != "" && !w.agreed.IsZero() && at.Sub(later(w.agreed, w.created)) > pairApart {
		w.late[node] = later(w.late[node], at)
		return
	}
	w.saw(node, at)
}

func (w *watch) objects(d *evidence.Data) {
	for _, n := range d.Nodes {
		for _, c := range n.Node.Status.Conditions {
			w.dated(n.Name, c.LastHeartbeatTime.Time)
			w.dated(n.Name, c.LastTransitionTime.Time)
		}
	}
	for _, l := range d.Leases {
		node := ""
		if l.Namespace == corev1.NamespaceNodeLease {
			node = l.Name
		}
		w.dated(node, l.Renewed)
	}
	for _, e := range d.Events {
		node := e.Host
		if node == "" {
			node = nodeIn(e.Object)
		}
		w.dated(node, e.Last)
	}
	for _, p := range d.Pods {
		w.dated("", p.Created)
		w.dated(p.Node, p.ReadySince)
	}
	if len(w.late) > 1 {
		for node, at := range w.late {
			w.saw(node, at)
		}
	}
}
