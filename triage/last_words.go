package triage

import (
	"cmp"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// lastWords adds to a finding that says that a component ended the gravest of what that component said last, where no
// signature knew it.
func lastWords(findings []Finding, in Input) {
	for i := range findings {
		f := &findings[i]
		var who []logline.Speaker
		for _, name := range in.Catalog.Cause(f.Cause).LastWordsOf {
			who = append(who, logline.Speaker(name))
		}
		if len(who) == 0 || len(f.Evidence) == 0 {
			continue
		}
		known, told := map[uint64]bool{}, toldIn(f, in.Snapshot)
		for _, ref := range f.Evidence {
			known[logline.Template(ref.Text)] = true
		}
		var last *evidence.Line
		for _, l := range in.Snapshot.Lines() {
			if lastWord(l, f, who, told) && !known[logline.Template(l.Ref.Text)] && (last == nil || later(l, last, who)) {
				last = l
			}
		}
		if last != nil {
			f.Evidence = slices.Insert(f.Evidence, 1, last.Ref)
		}
	}
}

// part is what one speaker fills of a source: one command's output, one unit's status.
type part struct {
	source string
	block  int
}

// toldIn are the parts of texts in which the finding was read.
func toldIn(f *Finding, s *evidence.Snapshot) map[part]bool {
	out := map[part]bool{}
	for _, m := range s.Matches() {
		if slices.ContainsFunc(f.Evidence, func(r evidence.Ref) bool { return r.Source == m.Ref.Source && r.Text == m.Ref.Text }) {
			out[part{m.Ref.Source, m.Block}] = true
		}
	}
	return out
}

// goesOn is how long a component works on after an error that did not end it.
const goesOn = 10 * time.Second

// lastWord reports whether a line may be the last word of one of the components: an error that it says, or, from somebody
// unknown, the end of the part of a text in which the finding was read.
func lastWord(l *evidence.Line, f *Finding, who []logline.Speaker, told map[part]bool) bool {
	if l.Subject.Kind == "Node" && !slices.ContainsFunc(f.Subjects, func(x evidence.Subject) bool { return x.Kind != "Node" || x == l.Subject }) && len(f.Subjects) > 0 {
		return false
	}
	switch {
	case l.Channel == evidence.Prose:
		return false
	case slices.Contains(who, l.Speaker):
		return l.Gravity >= logline.Error && l.Quiet < goesOn || l.Parting
	case l.Speaker == logline.Unknown || l.Speaker == logline.Klog || l.Speaker == logline.Command:
		same := told[part{l.Ref.Source, l.Block}]
		atEnd := l.After < 5 && l.Speaker != logline.Command // a tool's last line is a row like others
		grave := l.Gravity >= logline.Error || logline.KindOf(l.Ref.Text) != ""
		return same && (grave || atEnd || l.Parting)
	}
	return false
}

// later reports whether one line tells more than another: the component's own, the graver, the later.
func later(a, b *evidence.Line, who []logline.Speaker) bool {
	own := func(l *evidence.Line) int {
		if slices.Contains(who, l.Speaker) {
			return 1
		}
		return 0
	}
	kind := func(l *evidence.Line) int {
		if logline.KindOf(l.Ref.Text) != "" {
			return 1
		}
		return 0
	}
	parting := func(l *evidence.Line) int {
		if l.Parting {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(own(a), own(b)), cmp.Compare(a.Gravity, b.Gravity), cmp.Compare(kind(a), kind(b)), cmp.Compare(parting(a), parting(b)), cmp.Compare(b.After, a.After),
		cmp.Compare(b.Ref.Source, a.Ref.Source), cmp.Compare(a.Number, b.Number)) > 0
}
