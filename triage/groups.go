package triage

import (
	"slices"
	"strconv"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// groups joins the findings and symptoms of one fault: a finding without an explanation, its effects, and the symptoms that it
// explains. Symptoms of its pods, of the same lines, or of a node that may run its pod belong to it too. Groups are in the order of
// their first findings; symptoms without an explanation are groups at the end.
func (g *graph) groups(findings []Finding, symptoms []Symptom) []Group {
	out := []Group{}
	at := map[string]int{}
	byCause := map[string]*Finding{}
	for i := range findings {
		byCause[findings[i].Cause] = &findings[i]
	}
	joined := map[string]string{} // causes that are part of the fault of another cause
	root := func(cause string) string {
		for range len(findings) {
			f := byCause[cause]
			if f == nil || f.ExplainedBy == "" || byCause[f.ExplainedBy] == nil {
				break
			}
			cause = f.ExplainedBy
		}
		if with, known := joined[cause]; known {
			return with
		}
		return cause
	}
	add := func(first string) *Group {
		i, known := at[first]
		if !known {
			i = len(out)
			at[first] = i
			out = append(out, Group{Cause: first, Findings: []string{}, Symptoms: []string{}, Subjects: []evidence.Subject{}})
		}
		return &out[i]
	}
	taken := map[string]map[evidence.Subject]bool{}
	take := func(grp *Group, subjects ...evidence.Subject) {
		if taken[grp.Cause] == nil {
			taken[grp.Cause] = map[evidence.Subject]bool{}
		}
		grp.take(taken[grp.Cause], subjects)
	}
	for i, f := range findings {
		first := root(f.Cause)
		if first == f.Cause && f.Certainty == Possible {
			if j := slices.IndexFunc(findings[:i], func(before Finding) bool {
				return f.insteadOf(before) || f.sameLines(before, symptoms) || g.worsens(f, before) || g.retold(f, before)
			}); j >= 0 {
				first = root(findings[j].Cause)
				joined[f.Cause] = first
			}
		}
		grp := add(first)
		grp.Findings = append(grp.Findings, f.Cause)
		take(grp, f.Subjects...)
		grp.began(f.Since)
	}
	for _, s := range symptoms {
		first := ""
		if s.ExplainedBy != "" {
			first = root(s.ExplainedBy)
		} else if i := slices.IndexFunc(findings, func(f Finding) bool {
			_, perhaps := g.perhapsOn(f, s)
			return perhaps || s.besides(f)
		}); i >= 0 {
			first = root(findings[i].Cause)
		}
		grp := add(first)
		if !slices.Contains(grp.Symptoms, s.ID) {
			grp.Symptoms = append(grp.Symptoms, s.ID)
		}
		take(grp, s.Subject)
	}
	return out
}

// insteadOf reports whether two findings are alternative possible reasons for one failed pool.
func (f Finding) insteadOf(other Finding) bool {
	return f.Subject.Kind == "Pool" && f.Subject == other.Subject && other.Certainty == Possible &&
		slices.ContainsFunc(f.Explains, func(effect string) bool { return slices.Contains(other.Explains, effect) })
}

// worsens reports whether a finding only worsens another one on the same objects. It is not a separate fault.
func (g *graph) worsens(f, other Finding) bool {
	return g.in.Catalog.Role(f.Cause) == catalog.Worsens && !slices.ContainsFunc(f.Subjects, func(on evidence.Subject) bool { return !other.on(on) })
}

// retold reports whether a finding rests only on lines of an unknown author and another one does not. They describe the same fault.
func (g *graph) retold(f, other Finding) bool {
	nowhere := f.Subject.IsZero() || other.Subject.IsZero() || other.on(f.Subject)
	return nowhere && g.inWords(f) && !g.inWords(other)
}

// inWords reports whether all evidence of a finding is lines of an unknown author.
func (g *graph) inWords(f Finding) bool {
	return !slices.ContainsFunc(f.Evidence, func(ref evidence.Ref) bool { return !g.words()[placeOfLine(ref)] })
}

// wordsOf returns the lines that a signature matched and whose author is unknown.
func wordsOf(s *evidence.Snapshot) quotes {
	out := quotes{}
	for _, m := range s.Matches() {
		if _, told := logline.LevelOf(m.Ref.Text); m.Speaker == logline.Unknown && m.Line > 0 && !told {
			out[placeOfLine(m.Ref)] = true
		}
	}
	return out
}

func placeOfLine(ref evidence.Ref) quote { return quote{ref.Source, lineOf(ref), ""} }

// sameLines reports whether all evidence of a finding is in lines that another finding accounts for. The lines are read in two
// ways, but show one fault.
func (f Finding) sameLines(other Finding, symptoms []Symptom) bool {
	accounted := slices.Clone(other.Evidence)
	for _, s := range symptoms {
		if s.ExplainedBy == other.Cause {
			accounted = append(accounted, s.Evidence...)
		}
	}
	return !slices.ContainsFunc(f.Evidence, func(ref evidence.Ref) bool {
		return !slices.ContainsFunc(accounted, func(by evidence.Ref) bool { return sameLine(ref, by) })
	})
}

// sameLine reports whether two references point to the same line or the same field of an object.
func sameLine(a, b evidence.Ref) bool {
	return a.Source == b.Source && a.Locator != "" && lineOf(a) == lineOf(b)
}

// lineOf returns the line number of a reference without its count, or else its locator. Command output has the line number in its
// text.
func lineOf(ref evidence.Ref) string {
	for _, text := range []string{ref.Locator, ref.Text} {
		if line := evidence.LineIn(text); line > 0 {
			return strconv.Itoa(line)
		}
	}
	return ref.Locator
}

// besides reports whether a symptom without an explanation still belongs to a finding: it is on one of its pods, or both are in the
// same line.
func (s Symptom) besides(f Finding) bool {
	ofIt := f.on(s.Subject)
	switch {
	case f.mild(), !ofIt && !s.Subject.IsZero():
		return false
	case ofIt && s.Subject.Kind == "Pod":
		return true
	}
	return slices.ContainsFunc(s.Evidence, func(of evidence.Ref) bool {
		return slices.ContainsFunc(f.Evidence, func(by evidence.Ref) bool {
			return sameLine(of, by)
		})
	})
}

// take adds subjects that are new to the group.
func (grp *Group) take(taken map[evidence.Subject]bool, subjects []evidence.Subject) {
	for _, s := range subjects {
		if s.IsZero() || taken[s] {
			continue
		}
		taken[s] = true
		grp.Subjects = append(grp.Subjects, s)
	}
	grp.Nodes = Nodes(grp.Subjects)
}

// Nodes counts the nodes among the subjects. A node without a name may be one of the named ones.
func Nodes(subjects []evidence.Subject) int {
	named, unnamed := map[evidence.Subject]bool{}, 0
	for _, s := range subjects {
		switch {
		case s.Kind == "Node" && s.Name != "":
			named[s] = true
		case s.Kind == "Node":
			unnamed = 1
		}
	}
	return max(len(named), unnamed)
}

func (grp *Group) began(since *time.Time) {
	if since != nil && (grp.Since == nil || since.Before(*grp.Since)) {
		grp.Since = since
	}
}

// mild reports whether a finding needs no action.
func (f *Finding) mild() bool {
	return f.Severity == catalog.Info
}
