package accuracy

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

var past = kind{
	name:   "past",
	says:   "the case's evidence, followed by its end: objects are well again, successes follow, logs go on for half an hour",
	goal:   "never reported as current; healthy where nodes, pods, events and leases were read",
	change: func(p Play) (Files, string) { return ended(p.Case, p.Seed) },
	judge:  func(p Play, got Answer) Problem { return isPast(p.Case, got) },
}

var pastThenAnother = kind{
	name: "past-then-another",
	says: "a case that has ended, and then another on the same node",
	goal: "the second is first, the first is over",
	partner: func(all []*Case, c *Case, rnd *rand.Rand) (*Case, string) {
		clock, why := remembered(c)
		if why != "" {
			return nil, why
		}
		return choose(all, c, rnd, func(with *Case) bool { return later(with, clock) })
	},
	change: thenAnother,
	judge: func(p Play, got Answer) Problem {
		if f := got.First(); f == nil || f.Cause != first(p.With.Base()) && !p.With.Truth.Accepts(f.Cause) {
			if f != nil && p.Case.Truth.Accepts(f.Cause) {
				return Problem{"what is over is first", f.Cause, fmt.Sprintf("first is %s (%s), the fault of now is %s", f.Cause, f.Certainty, first(p.With.Base()))}
			}
			return Problem{"the fault of now is not first", first(p.With.Base()), fmt.Sprintf("first is %s, want %s", first(got), first(p.With.Base()))}
		}
		for _, f := range got.Report.Findings {
			if p.Case.Truth.Accepts(f.Cause) && p.With.Base().Finding(f.Cause) == nil {
				return Problem{"a resolved cause is reported as current", f.Cause, f.Cause + " is over and among the findings: " + evidenceOf(f)}
			}
		}
		return Problem{}
	},
}

// Clocks of a case.
const (
	clockDates = "dates"
	clockAges  = "ages"
)

// remembered returns the clock of a case, if it consists only of logs or only of events, which record the past.
func remembered(c *Case) (clock, skip string) {
	if lasting[c.Truth.Class] {
		return "", "a cause that does not end by itself, or none"
	}
	for _, f := range c.Files {
		if f.objects() {
			return "", "objects: what they show is what is now"
		}
		for _, b := range blocks(f.Text) {
			switch {
			case b.form == formLog && clock != clockAges:
				clock = clockDates
			case b.form == formEvents && clock != clockDates:
				clock = clockAges
			case b.form == formCommand, b.form == formOther && harmless(b.lines):
			default:
				return "", "not only a log, and not only events"
			}
		}
	}
	if clock == "" {
		return "", "nothing in it shows a time"
	}
	return clock, ""
}

// later reports whether a case can follow another with this clock.
func later(c *Case, clock string) bool {
	if c.Truth.Class == "none" || c.Truth.Class == "unknown" || first(c.Base()) == "nothing" {
		return false
	}
	has := false
	for _, f := range c.Files {
		if f.objects() {
			return false
		}
		for _, b := range blocks(f.Text) {
			switch b.form {
			case formLog:
				has = true
			case formEvents:
				has = has || clock == clockAges
			case formNodes, formPods, formCommand:
			default:
				return false
			}
		}
	}
	if _, dated := spanOf(c.Files); !dated && clock == clockDates {
		return false
	}
	return has
}

// choose selects a suitable case that is unrelated to c. The choice is stable: a new case changes the partners of few.
func choose(all []*Case, c *Case, rnd *rand.Rand, fits func(*Case) bool) (*Case, string) {
	salt := rnd.Uint64()
	lot := map[*Case]uint64{}
	for _, with := range all {
		lot[with] = chance(salt, with.Name).Uint64()
	}
	order := slices.SortedFunc(slices.Values(all), func(a, b *Case) int { return cmp.Compare(lot[a], lot[b]) })
	for _, with := range order {
		if with != c && fits(with) && unrelated(c, with) {
			return with, ""
		}
	}
	return nil, "no other case fits"
}

// unrelated reports whether no cause is accepted for both cases.
func unrelated(a, b *Case) bool {
	for _, cause := range append([]string{a.Truth.Class, first(a.Base())}, a.Truth.Secondary...) {
		if b.Truth.Accepts(cause) || b.Base().Finding(cause) != nil {
			return false
		}
	}
	for _, cause := range append([]string{b.Truth.Class}, b.Truth.Secondary...) {
		if a.Base().Finding(cause) != nil {
			return false
		}
	}
	return true
}

// thenAnother appends the second case after the end of the first, on its node.
func thenAnother(p Play) (Files, string) {
	clock, skip := remembered(p.Case)
	if skip != "" {
		return nil, skip
	}
	before, skip := ended(p.Case, p.Seed)
	if skip != "" {
		return nil, skip
	}
	after := p.With.Files
	if a, b := namesIn(p.Case.Files.String()), namesIn(after.String()); len(a.nodes) == 1 && len(b.nodes) == 1 && renamable(b.nodes[0]) {
		after = after.renamed(map[string]string{b.nodes[0]: a.nodes[0]})
	}
	second, dated := spanOf(after)
	if clock == clockDates {
		end, dated := spanOf(before)
		if !dated {
			return nil, "a log that counts from the start of its machine"
		}
		gap := end.last.Sub(second.first).Truncate(time.Second) + 2*time.Minute
		after = after.each(func(f File) string { return shiftText(f.Text, gap) })
	} else {
		back := oldestAge(after)
		if dated {
			back = max(back, second.last.Sub(second.first))
		}
		before = before.each(func(f File) string { return agedText(f.Text, back+2*time.Minute) })
	}
	return joined(before, after), ""
}

// joined returns the files of two times. A log in both is concatenated, other files are kept separately.
func joined(before, after Files) Files {
	var out Files
	taken := map[string]bool{}
	for _, b := range before {
		for _, a := range after {
			if a.Name == b.Name && onlyLog(a.Text) && onlyLog(b.Text) && speakerOf(lines(a.Text)[0], a.Name) == speakerOf(lines(b.Text)[0], b.Name) {
				b.Text = strings.TrimSuffix(b.Text, "\n") + "\n" + a.Text
				taken[a.Name] = true
			}
		}
		out = append(out, File{b.Name, b.Text})
	}
	for _, a := range after {
		if !taken[a.Name] {
			a.Name = "later/" + a.Name
			out = append(out, a)
		}
	}
	return out
}

func onlyLog(text string) bool {
	for _, b := range blocks(text) {
		if b.form != formLog {
			return false
		}
	}
	return true
}

func oldestAge(files Files) (oldest time.Duration) {
	for _, f := range files {
		for _, l := range lines(f.Text) {
			if r, ok := parseEventRow(l); ok {
				oldest = max(oldest, r.age)
				if m := repeatedAge.FindStringSubmatch(l); m != nil {
					oldest = max(oldest, parseAge(m[1]))
				}
			}
		}
	}
	return oldest
}

func agedText(text string, d time.Duration) string {
	all := lines(text)
	for i, l := range all {
		if r, ok := parseEventRow(l); ok {
			all[i] = r.aged(d)
		}
	}
	return unlines(all)
}
