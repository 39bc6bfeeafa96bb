package accuracy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// carriers returns the forms of evidence in a case, with the programs of its logs.
func (c *Case) carriers() string {
	var out []string
	for _, f := range c.Files {
		switch {
		case f.objects():
			out = add(out, "objects")
			continue
		case strings.TrimSpace(f.Text) == "":
			continue
		}
		for _, b := range blocks(f.Text) {
			if b.form != formLog {
				if b.form != formCommand && (b.form != formOther || !harmless(b.lines)) {
					out = add(out, string(b.form))
				}
				continue
			}
			who := speakersOf(b.lines, f.Name)
			for i, l := range b.lines {
				if _, ok := headTime(l); ok || uptime.MatchString(l) {
					s := string(who[i])
					if s == "" {
						s = "?"
					}
					out = add(out, "log of "+s)
				}
			}
		}
	}
	slices.Sort(out)
	if len(out) > 3 {
		return "many forms"
	}
	return strings.Join(out, " + ")
}

// Group is failures of the same kind with probably the same reason.
type Group struct {
	Kind, Reason, Carriers string
	Causes                 map[string]int
	Failures               []Result
}

// Groups joins failures by problem and by evidence, the most frequent first.
func Groups(results []Result) []Group {
	found := map[string]*Group{}
	var list []*Group
	for _, r := range results {
		if r.Reason == "" {
			continue
		}
		carriers := r.Case.carriers()
		if r.Variant != "" {
			carriers = r.Variant
		}
		key := r.Kind + "\x00" + r.Reason + "\x00" + carriers
		g := found[key]
		if g == nil {
			g = &Group{Kind: r.Kind, Reason: r.Reason, Carriers: carriers, Causes: map[string]int{}}
			found[key] = g
			list = append(list, g)
		}
		g.Causes[r.Problem.Cause]++
		g.Failures = append(g.Failures, r)
	}
	slices.SortStableFunc(list, func(a, b *Group) int { return cmp.Compare(len(b.Failures), len(a.Failures)) })
	out := make([]Group, len(list))
	for i, g := range list {
		out[i] = *g
	}
	return out
}

// Repeat returns the command that repeats a failure.
func (r Result) Repeat() string {
	s := fmt.Sprintf("-run %s -kind %s -seed %d", r.Case.Name, r.Kind, r.Seed)
	if r.Variant != "" {
		s += fmt.Sprintf(" -variant %q", r.Variant)
	}
	return s
}
