//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab/scenario"
)

const head = `# Scorecard

Every row is a node that was broken for real in the lab, once, and what nodetriage said of it, by what it was shown.
Right: the cause is the first finding. Second: it is named, but not first. Unknown: the evidence cannot show it; nothing is
named, or only what is true and says less (a node that is lost), and the report says what would show it: that is the
need. Wrong: something else is first. **Pasted text** is what a person collects with kubectl and on the node. **With node
report** is what ` + "`nodetriage node-check`" + ` and the logs of kubelet and runtime say on the node, with the bundle. Each row is of
the newest run that played its scenario; how busy the computer was then shows in its times. Nodes of ` + "`scorecard-systemd.md`" + ` have
systemd as their first process, those of ` + "`scorecard.md`" + ` have none.
` + "`make scorecard`" + ` makes both pages anew.

`

const timesHead = `
## Times

From the beginning of the break to the first right answer, by evidence, beside the time at which Kubernetes said NotReady. The
node was looked at again and again, a second after the break and a second after each answer; an answer counts when it is there.
Visible is when the broken thing can show itself on the node at the earliest: at once, or when the component that meets it next looks.
Of the times with node report, those after that are to be within 15 s. Latency is from the first object of the API that tells of
the fault, an event or a condition or the broken object itself, to the first right answer from the API alone; it is to be within 5 s.
It begins when the break is done, and, of what is seen where nothing is wrong as well (a pod that goes within some seconds after its
grace period), when that time is over.

`

// table writes the page of all. Scenarios that were not played keep the rows that they have in the page before.
func table(before string, all []scenario.Scenario, results []*scenario.Result) (string, int) {
	rows, clocks := kept(before)
	for _, r := range results {
		if r != nil {
			rows[r.Scenario.Name], clocks[r.Scenario.Name] = row(r), times(r)
		}
	}
	var out, second strings.Builder
	out.WriteString(head + heading("scenario", "truth", "healed"))
	second.WriteString(timesHead + heading("scenario", "NotReady", "visible", "latency"))
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
	return out.String() + second.String(), count[scenario.Wrong]
}

// kept are the rows of a page, by scenario: those of the answers and those of the times.
func kept(page string) (rows, clocks map[string]string) {
	rows, clocks = map[string]string{}, map[string]string{}
	answers, rest, _ := strings.Cut(page, "## Times")
	for part, into := range map[string]map[string]string{answers: rows, rest: clocks} {
		for text := range strings.Lines(part) {
			if c := cells(text); len(c) > 0 {
				into[c[0]] = text
			}
		}
	}
	return rows, clocks
}

// cells are those of a row; none: it is no row.
func cells(row string) []string {
	text, ok := strings.CutPrefix(strings.TrimSpace(row), "| ")
	if !ok {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, " |"), " | ")
}

// heading begins a table with two columns, one for each way, and more.
func heading(first, second string, more ...string) string {
	cells := slices.Concat([]string{first, second}, scenario.Ways, more)
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
	return line(append(cells, visible, latency(r)))
}

// latency is the time from what tells, and is not ordinary any more, to the answer; a right answer may come before, from what is
// asked and stands in no object.
func latency(r *scenario.Result) string {
	first, right := r.First[scenario.API]
	if !right || r.Told == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f s", max(0, first-max(r.Told+r.Scenario.Ordinary, r.Broken)).Seconds())
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
