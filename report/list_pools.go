package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
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
	t := grid{columns: []column{
		{"POOL", always}, {"READY", always}, {"COUNT", 1}, {"STATE", 2}, {"FREE", 3}, {"ONLY HERE", 4}, {"VERSION", 5}, {"SIZE", 6}, {"MODE", 7}, {"ZONES", 8},
		{"POWER", 9}, {"PRIORITY", 10}, {"SURGE", 11}, {"IMAGE", 12}, {"TAINTS", 13}, {"LABELS", 14},
	}}
	for _, x := range p.Pools {
		t.rows = append(t.rows, gridRow{cells: []string{
			named(x.Name, "(no pool)"), readySays(x), countSays(x), dash(x.State), freeSays(x.Free), pendingShort(x.Removal), dash(x.Version), dash(x.Size), dash(x.Mode),
			dash(strings.Join(x.Zones, ",")), dash(x.Power), dash(x.Priority), dash(x.Upgrade.MaxSurge), dash(x.Image), none(strings.Join(x.Taints, ",")), none(pairs(x.Labels)),
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
	l := list{head: p.Head, says: found(p.Head, t, "node pool"), next: nextForPools(p), tables: withRows(t), narrow: "--pool POOL, --node NODE, --problems"}
	switch {
	case len(p.Pools) == 1 && p.One:
		l.says, l.facts, l.tables = "node pool "+named(p.Pools[0].Name, "(no pool)"), poolFacts(p.Pools[0], p.NoNodes), nil
		l.notes = p.Pools[0].Odd
	case len(p.Pools) > 0:
		l.notes = []string{"ONLY HERE: pods that would stay Pending without this pool. Details of a pool: nodetriage pools --pool POOL"}
		for _, x := range p.Pools {
			if x.Removal.Pending == nil {
				l.notes = append(l.notes, "ONLY HERE is unknown: "+x.Removal.Why)
				break
			}
		}
	}
	l.notes = append(clusters, l.notes...)
	return l
}

// nextForPools diagnoses the first pool with a problem.
func nextForPools(p *lists.Pools) shell.Text {
	for _, x := range p.Pools {
		if len(x.Odd) > 0 && x.Name != "" {
			return shell.Format("nodetriage diagnose --pool {pool}", x.Name)
		}
	}
	return ""
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

func readySays(x lists.Pool) string {
	if x.Ready == nil {
		return "-"
	}
	return fmt.Sprintf("%d/%d", *x.Ready, x.Nodes)
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
		from = "nodes and their labels"
	}
	add("Source", from)
	if !unread {
		add("Nodes", joined(": ", strconv.Itoa(x.Nodes), states(x.States)))
	}
	if x.Count != nil {
		says := wording.Count(*x.Count, "VM") + " configured"
		switch x.Autoscaling {
		case evidence.True:
			if x.Min != nil && x.Max != nil {
				says += fmt.Sprintf(", autoscaler limits %d to %d", *x.Min, *x.Max)
			}
		case evidence.False:
			says += ", no autoscaler"
		}
		add("Count", says)
	}
	add("Type", joined(", ", x.Mode, x.Size, x.System, x.Priority))
	add("State", joined(", ", x.State, x.Power))
	if says := freeSays(x.Free); says != "-" {
		add("Free", says+" (allocatable minus requests, on nodes that are Ready and not cordoned)")
	}
	add("Zones", strings.Join(x.Zones, ", "))
	add("Version", x.Version)
	add("Image", x.Image)
	if x.MaxPods != nil {
		add("Max pods", fmt.Sprintf("%d per node", *x.MaxPods))
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
	add("maxSurge %s", u.MaxSurge)
	add("maxUnavailable %s", u.MaxUnavailable)
	add("drain timeout %s", u.DrainTimeout)
	add("soak %s after each node", u.Soak)
	add("undrainable nodes: %s", u.Undrainable)
	return strings.Join(out, ", ")
}

func removalSays(r lists.Removal) string {
	var out string
	switch {
	case r.Pending != nil && r.Pods == 0:
		out = "no pods to move"
	case r.Pending != nil && *r.Pending == 0:
		out = wording.Count(r.Pods, "pod") + " to move, and all replacements fit on other nodes"
	case r.Pending != nil:
		out = fmt.Sprintf("%d of %s would stay Pending: %s; scheduler: %s", *r.Pending, wording.Count(r.Pods, "pod"), wording.First(r.Names, 5), r.Why)
	case r.AtLeast > 0:
		out = fmt.Sprintf("at least %d of %s would stay Pending, because no other node matches their requirements; the others are unknown: %s", r.AtLeast, wording.Count(r.Pods, "pod"), r.Why)
	default:
		out = "unknown which pods would stay Pending: " + r.Why
	}
	if r.Alone > 0 {
		out += fmt.Sprintf("; %s no controller and would not be recreated", wording.Counted(r.Alone, "pod has", "pods have"))
	}
	return out
}
