package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/why"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits of the one-screen form of an answer.
const (
	screenAsks    = 4
	screenGroups  = 6
	screenNames   = 6
	screenSteps   = 4
	screenWhyPods = 5
	screenMissing = 8
)

// Why writes the terminal form of an answer: the verdict and its sentence, then each unhealthy pod with its evidence and
// remedies.
func Why(w io.Writer, a *why.Answer, style Style) error { return whyOn.text(w, a, style) }

// WhyMarkdown writes it for a ticket.
func WhyMarkdown(w io.Writer, a *why.Answer) error { return whyOn.markdown(w, a) }

// WhyHTML writes it as one self-contained page.
func WhyHTML(w io.Writer, a *why.Answer, version string) error { return whyOn.html(w, a, version) }

var whyOn paged[why.Answer] = func(c canvas, a *why.Answer) {
	t := answer{c}
	head := fmt.Sprintf("%s %s", strings.ToLower(a.Subject.Kind), a.Subject.Namespace+"/"+a.Subject.Name)
	if a.TakenAt != nil {
		head += ", as of " + wording.Instant(*a.TakenAt)
	}
	t.title(strings.ToUpper(string(a.Verdict)), answerColor(a.Verdict), head)
	one := a.Subject.Kind == "Pod"
	if !t.wide() { // what follows gives way from below
		t.blank()
	}
	if !one {
		t.paragraph(a.Summary)
	}
	if x := a.Scale; x != nil && x.Fit > 0 {
		t.labelled("Fits on", t.names(apply(x.On, func(n why.Add) string { return fmt.Sprintf("%s (%d)", n.Node, n.Pods) })))
	}
	t.facts(a.Because)
	t.missing(a.Missing)
	t.pods(a.Pods, one)
	if len(a.NotKnown) > 0 {
		t.section("Not known")
		for _, n := range a.NotKnown {
			t.paragraph(n)
		}
	}
}

type answer struct{ canvas }

func answerColor(v why.Verdict) string {
	switch v {
	case why.Stuck:
		return red
	case why.Waiting:
		return yellow
	case why.Fine:
		return green
	}
	return ""
}

// pods writes unhealthy pods, or the requested one.
func (t *answer) pods(list []why.Pod, one bool) {
	var odd []why.Pod
	for _, p := range list {
		if one || p.Verdict != why.Fine || t.wide() {
			odd = append(odd, p)
		}
	}
	groups := sameStory(odd, one || t.wide())
	n := t.limit(screenWhyPods, len(groups))
	shown := 0
	for _, g := range groups[:n] {
		switch shown += len(g); {
		case one:
		case len(g) > 1:
			t.section(fmt.Sprintf("%s, and %s alike, %s", g[0].Name, wording.Count(len(g)-1, "pod"), g[0].State))
		default:
			t.section(g[0].Name + ", " + string(g[0].State))
		}
		t.pod(g[0])
	}
	if len(odd) > shown {
		t.blank()
	}
	t.left(len(odd)-shown, paragraphs, "pod", "pods")
}

// sameStory joins adjacent pods with the same text, unless each is requested.
func sameStory(list []why.Pod, each bool) (out [][]why.Pod) {
	told := ""
	for _, p := range list {
		say := fmt.Sprint(p.State, p.Summary, p.Waits, p.Scheduling != nil, strings.Join(stepWords(p.Do), "\n"))
		if !each && len(out) > 0 && say == told && p.Scheduling != nil {
			out[len(out)-1] = append(out[len(out)-1], p)
			continue
		}
		told = say
		out = append(out, []why.Pod{p})
	}
	return out
}

func stepWords(list []why.Step) (out []string) {
	for _, s := range list {
		out = append(out, s.What)
		out = append(out, shell.Strings(s.Commands)...)
	}
	return out
}

func (t *answer) pod(p why.Pod) {
	t.paragraph("The pod " + p.Summary + ".")
	switch s := p.Scheduling; {
	case s != nil && len(s.Insufficient) > 0:
		t.labelled("Waits for", "capacity: "+strings.Join(s.Insufficient, ", "))
	case s != nil && len(s.Feasible) == 0 && s.Preempts == nil:
		t.labelled("Waits for", "a node that accepts it")
	case p.Waits != "":
		t.labelled("Waits for", "the "+p.Waits)
	}
	if s := p.Scheduling; s != nil {
		t.requests(s)
		t.steps(p.Do, true)
		t.scheduling(s)
		return
	}
	t.facts(p.Because)
	t.steps(p.Do, false)
}

func (t *answer) facts(list []why.Fact) {
	for i, f := range list {
		name := ""
		if i == 0 {
			name = "Evidence"
		}
		text := f.Source
		if !f.At.IsZero() {
			text += " (" + wording.Instant(f.At) + ")"
		}
		t.labelled(name, text+": "+excerpt(f.Text, "", 400))
	}
}

// requests writes what the pod requires of a node.
func (t *answer) requests(s *why.Scheduling) {
	n := t.limit(screenAsks, len(s.Asks))
	for i, ask := range s.Asks[:n] {
		t.labelled(first(i, "Requests"), ask)
	}
	t.left(len(s.Asks)-n, labels, "requirement", "requirements")
}

func (t *answer) scheduling(s *why.Scheduling) {
	n := t.limit(screenGroups, len(s.Refused))
	for i, g := range s.Refused[:n] {
		name := ""
		if i == 0 {
			name = "Rejected"
		}
		t.labelled(name, fmt.Sprintf("%s: %s: %s", g.Plugin, strings.Join(g.Reasons, ", "), t.names(g.Nodes)))
	}
	t.left(len(s.Refused)-n, labels, "reason", "reasons")
	if len(s.Feasible) > 0 {
		t.labelled("Fits on", t.names(s.Feasible))
	}
	if x := s.Preempts; x != nil {
		say := fmt.Sprintf("%s on %s", t.names(x.Victims), x.Node)
		if x.Violates > 0 {
			say += fmt.Sprintf(", %d of them against a disruption budget", x.Violates)
		}
		t.labelled("Ends", say)
	}
	t.messages(s)
}

// messages writes what the scheduler says now and what it said. On one screen the nodes and their reasons stand above, so only
// another event is new.
func (t *answer) messages(s *why.Scheduling) {
	if s.Message != "" && (t.wide() || len(s.Refused) == 0) {
		t.labelled("Scheduler", s.Message)
	}
	said := s.Reported != "" && strings.HasPrefix(s.Message, strings.TrimSuffix(s.Reported, "."))
	if s.Reported != "" && s.Reported != s.Message && (t.wide() || !said) {
		t.labelled("Event", s.Reported)
	}
}

// names lists the first ones and counts the rest.
func (t *answer) names(all []string) string {
	n := t.limit(screenNames, len(all))
	out := strings.Join(all[:n], ", ")
	if n < len(all) {
		out += fmt.Sprintf(" and %d more", len(all)-n)
	}
	return out
}

func (t *answer) steps(list []why.Step, tried bool) {
	n := t.limit(screenSteps, len(list))
	for i, s := range list[:n] {
		name := ""
		switch {
		case i > 0 && tried: // each of them is enough
			name = "or"
		case i > 0:
		case tried:
			name = "Options"
		default:
			name = "Do"
		}
		say := s.What
		if len(list) > 1 {
			say = fmt.Sprintf("%d. %s", i+1, s.What)
		}
		if len(s.Nodes) > 0 && !slices.Equal(s.Nodes, []string{why.FurtherNode}) {
			say += ". The pod then fits on " + t.names(s.Nodes)
		}
		if s.Risk != "" {
			say += " (risk: " + s.Risk + ")"
		}
		t.labelled(name, say)
		for _, c := range s.Commands {
			t.command(string(c))
		}
	}
	t.left(len(list)-n, labels, "way", "ways")
}

func (t *answer) missing(list []why.Missing) {
	n := t.limit(screenMissing, len(list))
	for i, m := range list[:n] {
		name := ""
		if i == 0 {
			name = "Missing"
		}
		who := m.Name
		if m.Node != "" {
			who = "on " + m.Node
		}
		t.labelled(name, who+": "+m.Because)
	}
	t.left(len(list)-n, labels, "pod", "pods")
}
