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
// their first findings; symptoms without an explanation share one group at the end.
func (g *graph) groups(findings []Finding, symptoms []Symptom) []Group {
	x := &grouping{graph: g, findings: findings, symptoms: symptoms, byCause: map[string]*Finding{}, joined: map[string]string{},
		out: []Group{}, at: map[string]int{}, taken: map[groupSubject]bool{}}
	for i := range findings {
		x.byCause[findings[i].Cause] = &findings[i]
	}
	for i, f := range findings {
		grp := x.group(x.firstOfFinding(i))
		grp.Findings = append(grp.Findings, f.Cause)
		grp.began(f.Since)
		x.take(grp, f.Subjects...)
	}
	for _, s := range symptoms {
		grp := x.group(x.firstOfSymptom(s))
		if !slices.Contains(grp.Symptoms, s.ID) {
			grp.Symptoms = append(grp.Symptoms, s.ID)
		}
		x.take(grp, s.Subject)
	}
	return x.out
}

// grouping puts findings and symptoms into groups. A group is known by its first cause, or by "" for symptoms without one.
type grouping struct {
	graph    *graph
	findings []Finding
	symptoms []Symptom
	byCause  map[string]*Finding
	joined   map[string]string // causes that are part of the fault of another cause
	out      []Group
	at       map[string]int // the index of a group
	taken    map[groupSubject]bool
}

// groupSubject is a subject of a group.
type groupSubject struct {
	cause   string
	subject evidence.Subject
}

// root returns the first cause of the group to which a cause belongs.
func (x *grouping) root(cause string) string {
	for range len(x.findings) {
		f := x.byCause[cause]
		if f == nil || f.ExplainedBy == "" || x.byCause[f.ExplainedBy] == nil {
			break
		}
		cause = f.ExplainedBy
	}
	if with, known := x.joined[cause]; known {
		return with
	}
	return cause
}

// firstOfFinding returns the first cause of the group of a finding. One that describes the same fault as an earlier finding joins its
// group.
func (x *grouping) firstOfFinding(i int) string {
	f := x.findings[i]
	first := x.root(f.Cause)
	if first != f.Cause {
		return first
	}
	same := slices.IndexFunc(x.findings[:i], func(before Finding) bool { return f.sameLines(before, x.symptoms) || x.perhapsSame(f, before) })
	if same < 0 {
		return first
	}
	x.joined[f.Cause] = x.root(x.findings[same].Cause)
	return x.joined[f.Cause]
}

// perhapsSame reports whether a cause that is only possible describes the same fault as an earlier finding.
func (x *grouping) perhapsSame(f, before Finding) bool {
	return f.Certainty == Possible && (f.insteadOf(before) || x.graph.worsens(f, before) || x.graph.retold(f, before))
}

// firstOfSymptom returns the first cause of the group of a symptom, or "".
func (x *grouping) firstOfSymptom(s Symptom) string {
	if s.ExplainedBy != "" {
		return x.root(s.ExplainedBy)
	}
	for _, f := range x.findings {
		if _, perhaps := x.graph.perhapsOn(f, s); perhaps || s.related(f) {
			return x.root(f.Cause)
		}
	}
	return ""
}

// group returns the group with this first cause. It is valid until the next group is added.
func (x *grouping) group(first string) *Group {
	i, known := x.at[first]
	if !known {
		i = len(x.out)
		x.at[first] = i
		x.out = append(x.out, Group{Cause: first, Findings: []string{}, Symptoms: []string{}, Subjects: []evidence.Subject{}})
	}
	return &x.out[i]
}

// take adds subjects that are new to the group.
func (x *grouping) take(grp *Group, subjects ...evidence.Subject) {
	for _, s := range subjects {
		if key := (groupSubject{grp.Cause, s}); !s.IsZero() && !x.taken[key] {
			x.taken[key] = true
			grp.Subjects = append(grp.Subjects, s)
		}
	}
	grp.Nodes = Nodes(grp.Subjects)
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

// related reports whether a symptom without an explanation still belongs to a finding: it is on one of its pods, or both are in the
// same line.
func (s Symptom) related(f Finding) bool {
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
