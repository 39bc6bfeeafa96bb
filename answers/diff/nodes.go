package diff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// nodes compares the nodes of two Snapshots.
func (d *Diff) nodes(before, after *evidence.Snapshot, only []string) {
	for _, side := range []*evidence.Snapshot{before, after} {
		if side.Covers(evidence.Nodes) == evidence.NotRead {
			d.notKnown("changes of nodes: " + side.Source().String() + " contains no nodes")
			return
		}
	}
	names := map[string]bool{}
	for _, n := range slices.Concat(before.Nodes(), after.Nodes()) {
		names[n.Name] = len(only) == 0 || slices.Contains(only, n.Name)
	}
	whole := before.Covers(evidence.Nodes) == evidence.Complete && after.Covers(evidence.Nodes) == evidence.Complete
	var alone []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, b := before.Node(name), after.Node(name)
		switch {
		case !names[name]:
		case !whole && (a == nil || b == nil):
			alone = append(alone, name)
		case a == nil:
			d.Joined = append(d.Joined, name)
		case b == nil:
			d.Left = append(d.Left, name)
		default:
			if list := changesOf(before, after, a, b); len(list) > 0 {
				d.Nodes = append(d.Nodes, Node{name, list})
			}
		}
	}
	if len(alone) > 0 {
		d.notKnown("whether " + wording.Some(alone) + " joined or left: found in only one snapshot, and a saved list of nodes may be incomplete")
	}
	slices.SortStableFunc(d.Nodes, func(a, b Node) int { return cmp.Compare(d.rank(a), d.rank(b)) })
}

// rank puts nodes with new causes first.
func (d *Diff) rank(n Node) int {
	if slices.ContainsFunc(d.Came, func(c Cause) bool { return c.Subject == evidence.NodeSubject(n.Name) }) {
		return 0
	}
	return 1
}

// changesOf lists the changes on one node: its state, operations on it, its properties, its pods.
func changesOf(before, after *evidence.Snapshot, a, b *evidence.Node) []Change {
	out := conditions(a, b)
	differ := func(what, was, is string, at time.Time) {
		if was != is {
			out = append(out, Change{what, was, is, evidence.Stamp(at)})
		}
	}
	at, by := b.CordonedBy()
	differ("cordon", cordoned(a, ""), cordoned(b, by), at)
	if one, two := a.Node.Status.NodeInfo.BootID, b.Node.Status.NodeInfo.BootID; one != "" && two != "" {
		differ("boot", one, two, time.Time{})
	}
	if one, two := a.UID, b.UID; one != "" && two != "" {
		differ("object", madeAt(a.CreationTimestamp.Time), madeAt(b.CreationTimestamp.Time), b.CreationTimestamp.Time)
	}
	differ("machine", a.Spec.ProviderID, b.Spec.ProviderID, time.Time{})
	differ("addresses", addresses(a), addresses(b), time.Time{})
	for _, c := range triage.TraitsChanged(before, after, a.Name) {
		out = append(out, Change{What: c.What, Before: c.Before, After: c.After})
	}
	out = append(out, amounts(a, b)...)
	out = append(out, reported(before, after, a.Name)...)
	return append(out, pods(before, after, a.Name)...)
}

func madeAt(t time.Time) string {
	if t.IsZero() {
		return "created at an unknown time"
	}
	return "made " + wording.Instant(t)
}

// conditions compares conditions by status and reason.
func conditions(a, b *evidence.Node) []Change {
	var out []Change
	for i := range b.Node.Status.Conditions {
		is := &b.Node.Status.Conditions[i]
		was := a.Condition(is.Type)
		if was != nil && was.Status != is.Status {
			out = append(out, Change{"condition " + string(is.Type), conditionSays(was), conditionSays(is), evidence.Stamp(is.LastTransitionTime.Time)})
		}
	}
	return out
}

func conditionSays(c *corev1.NodeCondition) string {
	return strings.TrimSpace(string(c.Status) + " " + c.Reason)
}

func cordoned(n *evidence.Node, by string) string {
	switch {
	case !n.Spec.Unschedulable:
		return ""
	case by == "":
		return "cordoned"
	}
	return "cordoned by " + by
}

func addresses(n *evidence.Node) string {
	var out []string
	for _, a := range n.Node.Status.Addresses {
		out = append(out, fmt.Sprintf("%s %s", a.Type, a.Address))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// amounts compares the capacity of the node.
func amounts(a, b *evidence.Node) []Change {
	var out []Change
	for _, of := range []struct {
		word    string
		was, is corev1.ResourceList
	}{{"capacity", a.Node.Status.Capacity, b.Node.Status.Capacity}, {"allocatable", a.Node.Status.Allocatable, b.Node.Status.Allocatable}} {
		names := map[corev1.ResourceName]bool{}
		for _, list := range []corev1.ResourceList{of.was, of.is} {
			for name := range list {
				names[name] = true
			}
		}
		if len(of.was) == 0 || len(of.is) == 0 {
			continue // unknown
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			was, is := of.was[name], of.is[name]
			if was.Cmp(is) != 0 {
				out = append(out, Change{What: of.word + " " + string(name), Before: was.String(), After: is.String()})
			}
		}
	}
	return out
}

// reported compares the units, settings and kernel in two node reports.
func reported(before, after *evidence.Snapshot, node string) []Change {
	a, b := newest(before.Reports(node)), newest(after.Reports(node))
	if a == nil || b == nil {
		return nil
	}
	var out []Change
	each := func(word string, was, is map[string]string) {
		for _, k := range slices.Sorted(maps.Keys(was)) {
			if now, there := is[k]; there && now != was[k] {
				out = append(out, Change{What: word + " " + k, Before: was[k], After: now})
			}
		}
	}
	each("unit", units(a), units(b))
	each("sysctl", a.Sysctls, b.Sysctls)
	each("limit", a.Limits, b.Limits)
	if a.Kubelet != nil && b.Kubelet != nil {
		each("kubelet setting", a.Kubelet.Settings, b.Kubelet.Settings)
	}
	for _, d := range triage.SetupChanged(a, b) {
		out = append(out, Change{What: d.What, Before: d.There, After: d.Here, At: d.Since})
	}
	return out
}

// newest returns the newest report of node-check or the agent.
func newest(list []*nodereport.Report) *nodereport.Report {
	var out *nodereport.Report
	for _, r := range list {
		if r.Kind == nodereport.Kind && (out == nil || r.TakenAt.After(out.TakenAt)) {
			out = r
		}
	}
	return out
}

func units(r *nodereport.Report) map[string]string {
	out := map[string]string{}
	for _, u := range r.Units {
		out[u.Name] = strings.Join(slices.DeleteFunc([]string{u.Load, u.Active, u.Sub, u.Enabled}, func(s string) bool { return s == "" }), " ")
	}
	return out
}

// pods compares the pods of the node, if both sides contain all of them.
func pods(before, after *evidence.Snapshot, node string) []Change {
	if !before.Read(evidence.Pods) || !after.Read(evidence.Pods) {
		return nil
	}
	was, is := byName(before.PodsOn(node)), byName(after.PodsOn(node))
	var gone, came []string
	var out []Change
	for _, name := range slices.Sorted(maps.Keys(was)) {
		switch now := is[name]; {
		case now == nil:
			gone = append(gone, name)
		case now.UID != was[name].UID && now.UID != "" && was[name].UID != "":
			out = append(out, Change{"pod " + name, madeAt(was[name].Created), madeAt(now.Created), evidence.Stamp(now.Created)})
		case now.Restarts > was[name].Restarts:
			out = append(out, Change{"restarts of pod " + name, strconv.Itoa(was[name].Restarts), strconv.Itoa(now.Restarts), evidence.Stamp(lastEnd(now))})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if was[name] == nil {
			came = append(came, name)
		}
	}
	if len(gone) > 0 {
		out = append(out, Change{What: "pods removed", Before: wording.Some(gone)})
	}
	if len(came) > 0 {
		out = append(out, Change{What: "pods added", After: wording.Some(came)})
	}
	return out
}

func byName(list []*evidence.Pod) map[string]*evidence.Pod {
	out := make(map[string]*evidence.Pod, len(list))
	for _, p := range list {
		if !p.Finished() {
			out[p.Key()] = p
		}
	}
	return out
}

func lastEnd(p *evidence.Pod) time.Time {
	var out time.Time
	for _, c := range p.Containers {
		if c.LastEnd.After(out) {
			out = c.LastEnd
		}
	}
	return out
}
