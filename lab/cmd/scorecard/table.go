//go:build linux

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab/scenario"
)

const head = `# Scorecard

Every row is a node that was broken for real in the lab, once, and what nodetriage said of it, by what it was shown.
Right: the cause is the first finding, or, for a fault that ends at once, reported as resolved. Second: it is named, but
not first. Unknown: the evidence cannot show it; nothing is named, or only what is true and says less (a node that is lost), and the
report says what would show it: that is the need. Wrong: something else is first. **Pasted text** is what a person collects with kubectl and on the node. **With node
report** is what ` + "`nodetriage node-check`" + ` and the logs of kubelet and runtime say on the node, with the bundle. **Saved evidence** is
the file of ` + "`node-check --save`" + ` alone, written on the broken node before it would be replaced. Each row is of
the newest run that played its scenario; how busy the computer was then shows in its times. Nodes of ` + "`scorecard-systemd.md`" + ` have
systemd as their first process, those of ` + "`scorecard.md`" + ` have none.
` + "`make scorecard`" + ` writes both pages again.

`

const timesHead = `
## Times

From the beginning of the break to the first right answer, by evidence, beside the time at which Kubernetes said NotReady. The
node was looked at again and again, a second after the break and a second after each answer; an answer counts when it is there.
Visible is when the broken thing can show itself on the node at the earliest: at once, or when the component that meets it next looks.
Of the times with node report, those after that are to be within 15 s. Latency is from the first object of the API that shows
the fault, an event or a condition or the broken object itself, to the first right answer from the API alone; it is to be within 5 s.
It begins when the break is done, and, of what is seen where nothing is wrong as well (a pod that goes within some seconds after its
grace period), when that time is over. Saved is how long ` + "`node-check --save`" + ` took, once, when everything showed, and how large its file is.

`

// watched lists the kinds of evidence that are evaluated repeatedly. The evidence of the node is saved once.
var watched = slices.DeleteFunc(slices.Clone(scenario.Ways), func(way string) bool { return way == scenario.Saved })

// table writes the page of all scenarios. Scenarios that did not run keep their rows of the previous page.
func table(before string, all []scenario.Scenario, results []*scenario.Result) (string, int) {
	answers := columns(scenario.Ways, "scenario", "truth", "healed")
	clock := columns(watched, "scenario", "NotReady", "visible", "latency", "saved")
	rows, clocks := kept(before, len(answers), len(clock))
	for _, r := range results {
		if r != nil {
			rows[r.Scenario.Name], clocks[r.Scenario.Name] = row(r), times(r)
		}
	}
	var out, second strings.Builder
	out.WriteString(head + heading(answers))
	second.WriteString(timesHead + heading(clock))
	count := map[scenario.Verdict]int{}
	for _, s := range all {
		out.WriteString(rows[s.Name])
		second.WriteString(clocks[s.Name])
		for _, cell := range cells(rows[s.Name]) {
			word, _, _ := strings.Cut(cell, ",")
			count[scenario.Verdict(word)]++
		}
	}
	fmt.Fprintf(&out, "\n%d right, %d second, %d unknown, %d wrong.\n", count[scenario.Right], count[scenario.Second], count[scenario.Unknown], count[scenario.Wrong])
	second.WriteString(costs(slices.Collect(maps.Values(clocks))))
	return out.String() + second.String(), count[scenario.Wrong]
}

// kept returns the rows of a page by scenario: answers and times. Rows of a page with other columns are dropped.
func kept(page string, answers, times int) (rows, clocks map[string]string) {
	rows, clocks = map[string]string{}, map[string]string{}
	first, second, _ := strings.Cut(page, "## Times")
	keep := func(part string, wide int, into map[string]string) {
		for text := range strings.Lines(part) {
			if c := cells(text); len(c) == wide {
				into[c[0]] = text
			}
		}
	}
	keep(first, answers, rows)
	keep(second, times, clocks)
	return rows, clocks
}

// costs returns the maximum cost of saving, from the rows of times.
func costs(rows []string) string {
	n, longest, largest := 0, 0, 0
	for _, row := range rows {
		c := cells(row)
		var took, size int
		if _, err := fmt.Sscanf(c[len(c)-1], saving, &took, &size); err == nil {
			n, longest, largest = n+1, max(longest, took), max(largest, size)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("\nOf %d files of saved evidence the largest has %d kB (at most 20000 are wanted) and the longest took %d s (under 20 are wanted).\n",
		n, largest, longest)
}

// cells returns the cells of a row; nil: the line is not a row.
func cells(row string) []string {
	text, ok := strings.CutPrefix(strings.TrimSpace(row), "| ")
	if !ok {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, " |"), " | ")
}

// columns returns two columns, one for each kind of evidence, and more.
func columns(ways []string, first, second string, more ...string) []string {
	return slices.Concat([]string{first, second}, ways, more)
}

// heading starts a table.
func heading(columns []string) string {
	return line(columns) + "|" + strings.Repeat(" --- |", len(columns)) + "\n"
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
	for _, way := range watched {
		cells = append(cells, seconds(r.First[way]))
	}
	visible := "-"
	if r.Scenario.Real {
		visible = fmt.Sprintf("%.0f s", r.Scenario.Visible.Seconds())
	}
	save := "-"
	if r.Save.Size > 0 {
		save = fmt.Sprintf(saving, int(r.Save.Took.Round(time.Second).Seconds()), (r.Save.Size+999)/1000)
	}
	return line(append(cells, visible, latency(r), save))
}

// saving returns the duration and size of the saved evidence of a node.
const saving = "%d s, %d kB"

// latency is the time from the first unusual evidence to the answer. A right answer may come earlier, from queries
// whose result is in no object.
func latency(r *scenario.Result) string {
	first, right := r.First[scenario.API]
	if !right || r.Told == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f s", max(0, first-max(r.Told+r.Scenario.Ordinary, r.Broken)).Seconds())
}

// detail lists the reported causes for the developer.
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
