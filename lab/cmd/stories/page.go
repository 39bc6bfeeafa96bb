//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab/scenario"
	"github.com/nodetriage/nodetriage/lab/story"
)

const head = `# Stories

Each row is a story of two faults on real nodes whose work is replaced all the time: one after another on one node (then), the
same fault twice on one node (again), at once on two (beside) or on one (together). "Evicted" counts the pods of the work that the
Eviction API evicted between the faults. nodetriage was asked every five seconds, from before the first fault to a minute after
the last one was healed, in four ways of having evidence of the same moment: **live**; a **bundle** of collect; what **kubectl** get
saves as JSON; and the bundle **with node report** and logs. Each answer is judged by what was so at its moment: a fault of now must be
first once the evidence can show it, a resolved fault must not be, and within a minute after the end the answer must be HEALTHY.
For 15 s after its end a fault may still be named first, with the current state next to it: a kubelet reports every ten seconds. The same holds for what a restart brings with it if breaking or healing restarts a component (a kubelet or a runtime that is not there).
The ways of the API must say the same whenever nothing changed while they read; kubectl get alone asks no kubelet, so what differs
by the answer of a kubelet alone is counted beside: without these answers the bundle says what the dump says. Where a node was asked
about by name, the dump has more than the other ways and is not compared. Each node without a fault, and without one that ended less
than a minute ago, is asked about by name at every look, in the bundle and in what kubectl get saves: ` + "`diagnose NODE`" + ` must be HEALTHY
(column "other nodes": mistakes of questions). ` + "`go run ./cmd/stories`" + ` in ` + "`lab`" + ` plays new stories; ` + "`make stories LOOKS=FOLDERS`" + `
judges those that are kept again and makes this page. What the live program said cannot be asked again: the bundle has the same evidence.

`

// keptHere introduces the stories that are stored in this folder of the repository.
const keptHere = "What was seen in them is kept in `lab/%s`; `make stories-kept` judges it again.\n\n"

// known introduces the stories of seed 1.
const known = `One kind is known and stays. The kubelets of seed 1 went on saying DiskPressure for five minutes after the room was back, as kubelets do
by default; the answer repeats it.

`

// marks are the columns, in this order.
var marks = []story.Mark{story.Right, story.Part, story.Second, story.Unknown, story.Early, story.Wrong, story.Certain, story.False, story.Ending, story.Still, story.Well, story.Over, story.Failed}

// page writes the page and counts the mistakes. kept is the folder of the looks; it may be empty.
func page(played []*story.Played, kept string) (string, int) {
	var out strings.Builder
	out.WriteString(head)
	out.WriteString(size(played))
	if kept != "" {
		fmt.Fprintf(&out, keptHere, kept)
	}
	bad := 0
	out.WriteString("| evidence |")
	for _, m := range marks {
		fmt.Fprintf(&out, " %s |", m)
	}
	out.WriteString("\n|" + strings.Repeat(" --- |", len(marks)+1) + "\n")
	for _, way := range story.Ways {
		count := map[story.Mark]int{}
		for _, p := range played {
			for _, l := range p.Looks {
				if m, asked := mark(p, l, way); asked {
					count[m]++
					if m.Bad() {
						bad++
					}
				}
			}
		}
		fmt.Fprintf(&out, "| %s |", way)
		for _, m := range marks {
			fmt.Fprintf(&out, " %d |", count[m])
		}
		out.WriteByte('\n')
	}
	out.WriteString("\n| story | " + "distance | evicted | looks | mistakes live | bundle | kubectl | with node report | other nodes | named after told | HEALTHY after the end | ways compared | that differ | by a kubelet's answer alone |\n|" + strings.Repeat(" --- |", 14) + "\n")
	for _, p := range played {
		out.WriteString(row(p))
		wrong, _ := p.OfOthers()
		bad += wrong
	}
	out.WriteString("\n## Mistakes\n\n")
	if slices.Contains(seeds(played), "1") {
		out.WriteString(known)
	}
	for _, r := range ordered(mistakes(played)) {
		fmt.Fprintf(&out, "- %s (%s)\n", r.text, r.ways())
	}
	return out.String(), bad
}

// size returns the number of stories and looks.
func size(played []*story.Played) string {
	looks, where := 0, ""
	for _, p := range played {
		looks += len(p.Looks)
	}
	if played[0].Story.Systemd {
		where = " on nodes whose first process is systemd"
	}
	return fmt.Sprintf("%d stories were played%s, of the seeds %s, and looked at %d times.\n\n", len(played), where, strings.Join(seeds(played), " and "), looks)
}

// seeds returns the seeds of the stories.
func seeds(played []*story.Played) []string {
	var out []string
	for _, p := range played {
		if seed, _, _ := strings.Cut(p.Story.Name, "-"); !slices.Contains(out, seed) {
			out = append(out, seed)
		}
	}
	return out
}

func mark(p *story.Played, l *story.Look, way story.Way) (story.Mark, bool) {
	if _, asked := l.Answers[way]; !asked {
		return "", false
	}
	return story.Judge(p.Faults, l, way), true
}

// row returns the row of a story.
func row(p *story.Played) string {
	cells := []string{fmt.Sprintf("%s %s %s", p.Story.First, p.Story.Kind, p.Story.Second), p.Story.Distance.String(), evicted(p), fmt.Sprint(len(p.Looks))}
	for _, way := range story.Ways {
		bad, asked := 0, 0
		for _, l := range p.Looks {
			if m, ok := mark(p, l, way); ok {
				asked++
				if m.Bad() {
					bad++
				}
			}
		}
		cells = append(cells, map[bool]string{true: fmt.Sprint(bad), false: "-"}[asked > 0])
	}
	others := "-"
	if wrong, of := p.OfOthers(); of > 0 {
		others = fmt.Sprintf("%d of %d", wrong, of)
	}
	cells = append(cells, others)
	compared, differ, unheard := 0, 0, 0
	for _, l := range p.Looks {
		if l.Same {
			compared++
			if l.Unheard() {
				unheard++
			} else if len(l.Differences()) > 0 {
				differ++
			}
		}
	}
	cells = append(cells, latencies(p), healthy(p), fmt.Sprint(compared), fmt.Sprint(differ), fmt.Sprint(unheard))
	return "| " + strings.Join(cells, " | ") + " |\n"
}

func evicted(p *story.Played) string {
	if !p.Story.Evict {
		return "-"
	}
	return fmt.Sprint(p.Evicted)
}

// ofAPI is the kind of evidence whose times are listed: live, or the bundle for a replay.
func ofAPI(l *story.Look) story.Way {
	if _, ok := l.Answers[story.Live]; ok {
		return story.Live
	}
	return story.Bundle
}

// latencies returns for each fault the time from its first evidence in the API to the first answer that names it. If it
// was the only fault, the answer must name it first. "-" means never, "none" that the API cannot show the cause.
func latencies(p *story.Played) string {
	var out []string
	for _, f := range p.Faults {
		text := "-"
		if f.Needs[scenario.API] != "" {
			text = "none"
		}
		for _, l := range p.Looks {
			found := l.Answers[ofAPI(l)].Findings
			if p.Story.Kind.InTurn() {
				found = found[:min(1, len(found))]
			}
			named := slices.ContainsFunc(found, func(x story.Finding) bool { return x.Cause == f.Truth.Class })
			if !named || l.At.Before(f.Began) || !f.Healed.IsZero() && l.At.After(f.Healed) {
				continue
			}
			if !f.Told.IsZero() {
				text = fmt.Sprintf("%.0f s", max(0, l.At.Sub(f.Told)).Seconds())
			}
			break
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// healthy returns the time from the last end of a fault until HEALTHY was reported and stayed.
func healthy(p *story.Played) string {
	var end time.Time
	for _, f := range p.Faults {
		if f.Healed.After(end) {
			end = f.Healed
		}
	}
	text := "never"
	for _, l := range slices.Backward(p.Looks) {
		if l.At.Before(end) || l.Answers[ofAPI(l)].Verdict != "healthy" {
			break
		}
		text = fmt.Sprintf("%.0f s", l.At.Sub(end).Seconds())
	}
	return text
}
