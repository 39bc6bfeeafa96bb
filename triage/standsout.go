package triage

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/logline"
)

const maxStandsOut = 5

// standsOut are the lines that tell most where no cause is likely: the gravest first, of components of a node before others,
// what comes last before what was said earlier, what is rare before what comes all the time. Where nothing tells of trouble, and no
// nodes were read that do, they are the last lines of the texts.
func standsOut(r *Report, s *evidence.Snapshot) []Line {
	out := []Line{}
	if slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Confidence != Possible && !f.mild() }) {
		return out
	}
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
		if e.Type == "Warning" {
			l := eventLine(s, e)
			if quoting[e] {
				l.Speaker, l.Channel = logline.Application, evidence.ProbeOutput
			}
			list = append(list, l)
		}
	}
	already := shown(r)
	list = slices.DeleteFunc(list, func(l *evidence.Line) bool {
		quoted := already[quote{l.Ref.Source, l.Ref.Locator, ""}] || already[quote{l.Ref.Source, "", l.Ref.Text}]
		return quoted || ordinary(s, l)
	})
	list = slices.DeleteFunc(list, func(l *evidence.Line) bool { return !strings.ContainsFunc(l.Ref.Text, unicode.IsLetter) })
	if len(r.Findings) > 0 || s.Covers(evidence.Nodes) != evidence.NotRead && len(r.Symptoms) == 0 || slices.ContainsFunc(list, func(l *evidence.Line) bool { return l.Gravity > logline.Plain }) {
		list = slices.DeleteFunc(list, func(l *evidence.Line) bool { return l.Gravity == logline.Plain })
	}
	weights := make(map[*evidence.Line]int, len(list))
	for _, l := range list {
		weights[l] = weight(l)
	}
	slices.SortStableFunc(list, func(a, b *evidence.Line) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), b.Time.Compare(a.Time), cmp.Compare(a.After, b.After), cmp.Compare(a.Count, b.Count),
			cmp.Compare(a.Ref.Source, b.Ref.Source), cmp.Compare(a.Number, b.Number), cmp.Compare(a.Ref.Text, b.Ref.Text))
	})
	seen := map[uint64]bool{}
	for _, l := range list {
		key := logline.Template(l.Ref.Text)
		if seen[key] || len(out) == maxStandsOut {
			continue
		}
		seen[key] = true
		line := Line{Text: l.Ref.Text, Source: l.Ref.Source, Locator: l.Ref.Locator, Speaker: string(l.Speaker)}
		if marked(l) {
			line.By = evidence.ByApplication
		}
		if !l.Time.IsZero() {
			line.ObservedAt = &l.Time
		}
		out = append(out, line)
	}
	return out
}

// marked reports whether a line is an application's, in an object whose own words are a component's: it is shown with that mark.
func marked(l *evidence.Line) bool {
	return l.Speaker == logline.Application && l.Channel != evidence.PlainText && l.Channel != evidence.ApplicationLog
}

// frame is what stands around the answers of tools: the command, and the names of a table's columns.
var frame = lazyregexp.New(`^(?:\S{0,80} ?[$#>%❯➜λ»] ?|PS [^>]{0,80}> ?|\[[^\]]{0,80}\][$#] ?)?(?:sudo )?(?:az|kubectl|oc|crictl|ctr|docker|systemctl|journalctl|ssh|df|du|free|openssl|lsmod|modprobe|ls|cat|curl|ping|dig|nslookup|ip|ss|dmesg|date|Get-Az\w+) |^[A-Z][A-Z/%-]*(?:[ (]+[A-Z][A-Z/%-]*\)?)+$|^Filesystem .*Mounted on$`)

// quote is a text of a source, or where in it a text stands.
type quote struct{ source, locator, text string }

// shown are the texts that are shown already: as evidence of a finding, of what no cause explains, or of what is over.
func shown(r *Report) map[quote]bool {
	out := map[quote]bool{}
	note := func(list []evidence.Ref) {
		for _, e := range list {
			if e.Locator != "" {
				out[quote{e.Source, e.Locator, ""}] = true
			}
			if e.Text != "" {
				out[quote{e.Source, "", e.Text}] = true
			}
		}
	}
	for _, o := range r.Over {
		note(o.Evidence)
	}
	for _, f := range r.Findings {
		note(f.Evidence)
	}
	for _, s := range r.Symptoms {
		if s.ExplainedBy == "" {
			note(s.Evidence)
		}
	}
	return out
}

// ordinary reports whether a line tells nothing: a word of an application that it does not mark itself, a graver one that weighs little,
// or a plain one that is only the frame of others.
func ordinary(s *evidence.Snapshot, l *evidence.Line) bool {
	switch {
	case l.Speaker == logline.Application && !marked(l):
		return true
	case l.Gravity > logline.Plain:
		return weight(l) < 2
	}
	return l.Gravity == logline.Plain && (wellNode(s, l.Ref) || frame.MatchString(l.Ref.Text))
}

// wellNode reports whether a text is the row of a node that is Ready and takes pods.
func wellNode(s *evidence.Snapshot, ref evidence.Ref) bool {
	return slices.ContainsFunc(s.Data().Nodes, func(n *evidence.Node) bool {
		return n.Ref.Source == ref.Source && n.Ref.Locator == ref.Locator && n.Ready() == evidence.True && !n.Spec.Unschedulable
	})
}

// weight is how much a line tells: by its gravity, whether it names a known kind of error, who says it, and whether it is the
// last of its block, as the last words of a process are.
func weight(l *evidence.Line) int {
	w := 2 * int(l.Gravity)
	if logline.KindOf(l.Ref.Text) != "" {
		w++
	}
	if l.Speaker != logline.Unknown && l.Speaker != logline.Other && l.Speaker != logline.Application {
		w++
	}
	if l.After < 3 && l.Gravity >= logline.Error {
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
