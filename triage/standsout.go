package triage

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// Maximum number of lines that stand out: without a likely cause, and with one.
const (
	maxStandsOut       = 5
	maxStandsOutBeside = 2
)

// Minimum weights of lines that stand out next to a likely cause: for the exit of a process with its reason, and for a limit or
// refusal. Next to a certain cause only a refusal stands out that a component repeats to the end.
const (
	decisiveEnd     = 8
	decisiveRefusal = 7
	decisiveAnyway  = 10
)

// decisive reports whether a line without a known cause should be shown next to a likely cause, or a certain one.
func decisive(l *evidence.Line, certain bool) bool {
	w, refusal := weight(l), logline.Decides(l.Ref.Text) > 0
	switch {
	case certain:
		return refusal && l.Count >= evidence.Often && w >= decisiveAnyway
	case l.Gravity == logline.Fatal:
		return w >= decisiveEnd
	}
	return refusal && w >= decisiveRefusal
}

// standsOut returns the lines most relevant to the reason. Severe lines come first, then lines that name a limit or a refusal, node
// components before others, and later lines before earlier ones. Next to a likely cause only decisive lines without a known cause
// are shown. If nothing shows a problem and no healthy nodes were read, the last lines of the texts are shown.
func standsOut(r *Report, in Input) []Line {
	s, limit := in.Snapshot, maxStandsOut
	answered := slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Certainty != Possible && !f.mild() })
	list := slices.Concat(s.Lines(), statusLines(s))
	if !answered { // next to an answer, rules have already read the events
		list = append(list, warningLines(s)...)
	}
	list = unreported(list, r, s)
	if answered {
		list, limit = decisiveOnly(list, r, in), maxStandsOutBeside
	}
	if showsProblem(r, s, list) {
		list = slices.DeleteFunc(list, func(l *evidence.Line) bool { return l.Gravity == logline.Plain && l.Channel != evidence.Prose })
	}
	sortByWeight(list)
	return firstOfEach(list, limit)
}

// statusLines returns the texts of statuses of objects.
func statusLines(s *evidence.Snapshot) (out []*evidence.Line) {
	for _, m := range s.Quoted() {
		if m.Event == nil && m.Kind == evidence.TextStatus {
			out = append(out, &evidence.Line{Ref: m.Ref, Subject: m.Subject, Speaker: m.Speaker, Channel: m.Channel, Gravity: logline.Error, Count: 1})
		}
	}
	return out
}

// warningLines returns the messages of warning events. Messages that quote an application are marked as its output.
func warningLines(s *evidence.Snapshot) (out []*evidence.Line) {
	quoting := map[*evidence.Event]bool{}
	for _, m := range s.Quoted() {
		quoting[m.Event] = true
	}
	for _, e := range s.Events() {
		if e.Type != "Warning" {
			continue
		}
		l := eventLine(s, e)
		if quoting[e] {
			l.Speaker, l.Channel = logline.Application, evidence.ProbeOutput
		}
		out = append(out, l)
	}
	return out
}

// unreported removes lines that never stand out, and those that the report already shows or that belong to a resolved cause.
func unreported(list []*evidence.Line, r *Report, s *evidence.Snapshot) []*evidence.Line {
	already, over := shown(r), quotes{}
	for _, o := range r.Over {
		over.note(o.Evidence...)
	}
	texts := textsShown(r)
	return slices.DeleteFunc(list, func(l *evidence.Line) bool {
		at := timeline.Position{Source: l.Ref.Source, Block: l.Block, Line: l.Number, Speaker: l.Speaker, Text: l.Ref.Text}
		_, finished := timeline.Finished(s, at, "")
		repeats := already.has(l.Ref) || slices.ContainsFunc(texts, func(text string) bool { return sameWords(text, l.Ref.Text) })
		ended := finished || over.has(l.Ref) && !endsAll(r, l)
		return saysLittle(l, s) || repeats || ended
	})
}

// decisiveOnly removes lines that should not be shown next to a likely cause, and those from which a cause was read.
func decisiveOnly(list []*evidence.Line, r *Report, in Input) []*evidence.Line {
	read := readAs(in)
	certain := slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Certainty == Certain })
	return slices.DeleteFunc(list, func(l *evidence.Line) bool {
		return !decisive(l, certain) || read[messageOf{l.Ref.Source, logline.Template(l.Ref.Text)}]
	})
}

// showsProblem reports whether plain lines would only distract: there is a finding or a severe line, or nodes were read and have no
// symptoms.
func showsProblem(r *Report, s *evidence.Snapshot, list []*evidence.Line) bool {
	healthyNodes := s.Covers(evidence.Nodes) != evidence.NotRead && len(r.Symptoms) == 0
	return len(r.Findings) > 0 || healthyNodes || slices.ContainsFunc(list, func(l *evidence.Line) bool { return l.Gravity > logline.Plain })
}

// sortByWeight sorts the most relevant line first.
func sortByWeight(list []*evidence.Line) {
	weights := make(map[*evidence.Line]int, len(list))
	for _, l := range list {
		weights[l] = weight(l)
	}
	slices.SortStableFunc(list, func(a, b *evidence.Line) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), b.Time.Compare(a.Time), cmp.Compare(a.After, b.After), cmp.Compare(a.Count, b.Count),
			cmp.Compare(a.Ref.Source, b.Ref.Source), cmp.Compare(a.Number, b.Number), cmp.Compare(a.Ref.Text, b.Ref.Text))
	})
}

// firstOfEach returns the first line of each message, up to the limit.
func firstOfEach(list []*evidence.Line, limit int) []Line {
	out := []Line{}
	seen := map[uint64]bool{}
	for _, l := range list {
		if len(out) == limit {
			break
		}
		key := logline.Template(l.Ref.Text)
		if seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, newLine(l))
	}
	return out
}

// endsAll reports whether a line of a resolved cause is the exit of a process, and nothing else was found. The last message before
// an exit is relevant even if the process was restarted.
func endsAll(r *Report, l *evidence.Line) bool {
	return len(r.Findings) == 0 && l.Gravity == logline.Fatal && weight(l) >= decisiveEnd-1
}

func newLine(l *evidence.Line) Line {
	line := Line{Text: l.Ref.Text, Source: l.Ref.Source, Locator: l.Ref.Locator, Speaker: string(l.Speaker)}
	switch {
	case l.Channel == evidence.Prose:
		line.By = evidence.ByPerson
	case marked(l):
		line.By = evidence.ByApplication
	}
	if !l.Time.IsZero() {
		line.ObservedAt = &l.Time
	}
	return line
}

// saysLittle reports whether a line never stands out.
func saysLittle(l *evidence.Line, s *evidence.Snapshot) bool {
	switch {
	case l.Speaker == logline.Application && !marked(l), !strings.ContainsFunc(l.Ref.Text, unicode.IsLetter):
		return true
	case l.Gravity > logline.Plain:
		return weight(l) < 2
	}
	return wellNode(s, l.Ref) || frame.MatchString(l.Ref.Text)
}

// messageOf is a message in a source.
type messageOf struct {
	source   string
	template uint64
}

// readAs returns the messages from which a signature read a cause. A signature of a symptom leaves the reason open.
func readAs(in Input) map[messageOf]bool {
	out := map[messageOf]bool{}
	for _, m := range in.Snapshot.Matches() {
		sig := in.Signatures.Lookup(m.Signature)
		if sig == nil || in.Catalog.Cause(sig.Says) == nil {
			continue
		}
		for _, text := range []string{m.Ref.Text, m.LastText} {
			out[messageOf{m.Ref.Source, logline.Template(text)}] = true
		}
	}
	return out
}

// marked reports whether an application wrote the line inside an object whose messages are from a component. The report marks such
// lines.
func marked(l *evidence.Line) bool {
	return l.Speaker == logline.Application && l.Channel != evidence.PlainText && l.Channel != evidence.ApplicationLog
}

// frame matches what surrounds the output of tools: the command line and table headers.
var frame = lazyregexp.New(`^(?:\S{0,80} ?[$#>%❯➜λ»] ?|PS [^>]{0,80}> ?|\[[^\]]{0,80}\][$#] ?)?(?:sudo )?(?:az|kubectl|oc|crictl|ctr|docker|systemctl|journalctl|ssh|df|du|free|openssl|lsmod|modprobe|ls|cat|curl|ping|dig|nslookup|ip|ss|dmesg|date|Get-Az\w+) |^[A-Z][A-Z/%-]*(?:[ (]+[A-Z][A-Z/%-]*\)?)+$|^Filesystem .*Mounted on$`)

// sameWords reports whether all words of one text are in the other. The row of a table and the field of an object report the same,
// and so does a line that a program printed again.
func sameWords(a, b string) bool {
	x, y := wordsOfText(a), wordsOfText(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < leastSame {
		return false
	}
	for word := range x {
		if !y[word] {
			return false
		}
	}
	return true
}

// wordsOfText returns the words of a text with at least three letters.
func wordsOfText(text string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) > 2 {
			out[word] = true
		}
	}
	return out
}

// best returns the most representative piece of evidence: the first that a signature matched.
func best(list []evidence.Ref) []evidence.Ref {
	at := max(0, slices.IndexFunc(list, func(e evidence.Ref) bool { return e.Hit != "" }))
	return list[at:min(at+1, len(list))]
}

// wellNode reports whether a text is the table row of a Ready and schedulable node.
func wellNode(s *evidence.Snapshot, ref evidence.Ref) bool {
	return slices.ContainsFunc(s.Data().Nodes, func(n *evidence.Node) bool {
		return n.Ref.Source == ref.Source && n.Ref.Locator == ref.Locator && n.Ready() == evidence.True && !n.Spec.Unschedulable
	})
}

// weight returns how relevant a line is to the reason: its gravity, whether it names a known kind of error, a limit or a refusal,
// and its speaker. Last lines of a block or process, and lines repeated to the end, weigh more.
func weight(l *evidence.Line) int {
	w := 2*int(l.Gravity) + logline.Decides(l.Ref.Text)
	if logline.KindOf(l.Ref.Text) != "" {
		w++
	}
	if l.Speaker != logline.Unknown && l.Speaker != logline.Other && l.Speaker != logline.Application {
		w++
	}
	if l.LastBeforeExit {
		w += 2
	}
	if l.Gravity < logline.Error {
		return w
	}
	if l.After < 3 {
		w++
	}
	if l.GoesOn() {
		w++
	}
	return w
}

func eventLine(s *evidence.Snapshot, e *evidence.Event) *evidence.Line {
	l := &evidence.Line{
		Ref:     evidence.Ref{Source: e.Place(), Locator: e.Reason, Text: e.Message, ObservedAt: e.Last},
		Subject: e.Object, Speaker: logline.Named(e.Component), Gravity: logline.Error, Count: max(e.Count, 1), Time: e.Last,
	}
	if age := s.TakenAt().Sub(e.Last); !e.Last.IsZero() && age > time.Hour {
		l.Gravity = logline.Warning
	}
	return l
}
