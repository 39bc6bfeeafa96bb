package triage

import (
	"maps"
	"slices"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// together is how close in time failures must begin to be grouped.
const together = 3 * time.Minute

// Cohorts groups the NotReady nodes that failed at the same time, and returns what each group shares and healthy nodes do not have.
func Cohorts(s *evidence.Snapshot) []Cohort {
	out := []Cohort{}
	var bad, good []*evidence.Node
	for _, n := range s.Nodes() {
		if n.NotReady() {
			bad = append(bad, n)
		} else if n.Ready() == evidence.True {
			good = append(good, n)
		}
	}
	c := newComparer(s)
	for _, group := range byStart(bad) {
		if len(group) < 2 {
			continue
		}
		found := Cohort{Shared: map[string]string{}}
		for _, n := range group {
			found.Nodes = append(found.Nodes, n.Name)
		}
		slices.Sort(found.Nodes)
		for _, a := range attributes {
			if v := shared(group, good, a.of); v != "" {
				found.Shared[a.name] = v
			}
		}
		for name, of := range moments {
			if v := sharedMoment(s, group, good, of); v != "" {
				found.Shared[name] = v
			}
		}
		maps.Copy(found.Shared, c.shared(group, good, found.Shared))
		if t := fell(group[0]); !t.IsZero() {
			found.Since = &t
			found.Shared["minute"] = t.UTC().Format("2006-01-02T15:04Z")
		}
		if len(found.Shared) > 0 {
			out = append(out, found)
		}
	}
	return out
}

// shared returns the value that nearly all nodes of the group have and nearly no healthy node has.
func shared(group, good []*evidence.Node, of func(*evidence.Node) string) string {
	count := map[string]int{}
	for _, n := range group {
		count[of(n)]++
	}
	for _, v := range slices.Sorted(maps.Keys(count)) {
		if v == "" || count[v]*10 < len(group)*9 {
			continue
		}
		healthy := 0
		for _, n := range good {
			if of(n) == v {
				healthy++
			}
		}
		if len(good) == 0 || healthy*10 > len(good) {
			return "" // nothing distinguishes them from the healthy nodes
		}
		return v
	}
	return ""
}

// sampled is how many nodes of each side are searched for candidate traits.
const sampled = 50

// shared returns the traits that nearly all of the group have, or miss, and nearly no healthy node, among nodes whose trait is in
// the evidence. Traits that follow from shared attributes are left out.
func (c *comparer) shared(group, good []*evidence.Node, known map[string]string) map[string]string {
	if len(good) == 0 {
		return nil
	}
	candidates := map[trait]bool{}
	note := func(t trait, _ string) { candidates[t] = true }
	for _, n := range group[:min(len(group), sampled)] {
		c.each(n, note)
	}
	for _, n := range good[:min(len(good), sampled)] {
		c.each(n, note)
	}
	found := map[trait]string{}
	for t := range candidates {
		if known["pool"] != "" && (t.kind == nodeLabel || t.kind == taint) {
			continue // the pool sets them
		}
		v, ok := c.common(group, t, 2)
		if !ok || v != "" && slices.Contains(slices.Collect(maps.Values(known)), v) {
			continue
		}
		if same, of := c.having(good, t, v); of > 0 && same*10 <= of {
			found[t] = v
		}
	}
	return first(found)
}

// common returns the value of a trait that nearly all nodes have. Only nodes whose trait is in the evidence count, and at least
// `least` are needed.
func (c *comparer) common(nodes []*evidence.Node, t trait, least int) (string, bool) {
	count, of := map[string]int{}, 0
	for _, n := range nodes {
		if v, shown := c.of(n, t); shown {
			count[v]++
			of++
		}
	}
	for v, n := range count {
		if of >= least && n*10 >= of*9 {
			return v, true
		}
	}
	return "", false
}

// having counts the nodes that have the value, among nodes whose trait is in the evidence.
func (c *comparer) having(nodes []*evidence.Node, t trait, value string) (same, of int) {
	for _, n := range nodes {
		v, shown := c.of(n, t)
		if !shown {
			continue
		}
		if of++; v == value {
			same++
		}
	}
	return same, of
}

// moments are events that happen to every node once or rarely; nodes may share the time of one.
var moments = map[string]func(*evidence.Snapshot, *evidence.Node) time.Time{
	"made":   func(_ *evidence.Snapshot, n *evidence.Node) time.Time { return n.CreationTimestamp.Time },
	"booted": (*evidence.Snapshot).LastBoot,
}

// around is the window in which the same event on several nodes counts as one: a pool is created or rolled node by node.
const around = 10 * time.Minute

// sharedMoment returns the minute of the first of these events, or "". They must have happened to nearly all of the group within a
// short time, and to nearly no healthy node.
func sharedMoment(s *evidence.Snapshot, group, good []*evidence.Node, of func(*evidence.Snapshot, *evidence.Node) time.Time) string {
	var times []time.Time
	for _, n := range group {
		if t := of(s, n); !t.IsZero() {
			times = append(times, t)
		}
	}
	if len(times)*10 < len(group)*9 || len(times) < 2 {
		return ""
	}
	slices.SortFunc(times, time.Time.Compare)
	from, to := times[0], times[len(times)-1]
	if to.Sub(from) > around {
		return ""
	}
	same, known := 0, 0
	for _, n := range good {
		t := of(s, n)
		if t.IsZero() {
			continue
		}
		if known++; !t.Before(from.Add(-around)) && !t.After(to.Add(around)) {
			same++
		}
	}
	if known == 0 || same*10 > known {
		return ""
	}
	return from.UTC().Format("2006-01-02T15:04Z")
}

// byStart groups nodes whose failures began within a few minutes of each other. Nodes without a time are one group.
func byStart(nodes []*evidence.Node) [][]*evidence.Node {
	sorted := slices.Clone(nodes)
	sort.SliceStable(sorted, func(i, j int) bool { return fell(sorted[i]).Before(fell(sorted[j])) })
	var groups [][]*evidence.Node
	for i, n := range sorted {
		if i == 0 || fell(n).Sub(fell(sorted[i-1])) > together {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], n)
	}
	return groups
}

func fell(n *evidence.Node) time.Time {
	if c := n.Condition(corev1.NodeReady); c != nil {
		return c.LastTransitionTime.Time
	}
	return time.Time{}
}
