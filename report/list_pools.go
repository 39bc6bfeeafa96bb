package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// Pools writes the node pools for a terminal.
func Pools(w io.Writer, p *lists.Pools, style Style) error {
	return poolList(cleaned(p)).writeText(w, style)
}

// PoolsMarkdown writes them for a ticket.
func PoolsMarkdown(w io.Writer, p *lists.Pools) error {
	return poolList(cleaned(p)).writeMarkdown(w)
}

// PoolsHTML writes them as one self-contained page.
func PoolsHTML(w io.Writer, p *lists.Pools, version string) error {
	return poolList(cleaned(p)).writeHTML(w, "node pools", version)
}

func poolList(p *lists.Pools) list {
	t := grid{
		names: []string{"POOL", "MODE", "SIZE", "COUNT", "READY", "VERSION", "STATE", "PENDING", "ZONES", "POWER", "PRIORITY", "SURGE", "IMAGE", "TAINTS", "LABELS"},
		wide:  7,
	}
	for _, x := range p.Pools {
		t.rows = append(t.rows, gridRow{cells: []string{
			named(x.Name, "(no pool)"), dash(x.Mode), dash(x.Size), countSays(x), readySays(x, p.NoNodes),
			dash(x.Version), dash(x.State), pendingShort(x.Removal), dash(strings.Join(x.Zones, ",")), dash(x.Power), dash(x.Priority),
			dash(x.Upgrade.MaxSurge), dash(x.Image), dash(strings.Join(x.Taints, ",")), dash(pairs(x.Labels)),
		}, odd: x.Odd})
	}
	var clusters []string
	for _, x := range p.Clusters {
		says := strings.Join([]string{"cluster", x.Name, dash(x.State)}, " ")
		if x.Power != "" {
			says += ", " + x.Power
		}
		clusters = append(clusters, strings.Join(append([]string{says}, x.Odd...), ": "))
	}
	l := list{head: p.Head, says: found(p.Head, t, "node pool"), tables: withRows(t), narrow: "--pool POOL, --node NODE, --odd"}
	switch {
	case len(p.Pools) == 1 && p.One:
		l.says, l.facts, l.tables = "node pool "+named(p.Pools[0].Name, "(no pool)"), poolFacts(p.Pools[0], p.NoNodes), nil
		l.notes = p.Pools[0].Odd
	case len(p.Pools) > 0:
		l.notes = []string{"PENDING is how many of its pods would find no node if the pool were removed. All about one pool: nodetriage pools --pool NAME"}
		for _, x := range p.Pools {
			if x.Removal.Pending == nil {
				l.notes = append(l.notes, "Where it is unknown: "+x.Removal.Why)
				break
			}
		}
	}
	l.notes = append(clusters, l.notes...)
	return l
}

// countSays returns how many machines the pool wants, and its limits.
func countSays(x lists.Pool) string {
	if x.Count == nil {
		return "-"
	}
	out := strconv.Itoa(*x.Count)
	if x.Autoscaling == evidence.True && x.Min != nil && x.Max != nil {
		out += fmt.Sprintf(" (%d-%d)", *x.Min, *x.Max)
	}
	return out
}

func readySays(x lists.Pool, unread bool) string {
	if unread {
		return "-"
	}
	return fmt.Sprintf("%d/%d", x.States[nodes.Ready], x.Nodes)
}

func pendingShort(r lists.Removal) string {
	switch {
	case r.Pending != nil:
		return fmt.Sprintf("%d of %d", *r.Pending, r.Pods)
	case r.AtLeast > 0:
		return fmt.Sprintf(">=%d of %d", r.AtLeast, r.Pods)
	}
	return "unknown"
}

func pairs(m map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k+"="+m[k])
	}
	return strings.Join(out, ", ")
}

// poolFacts returns all details of one pool.
func poolFacts(x lists.Pool, unread bool) []fact {
	var out []fact
	add := func(name, says string) {
		if says != "" {
			out = append(out, fact{name, says})
		}
	}
	from := "the cloud"
	if x.Source == "nodes" {
		from = "its nodes and their labels alone"
	}
	add("Told by", from)
	if !unread {
		add("Nodes", joined(": ", strconv.Itoa(x.Nodes), states(x.States)))
	}
	if x.Count != nil {
		says := "wants " + wording.Count(*x.Count, "machine")
		switch x.Autoscaling {
		case evidence.True:
			if x.Min != nil && x.Max != nil {
				says += fmt.Sprintf(", changed by the autoscaler between %d and %d", *x.Min, *x.Max)
			}
		case evidence.False:
			says += ", changed by people alone"
		}
		add("Count", says)
	}
	add("Is", joined(", ", x.Mode, x.Size, x.System, x.Priority))
	add("State", joined(", ", x.State, x.Power))
	add("Zones", strings.Join(x.Zones, ", "))
	add("Version", x.Version)
	add("Image", x.Image)
	if x.MaxPods != nil {
		add("Max pods", fmt.Sprintf("%d on one node", *x.MaxPods))
	}
	add("Labels", pairs(x.Labels))
	add("Taints", strings.Join(x.Taints, ", "))
	add("Upgrade", upgradeSays(x.Upgrade))
	add("Removal", removalSays(x.Removal))
	return out
}

func upgradeSays(u lists.PoolUpgrade) string {
	var out []string
	add := func(format, value string) {
		if value != "" {
			out = append(out, fmt.Sprintf(format, value))
		}
	}
	add("adds %s of its nodes meanwhile", u.MaxSurge)
	add("takes up to %s away", u.MaxUnavailable)
	add("waits %s for a drain", u.DrainTimeout)
	add("waits %s after each node", u.Soak)
	add("a node that cannot be drained: %s", u.Undrainable)
	return strings.Join(out, ", ")
}

func removalSays(r lists.Removal) string {
	var out string
	switch {
	case r.Pending != nil && r.Pods == 0:
		out = "no pod would have to move"
	case r.Pending != nil && *r.Pending == 0:
		out = wording.Counted(r.Pods, "pod", "pods") + " would have to move, and all that are made again find a node"
	case r.Pending != nil:
		out = fmt.Sprintf("%d of %s would stay Pending: %s; the scheduler: %s", *r.Pending, wording.Count(r.Pods, "pod"), wording.First(r.Names, 5), r.Why)
	case r.AtLeast > 0:
		out = fmt.Sprintf("at least %d of %s would stay Pending: no other node has what they ask for; of the others it is not known: %s", r.AtLeast, wording.Count(r.Pods, "pod"), r.Why)
	default:
		out = "which pods would stay Pending is not known: " + r.Why
	}
	if r.Alone > 0 {
		out += fmt.Sprintf("; %s for good: nobody makes it again", wording.Counted(r.Alone, "is gone", "are gone"))
	}
	return out
}
