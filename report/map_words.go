package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// The texts of a node's line, the same for a terminal and for HTML.

// mark shows the state without colour, at the start of the line.
func mark(n *nodes.Node) string {
	switch n.State {
	case nodes.Silent, nodes.NotReady, nodes.Unhealthy:
		return "!"
	case nodes.Cordoned:
		return "-"
	case nodes.Unknown:
		return "?"
	}
	return " "
}

func stateColor(s nodes.State) string {
	switch s {
	case nodes.Silent, nodes.NotReady:
		return red
	case nodes.Unhealthy, nodes.Cordoned:
		return yellow
	}
	return ""
}

func sinceShort(t, now *time.Time) string {
	if t == nil || now == nil {
		return ""
	}
	return wording.Duration(now.Sub(*t))
}

func podCount(p nodes.Pods) string {
	if p.Running == nil {
		return "-"
	}
	if p.Max == nil {
		return fmt.Sprint(*p.Running)
	}
	return fmt.Sprintf("%d/%d", *p.Running, *p.Max)
}

// share returns requests and usage as percentages of allocatable.
func share(a nodes.Amount) string {
	out := percentOf(a.RequestedShare)
	if a.Used != nil {
		out += "/" + percentOf(a.UsedShare)
	}
	return out
}

func percentOf(share *int) string {
	if share == nil {
		return "-"
	}
	return fmt.Sprintf("%d%%", *share)
}

// freeSays returns headroom for a column, in the units of kubectl: 1200m / 3.4Gi / 42 pods.
func freeSays(f nodes.Free) string { return free(f, " / ", "", "") }

// freeInWords returns headroom for a sentence: 1200m CPU, 3.4Gi memory, 42 pods.
func freeInWords(f nodes.Free) string { return free(f, ", ", " CPU", " memory") }

func free(f nodes.Free, between, cpu, memory string) string {
	if f.CPU == nil && f.Memory == nil && f.Pods == nil {
		return "-"
	}
	amount := func(n *int64, says func(int64) string) string {
		if n == nil {
			return "-"
		}
		return says(*n)
	}
	parts := []string{
		amount(f.CPU, func(n int64) string { return resource.NewMilliQuantity(n, resource.DecimalSI).String() + cpu }),
		amount(f.Memory, func(n int64) string { return nodes.Bytes(n) + memory }),
		amount(f.Pods, func(n int64) string { return wording.Count(int(n), "pod") }),
	}
	for _, name := range sortedKeys(f.Devices) {
		parts = append(parts, fmt.Sprintf("%d %s", f.Devices[name], name))
	}
	return strings.Join(parts, between)
}

// noNodes says why a map is empty.
func noNodes(m *nodes.Map) string {
	if m.Hidden > 0 {
		return noneMatch(lists.Head{Hidden: m.Hidden, Filters: m.Filters}, "node")
	}
	return "The evidence has no nodes."
}

// mapFree returns the headroom of the cluster; "" if it is unknown.
func mapFree(m *nodes.Map) string {
	says := freeInWords(m.Free)
	if m.Nodes == 0 || m.Schedulable == nil || says == "-" {
		return ""
	}
	return fmt.Sprintf("Free on %s: %s", wording.Count(*m.Schedulable, "schedulable node"), says)
}

// nodeNotes returns the notes about a node next to its row.
func nodeNotes(n *nodes.Node, now *time.Time) []string {
	var out []string
	if len(n.Findings) > 0 {
		out = append(out, foundSays(n.Findings))
	}
	if len(n.Problems) > 0 {
		out = append(out, "reports "+strings.Join(n.Problems, ", "))
	}
	out = append(out, n.Warnings...)
	if n.Reason != "" && len(n.Findings) == 0 {
		out = append(out, shorten(n.Reason, 200))
	}
	if n.Overdue && n.State != nodes.Silent {
		out = append(out, "heartbeat overdue")
	}
	if n.Cordon != nil {
		out = append(out, cordonSays(n.Cordon, now))
	}
	if n.Pods.NotWell > 0 {
		out = append(out, wording.Count(n.Pods.NotWell, "pod")+" not ready or Terminating")
	}
	if len(n.Over) > 0 {
		out = append(out, "resolved: "+pastSays(n.Over, now))
	}
	if len(n.Differs) > 0 {
		out = append(out, "different from its group: "+traits(n.Differs))
	}
	if len(n.Labels) > 0 {
		out = append(out, "labels: "+labelsSay(n.Labels))
	}
	return out
}

// labelsSay formats labels like a selector. A label that the node does not have, or has without a value, is <none>.
func labelsSay(labels map[string]string) string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		out = append(out, key+"="+cmp.Or(labels[key], "<none>"))
	}
	return strings.Join(out, ", ")
}

// pastSays names resolved problems and their times.
func pastSays(list []nodes.Past, now *time.Time) string {
	return wording.First(apply(list, func(p nodes.Past) string { return joined(" ", p.Cause, fromTo(p.From, p.To, now)) }), 3)
}

// faultCount returns how many independent faults there are, if there are several.
func faultCount(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf("%d independent faults", n)
}

func cordonSays(c *nodes.Cordon, now *time.Time) string {
	out := "cordoned"
	if d := sinceShort(c.At, now); d != "" {
		out += " " + d + " ago"
	}
	if c.By != "" {
		out += " by " + c.By
	}
	return out
}

// foundSays describes findings in a sentence each. One without a sentence is its cause, and the cause of that, unless it was named
// before.
func foundSays(list []nodes.Found) string {
	named := map[string]bool{}
	return strings.Join(apply(list, func(f nodes.Found) string {
		out := f.Cause
		if f.Summary != "" {
			named[f.Cause], named[f.Follows] = true, true
			return sentenceOf(f)
		}
		if f.Likely {
			out += " (likely)"
		}
		if f.Follows != "" && !named[f.Follows] {
			out += " (from " + f.Follows + ")"
		}
		named[f.Cause], named[f.Follows] = true, true
		return out
	}), ", ")
}

// sentenceOf returns the finding in a sentence, with its id.
func sentenceOf(f nodes.Found) string {
	id := f.Cause
	if f.Likely {
		id += ", likely"
	}
	return f.Summary + " (" + id + ")"
}

// mapUse returns the source of the usage of nodes, unless it is the metrics API.
func mapUse(m *nodes.Map) string {
	from := map[string]int{}
	for _, g := range m.Groups {
		for _, n := range g.Nodes {
			from[n.UsedFrom]++
		}
	}
	switch known := from["kubelet"]; {
	case m.Nodes == 0 || from["metrics API"] > 0:
		return ""
	case known > 0:
		return fmt.Sprintf("Usage is from the kubelet summary (%d of %s), because the metrics API has none: %s", known, wording.Count(m.Nodes, "node"), noMetrics)
	}
	return ""
}

// MapInShort summarizes the state of all nodes in one line.
func MapInShort(m *nodes.Map) string {
	return strings.ToUpper(string(m.Verdict)) + ", " + wording.Count(m.Nodes, "node") + ": " + states(m.States)
}

// NodeInShort summarizes the state of a node in a few words, which are the same as long as the state is the same.
func NodeInShort(n *nodes.Node) string {
	out := n.State.Says()
	if len(n.Findings) > 0 {
		out += ", " + strings.Join(apply(n.Findings, func(f nodes.Found) string { return f.Cause }), ", ")
	}
	return out
}

// InShort summarizes a report in one line, and its findings in a few words each, by cause and subject.
func InShort(r *triage.Report) (all string, findings map[string]string) {
	all, findings = strings.ToUpper(string(shownVerdict(r))), map[string]string{"verdict": string(r.Verdict)}
	for i, f := range r.Findings {
		if i == 0 {
			all += ", " + f.Cause + " (" + string(f.Certainty) + "): " + strings.TrimSuffix(f.Summary, ".")
		}
		for _, on := range append(f.Subjects[:len(f.Subjects):len(f.Subjects)], f.LikelyOn...) {
			findings[joined(" on ", f.Cause, on.String())] = string(f.Severity) + ", " + string(f.Certainty)
		}
	}
	return all, findings
}
