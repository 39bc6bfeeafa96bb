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
)

// How many lines stand out at most: where no cause is likely, and beside a likely cause.
const (
	maxStandsOut       = 5
	maxStandsOutBeside = 2
)

// The least weights of lines that stand out beside a likely cause: the end of a process with its reason, and a limit or refusal.
// Beside a certain cause only a refusal stands out that a component repeats to the end.
const (
	decisiveEnd     = 8
	decisiveRefusal = 7
	decisiveAnyway  = 10
)

// decisive reports whether a line that no signature reads a cause in is worth a look beside a likely cause, or a certain one.
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

// standsOut are the lines that say most about the reason, the most decisive first: the gravest, those that name a limit or a
// refusal, of components of a node before others, what comes last before what was said earlier. Beside a likely cause they are the
// decisive lines of logs in which no signature read a cause. Where nothing speaks of trouble, and no nodes were read that do, they
// are the last lines of the texts.
func standsOut(r *Report, in Input) []Line {
	s := in.Snapshot
	out := []Line{}
	answered := slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Certainty != Possible && !f.mild() })
	list := slices.Clone(s.Lines())
	quoting := map[*evidence.Event]bool{}
	for _, m := range s.Quoted() {
		if m.Event != nil {
			quoting[m.Event] = true
		} else if m.Kind == evidence.TextStatus {
			list = append(list, &evidence.Line{Ref: m.Ref, Subject: m.Subject, Speaker: m.Speaker, Channel: m.Channel, Gravity: logline.Error, Count: 1})
		}
	}
	for _, e := range s.Events() {
		if e.Type == "Warning" && !answered { // beside an answer, rules have read the events
			l := eventLine(s, e)
			if quoting[e] {
				l.Speaker, l.Channel = logline.Application, evidence.ProbeOutput
			}
			list = append(list, l)
		}
	}
	already, over := shown(r), quotes{}
	for _, o := range r.Over {
		over.note(o.Evidence...)
	}
	list = slices.DeleteFunc(list, func(l *evidence.Line) bool {
		return saysLittle(l, s) || already.has(l.Ref) || over.has(l.Ref) && !endsAll(r, l)
	})
	if answered {
		read := readAs(in)
		certain := slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Certainty == Certain })
		list = slices.DeleteFunc(list, func(l *evidence.Line) bool {
			return !decisive(l, certain) || read[messageOf{l.Ref.Source, logline.Template(l.Ref.Text)}]
		})
	}
	if len(r.Findings) > 0 || s.Covers(evidence.Nodes) != evidence.NotRead && len(r.Symptoms) == 0 || slices.ContainsFunc(list, func(l *evidence.Line) bool { return l.Gravity > logline.Plain }) {
		list = slices.DeleteFunc(list, func(l *evidence.Line) bool { return l.Gravity == logline.Plain && l.Channel != evidence.Prose })
	}
	weights := make(map[*evidence.Line]int, len(list))
	for _, l := range list {
		weights[l] = weight(l)
	}
	slices.SortStableFunc(list, func(a, b *evidence.Line) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), b.Time.Compare(a.Time), cmp.Compare(a.After, b.After), cmp.Compare(a.Count, b.Count),
			cmp.Compare(a.Ref.Source, b.Ref.Source), cmp.Compare(a.Number, b.Number), cmp.Compare(a.Ref.Text, b.Ref.Text))
	})
	most := maxStandsOut
	if answered {
		most = maxStandsOutBeside
	}
	seen := map[uint64]bool{}
	for _, l := range list {
		key := logline.Template(l.Ref.Text)
		if seen[key] || len(out) == most {
			continue
		}
		seen[key] = true
		out = append(out, newLine(l))
	}
	return out
}

// endsAll reports whether a line of what is over is the end of a process, and nothing else was found: what a program said before it
// ended is worth a look also if it was run again.
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

// saysLittle reports whether a line does not stand out whatever else there is.
func saysLittle(l *evidence.Line, s *evidence.Snapshot) bool {
	switch {
	case l.Speaker == logline.Application && !marked(l), !strings.ContainsFunc(l.Ref.Text, unicode.IsLetter):
		return true
	case l.Gravity > logline.Plain:
		return weight(l) < 2
	}
	return wellNode(s, l.Ref) || frame.MatchString(l.Ref.Text)
}

// messageOf is a message of a source.
type messageOf struct {
	source   string
	template uint64
}

// readAs are the messages in which a signature read a cause. One that reads only a symptom leaves the reason open.
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

// marked reports whether a line is an application's, in an object whose own words are a component's: it is shown with that mark.
func marked(l *evidence.Line) bool {
	return l.Speaker == logline.Application && l.Channel != evidence.PlainText && l.Channel != evidence.ApplicationLog
}

// frame is what stands around the answers of tools: the command, and the names of a table's columns.
var frame = lazyregexp.New(`^(?:\S{0,80} ?[$#>%❯➜λ»] ?|PS [^>]{0,80}> ?|\[[^\]]{0,80}\][$#] ?)?(?:sudo )?(?:az|kubectl|oc|crictl|ctr|docker|systemctl|journalctl|ssh|df|du|free|openssl|lsmod|modprobe|ls|cat|curl|ping|dig|nslookup|ip|ss|dmesg|date|Get-Az\w+) |^[A-Z][A-Z/%-]*(?:[ (]+[A-Z][A-Z/%-]*\)?)+$|^Filesystem .*Mounted on$`)

// quotes are the texts of sources that are shown, and where in them they stand.
type quotes map[quote]bool

type quote struct{ source, locator, text string }

func (q quotes) note(list ...evidence.Ref) {
	for _, e := range list {
		if e.Locator != "" {
			q[quote{e.Source, e.Locator, ""}] = true
		}
		if e.Text != "" {
			q[quote{e.Source, "", e.Text}] = true
		}
	}
}

func (q quotes) has(e evidence.Ref) bool {
	return q[quote{e.Source, e.Locator, ""}] || q[quote{e.Source, "", e.Text}]
}

// shown are the texts that every form of the report shows already: the evidence of the first finding, the best of each other one
// and of what no cause explains.
func shown(r *Report) quotes {
	out := quotes{}
	for i, f := range r.Findings {
		if i == 0 {
			out.note(f.Evidence...)
			continue
		}
		out.note(best(f.Evidence)...)
	}
	for _, s := range r.Symptoms {
		if s.ExplainedBy == "" {
			out.note(s.Evidence...)
		}
	}
	return out
}

// best is the piece of evidence that stands for the others: the first that a signature recognised.
func best(list []evidence.Ref) []evidence.Ref {
	at := max(0, slices.IndexFunc(list, func(e evidence.Ref) bool { return e.Hit != "" }))
	return list[at:min(at+1, len(list))]
}

// wellNode reports whether a text is the row of a node that is Ready and takes pods.
func wellNode(s *evidence.Snapshot, ref evidence.Ref) bool {
	return slices.ContainsFunc(s.Data().Nodes, func(n *evidence.Node) bool {
		return n.Ref.Source == ref.Source && n.Ref.Locator == ref.Locator && n.Ready() == evidence.True && !n.Spec.Unschedulable
	})
}

// weight is how much a line says about the reason: by its gravity, whether it names a known kind of error, a limit or a refusal,
// who says it, whether it is among the last words of its block or of a process, and whether it is repeated to the end.
func weight(l *evidence.Line) int {
	w := 2*int(l.Gravity) + logline.Decides(l.Ref.Text)
	if logline.KindOf(l.Ref.Text) != "" {
		w++
	}
	if l.Speaker != logline.Unknown && l.Speaker != logline.Other && l.Speaker != logline.Application {
		w++
	}
	if l.Parting {
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
		Ref:     evidence.Ref{Source: "event of " + e.Object.String(), Locator: e.Reason, Text: e.Message, ObservedAt: e.Last},
		Subject: e.Object, Speaker: logline.Named(e.Component), Gravity: logline.Error, Count: max(e.Count, 1), Time: e.Last,
	}
	if age := s.TakenAt().Sub(e.Last); !e.Last.IsZero() && age > time.Hour {
		l.Gravity = logline.Warning
	}
	return l
}
