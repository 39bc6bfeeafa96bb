//go:build linux

package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab/story"
)

// repair is a mistake to fix: equal mistakes of all looks.
type repair struct {
	text  string
	looks []string // where it was seen, as paths in the folder of the looks
	count map[story.Way]int
}

// set maps repairs by their text.
type set map[string]*repair

func (s set) add(text string, way story.Way, p *story.Played, l *story.Look) {
	r := s[text]
	if r == nil {
		r = &repair{text: text, count: map[story.Way]int{}}
		s[text] = r
	}
	r.count[way]++
	if path := fmt.Sprintf("%s/%03d", p.Story.Name, l.Number); !slices.Contains(r.looks, path) {
		r.looks = append(r.looks, path)
	}
}

// ordered returns the repairs, the most frequent first.
func ordered(s set) []*repair {
	return slices.SortedFunc(maps.Values(s), func(a, b *repair) int {
		return cmp.Or(cmp.Compare(len(b.looks), len(a.looks)), cmp.Compare(a.text, b.text))
	})
}

// ways counts the repair by kind of evidence.
func (r *repair) ways() string {
	var out []string
	for _, way := range story.Ways {
		if n := r.count[way]; n > 0 {
			out = append(out, fmt.Sprintf("%s %d", way, n))
		}
	}
	return strings.Join(out, ", ")
}

func mistakes(played []*story.Played) set {
	out := set{}
	for _, p := range played {
		for _, l := range p.Looks {
			for _, way := range story.Ways {
				if m, asked := mark(p, l, way); asked && m.Bad() {
					out.add(fmt.Sprintf("%s: said %s; true is %s", m, said(l.Answers[way]), truths(p, l, way)), way, p, l)
				}
				for _, a := range l.Others[way] {
					if m := story.JudgeOther(a); m.Bad() {
						out.add(fmt.Sprintf("%s: said %s of a node without a fault; true is %s", m, said(a), truths(p, l, way)), way, p, l)
					}
				}
			}
		}
	}
	return out
}

// repairs returns the mistakes and the differences between the kinds of API evidence, the most frequent first.
func repairs(played []*story.Played) string {
	differ, extra := set{}, set{}
	for _, p := range played {
		for _, l := range p.Looks {
			for _, way := range story.Ways {
				if _, asked := mark(p, l, way); !asked {
					continue
				}
				for _, f := range story.Extra(p.Faults, l, way) {
					extra.add(fmt.Sprintf("%s (%s, %s); true is %s", f.Cause, f.Subject.Kind, f.Certainty, truths(p, l, way)), way, p, l)
				}
			}
			if l.Unheard() {
				continue
			}
			for _, d := range l.Differences() {
				differ.add(kinds(d)+"; true is "+truths(p, l, story.Live), story.Live, p, l)
			}
		}
	}
	var out strings.Builder
	for _, part := range []struct {
		title   string
		repairs set
	}{{"mistakes", mistakes(played)}, {"also named", extra}, {"ways of the API that differ by more than what a kubelet answered", differ}} {
		fmt.Fprintf(&out, "\n%s:\n", part.title)
		for _, r := range ordered(part.repairs) {
			fmt.Fprintf(&out, "  %s [%s; first %s]\n", r.text, r.ways(), r.looks[0])
		}
	}
	return out.String()
}

func said(a story.Answer) string {
	if len(a.Findings) == 0 {
		return "nothing, " + cmp.Or(a.Error, a.Verdict)
	}
	return fmt.Sprintf("%s (%s, %s), %s", a.Findings[0].Cause, a.Findings[0].Subject.Kind, a.Findings[0].Certainty, a.Verdict)
}

// kinds removes the names of subjects from a difference.
func kinds(difference string) string {
	f := strings.Split(difference, ", ")
	if len(f) == 3 {
		f[1], _, _ = strings.Cut(f[1], " ")
	}
	return strings.Join(f, ", ")
}

// truths describes the true state at a look.
func truths(p *story.Played, l *story.Look, way story.Way) string {
	var out []string
	for _, f := range p.Faults {
		switch state := f.State(way, l.At, p.Asked()); state {
		case story.Coming:
		default:
			out = append(out, f.Scenario+" "+string(state))
		}
	}
	if len(out) == 0 {
		return "that nothing is broken yet"
	}
	return strings.Join(out, ", ")
}

// since formats the age of something at a look.
func since(l *story.Look, t time.Time) string { return fmt.Sprintf("%.0f s", l.At.Sub(t).Seconds()) }

// details lists all mistakes of one story, look by look.
func details(p *story.Played) string {
	var out strings.Builder
	for _, l := range p.Looks {
		for _, way := range story.Ways {
			if m, asked := mark(p, l, way); asked && m.Bad() {
				var times []string
				for _, f := range p.Faults {
					switch f.State(way, l.At, p.Asked()) {
					case story.Untold:
						times = append(times, f.Scenario+" since "+since(l, f.Began)+", not told")
					case story.Told:
						times = append(times, f.Scenario+" since "+since(l, f.Began))
					case story.Ended:
						times = append(times, f.Scenario+" healed since "+since(l, f.Healed))
					}
				}
				fmt.Fprintf(&out, "%s/%03d %s: %s: %s; %s\n", p.Story.Name, l.Number, way, m, said(l.Answers[way]), strings.Join(times, ", "))
			}
			for node, a := range l.Others[way] {
				if m := story.JudgeOther(a); m.Bad() {
					fmt.Fprintf(&out, "%s/%03d %s, node %s: %s: %s\n", p.Story.Name, l.Number, way, node, m, said(a))
				}
			}
		}
	}
	return out.String()
}
