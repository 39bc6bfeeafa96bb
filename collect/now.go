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

// How far clocks and files may lie apart before one of them is not believed.
const (
	// leaseApart is more than the leases of nodes that are heard of differ: they are renewed every 10 s, and a node
	// counts as silent after 50 s (node-monitor-grace-period).
	leaseApart = time.Minute
	// heartbeatApart is more than their heartbeats differ: an idle kubelet reports every 5 min (nodeStatusReportFrequency).
	heartbeatApart = 6 * time.Minute
	// pairApart is how much two clocks must differ before a third witness, which is coarse, says which one is wrong.
	pairApart = time.Hour
	// savedLater is within how long people save the logs and reports that belong to a dump.
	savedLater = 24 * time.Hour
)

// now is the time of evidence that does not tell it: its latest time, for what was observed cannot be older than its
// newest part. A clock that is ahead of all others does not move it: what such a node dated is left out.
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
	if !reported { // lines that a node says of itself are older than its report
		for _, m := range d.Matches {
			if m.Last.Year() != noYear.Year() {
				w.saw(nodeIn(m.Subject), m.Last)
			}
		}
		w.yearless(d.Matches)
	}
	return w.t
}

// yearless takes lines that tell no year, where there are logs alone: those of the same clock on the wall as the newest line
// that tells one, or as the ages in the text. A line in UTC says nothing of a clock that may show another zone.
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

// clocks are the times that each clock wrote last.
type clocks struct {
	leases, heartbeats map[string]time.Time // of nodes that the control plane hears of
	servers            []time.Time          // of the API servers: they renew leases of their own
	created            time.Time            // when an API server made the newest object
	ahead              map[string]bool      // nodes whose clock is in the future of the others
}

// readClocks reads the clocks of the nodes that the control plane hears of. What the others wrote last is old.
func readClocks(d *evidence.Data, texts []*paste.Text) *clocks {
	c := &clocks{leases: map[string]time.Time{}, heartbeats: map[string]time.Time{}, ahead: map[string]bool{}}
	heard := map[string]bool{}
	node := func(n *evidence.Node) {
		c.created = later(c.created, n.CreationTimestamp.Time)
		if n.Condition(corev1.NodeReady) == nil || n.Silent() {
			return
		}
		heard[n.Name] = true
		for i := range n.Node.Status.Conditions {
			if beat := n.Node.Status.Conditions[i].LastHeartbeatTime; !beat.IsZero() {
				c.heartbeats[n.Name] = later(c.heartbeats[n.Name], beat.Time)
			}
		}
	}
	lease := func(l *evidence.Lease) {
		switch {
		case l.Renewed.IsZero():
		case l.Namespace == corev1.NamespaceNodeLease && heard[l.Name]:
			c.leases[l.Name] = later(c.leases[l.Name], l.Renewed)
		case l.Namespace == metav1.NamespaceSystem && strings.HasPrefix(l.Name, "apiserver-"):
			c.servers = append(c.servers, l.Renewed)
		}
	}
	for _, n := range d.Nodes {
		node(n)
	}
	for _, t := range texts {
		for _, n := range t.Nodes() {
			node(n)
		}
	}
	for _, l := range d.Leases {
		lease(l)
	}
	for _, t := range texts {
		for _, l := range t.Leases() {
			lease(l)
		}
	}
	for _, p := range d.Pods {
		c.created = later(c.created, p.Created)
	}
	c.compare(c.leases, leaseApart)
	c.compare(c.heartbeats, heartbeatApart)
	return c
}

// compare finds the nodes whose clock is ahead of the middle of the others', and of the API servers' own, by more than
// what they may lie apart. Where there is but one other node, the one nearer to what the API server dated last is believed.
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
		case len(all) < 2, outlived: // the API server dated an object after the others' heartbeats: those are old
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

// without is the middle of the sorted times, one of which is left out; zero: there is no other.
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

// middle is the middle of the times, the earlier of two; zero if there is none.
func middle(times []time.Time) time.Time {
	if len(times) == 0 {
		return time.Time{}
	}
	sorted := slices.SortedFunc(slices.Values(times), time.Time.Compare)
	return sorted[(len(sorted)-1)/2]
}

// watch looks for the latest time of all that is dated.
type watch struct {
	*clocks
	agreed time.Time // by the nodes and API servers; zero: there is none to ask
	t      time.Time
	// earliest is the newest time before which a text was not written, as its ages tell.
	earliest time.Time
	late     map[string]time.Time // the newest that a node dated long after what the others agree on
}

// saw takes a time that this node's clock gave, or ("") one that is not known.
func (w *watch) saw(node string, at time.Time) {
	if w.ahead[node] || !w.agreed.IsZero() && at.Sub(w.agreed) > savedLater {
		return
	}
	w.t = later(w.t, at)
}

// dated takes a time in an object. What one node alone dated long after all others is of a time when its clock was ahead: its
// events and pods keep that.
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
