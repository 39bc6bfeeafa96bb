//go:build linux

package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab/scenario"
)

const head = `# Scorecard

Every row is a node that was broken for real in the lab, once, and what nodetriage said of it, by what it was shown.
Right: the cause is the first finding. Second: it is named, but not first. Unknown: the evidence cannot show it; nothing is
named, or only what is true and says less (a node that is lost), and the report says what would show it: that is the
need. Wrong: something else is first. **Pasted text** is what a person collects with kubectl and on the node. **With node
report** is what ` + "`nodetriage node-check`" + ` and the logs of kubelet and runtime say on the node, with the bundle.
` + "`make scorecard`" + ` makes this page anew.

`

const timesHead = `
## Times

From the break to the first right answer, by evidence, beside the time at which Kubernetes said NotReady. The node was looked
at again and again from the break on. Visible is when the node itself can know it at the earliest.

`

func table(results []*scenario.Result) (string, int) {
	var out, clocks strings.Builder
	out.WriteString(head + heading("scenario", "truth", "healed"))
	clocks.WriteString(timesHead + heading("scenario", "NotReady", "visible"))
	count := map[scenario.Verdict]int{}
	for _, r := range results {
		if r == nil {
			continue
		}
		out.WriteString(row(r))
		clocks.WriteString(times(r))
		for _, a := range r.Answers {
			count[a.Verdict]++
		}
	}
	fmt.Fprintf(&out, "\n%d right, %d second, %d unknown, %d wrong.\n", count[scenario.Right], count[scenario.Second], count[scenario.Unknown], count[scenario.Wrong])
	return out.String() + clocks.String(), count[scenario.Wrong]
}

// heading begins a table with two columns, one for each way, and one more.
func heading(first, second, last string) string {
	cells := append([]string{first, second}, append(append([]string{}, scenario.Ways...), last)...)
	return line(cells) + "|" + strings.Repeat(" --- |", len(cells)) + "\n"
}

func line(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

func row(r *scenario.Result) string {
	cells := []string{r.Scenario.Name, r.Scenario.Truth.Class}
	for _, way := range scenario.Ways {
		a := r.Answers[way]
		word := string(a.Verdict)
		if a.Need != "" {
			word += ", need `" + a.Need + "`"
		}
		cells = append(cells, word)
	}
	return line(append(cells, map[bool]string{true: "yes", false: "no"}[r.Healed]))
}

func times(r *scenario.Result) string {
	cells := []string{r.Scenario.Name, seconds(r.NotReady)}
	for _, way := range scenario.Ways {
		cells = append(cells, seconds(r.First[way]))
	}
	visible := "-"
	if r.Scenario.Real {
		visible = fmt.Sprintf("%.0f s", r.Scenario.Visible.Seconds())
	}
	return line(append(cells, visible))
}

// detail is for the developer who reads along: the causes that were named.
func detail(r *scenario.Result) string {
	var out strings.Builder
	for _, way := range scenario.Ways {
		fmt.Fprintf(&out, "    %s: %v\n", way, r.Answers[way].Causes)
	}
	return out.String()
}

func seconds(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}
