package triage

import (
	"cmp"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// lastWords adds the most severe last message of a component to a finding that the component stopped, if no signature matched that
// message.
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

// part is the part of a source that one speaker wrote: the output of a command, the status of a unit.
type part struct {
	source string
	block  int
}

// toldIn returns the parts of texts that the finding was read from.
func toldIn(f *Finding, s *evidence.Snapshot) map[part]bool {
	out := map[part]bool{}
	for _, m := range s.Matches() {
		if slices.ContainsFunc(f.Evidence, func(r evidence.Ref) bool { return r.Source == m.Ref.Source && r.Text == m.Ref.Text }) {
			out[part{m.Ref.Source, m.Block}] = true
		}
	}
	return out
}

// goesOn is how long a component still writes after an error that did not stop it.
const goesOn = 10 * time.Second

// lastWord reports whether a line may be the last message of one of the components: its own error, or, if the speaker is unknown,
// the end of the part that the finding was read from.
func lastWord(l *evidence.Line, f *Finding, who []logline.Speaker, told map[part]bool) bool {
	switch {
	case l.Channel == evidence.Prose, ofOtherNode(l, f):
		return false
	case slices.Contains(who, l.Speaker):
		return l.Gravity >= logline.Error && l.Quiet < goesOn || l.LastBeforeExit
	case l.Speaker == logline.Unknown || l.Speaker == logline.Klog || l.Speaker == logline.Command:
		same := told[part{l.Ref.Source, l.Block}]
		atEnd := l.After < 5 && l.Speaker != logline.Command // the last line of a tool's output is a row like any other
		grave := l.Gravity >= logline.Error || logline.KindOf(l.Ref.Text) != ""
		return same && (grave || atEnd || l.LastBeforeExit)
	}
	return false
}

// ofOtherNode reports whether a line is of a node, and the finding only of other nodes.
func ofOtherNode(l *evidence.Line, f *Finding) bool {
	if l.Subject.Kind != "Node" || len(f.Subjects) == 0 {
		return false
	}
	return !slices.ContainsFunc(f.Subjects, func(x evidence.Subject) bool { return x.Kind != "Node" || x == l.Subject })
}

// later reports whether a is more relevant than b: from the component itself, then more severe, then later.
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
		if l.LastBeforeExit {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(own(a), own(b)), cmp.Compare(a.Gravity, b.Gravity), cmp.Compare(kind(a), kind(b)), cmp.Compare(parting(a), parting(b)), cmp.Compare(b.After, a.After),
		cmp.Compare(b.Ref.Source, a.Ref.Source), cmp.Compare(a.Number, b.Number)) > 0
}
