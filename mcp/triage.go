package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// ClusterInput is the input of triage_cluster.
type ClusterInput struct {
	Page
}

// NodeInput is the input of triage_node.
type NodeInput struct {
	Page
	Node string `json:"node" jsonschema:"name of the node"`
}

// TextInput is the input of triage_text.
type TextInput struct {
	Page
	Text string `json:"text" jsonschema:"output of kubectl, logs, a node report or an error message, at most 1 MiB"`
}

// maxText limits a pasted text.
const maxText = 1 << 20

func (t *tools) triageCluster(ctx context.Context, _ ClusterInput, k *kept) (Answer, error) {
	from, err := t.from(ctx)
	if err != nil {
		return Answer{}, err
	}
	return t.diagnose(ctx, from, k)
}

func (t *tools) triageNode(ctx context.Context, in NodeInput, k *kept) (Answer, error) {
	if in.Node == "" {
		return Answer{}, refuse("node is empty: name a node, or use triage_cluster")
	}
	from, err := t.from(ctx)
	if err != nil {
		return Answer{}, err
	}
	return t.diagnose(ctx, from, k, t.alias(in.Node))
}

func (t *tools) triageText(ctx context.Context, in TextInput, k *kept) (Answer, error) {
	switch {
	case strings.TrimSpace(in.Text) == "":
		return Answer{}, refuse("text is empty: paste the output of a command or the lines of a log")
	case len(in.Text) > maxText:
		return Answer{}, refuse("text is larger than 1 MiB: pass the part around the error, or let a person run nodetriage diagnose FILE")
	}
	knowledge, err := t.Knowledge()
	if err != nil {
		return Answer{}, err
	}
	from := ask.From{Source: ask.Files{Paths: []string{"-"}, Stdin: strings.NewReader(in.Text)}, Knowledge: knowledge}
	if t.HideNames {
		if from, err = t.hide(ctx, from); err != nil {
			return Answer{}, err
		}
	}
	return t.diagnose(ctx, from, k)
}

// diagnose asks why nodes are unhealthy.
func (t *tools) diagnose(ctx context.Context, from ask.From, k *kept, nodes ...string) (Answer, error) {
	opt := ask.DiagnoseOptions{Nodes: nodes}
	var err error
	if opt.Exceptions, err = t.exceptions(from.Knowledge); err != nil {
		return Answer{}, err
	}
	d, err := ask.Diagnose(ctx, from, opt)
	if err != nil {
		return Answer{}, err
	}
	return answerOf(d.Report, from.Knowledge.Catalog, k), nil
}

// answerOf returns a report as an answer.
func answerOf(r *triage.Report, c *catalog.Catalog, k *kept) Answer {
	a := Answer{Verdict: fmt.Sprint(r.Verdict), TakenAt: moment(r.TakenAt), Untrusted: Data{Source: r.Source}}
	a.Counts, a.Untrusted.Says = countsOf(r.Impact)
	a.NotKnown = unreadItems(r.ReadInPart, r.NotChecked)
	a.Rest = restOf(r, c, k)
	if len(r.Findings) == 0 {
		a.First, a.Next = seenFirst(r, c)
		return a
	}
	f := &r.Findings[0]
	words := wordsOf(c, f.Cause, f.Title)
	a.Impact = words.impact
	a.First = findingItem(f, c, k)
	a.Next = nextOf(f, words)
	for _, x := range f.Cautions {
		a.Avoid = append(a.Avoid, worded("caution", plain(x), words.cautions))
	}
	return a
}

// findingItem returns a finding with its decisive line.
func findingItem(f *triage.Finding, c *catalog.Catalog, k *kept) Item {
	words := wordsOf(c, f.Cause, f.Title)
	summary := f.Summary
	if summary == words.title {
		summary = ""
	}
	i := Item{
		Kind: "cause", ID: f.Cause, Says: words.title, Certainty: fmt.Sprint(f.Certainty), Severity: fmt.Sprint(f.Severity),
		From: moment(f.Since), Evidence: k.cite(f.Evidence), Untrusted: Data{Objects: names(f.Subjects), Says: summary},
	}
	if p := decisive(f.Evidence); p != nil {
		i.Untrusted.Line, i.Untrusted.Source, i.Untrusted.At = p.Text, joined(p.Source, p.Locator), moment(&p.ObservedAt)
	}
	return i
}

// decisive returns the first piece of evidence in which a signature matched a part, or the first one; nil: there is none.
func decisive(refs []evidence.Ref) *evidence.Ref {
	for i := range refs {
		if refs[i].Hit != "" {
			return &refs[i]
		}
	}
	if len(refs) == 0 {
		return nil
	}
	return &refs[0]
}

func joined(parts ...string) string { return strings.TrimSpace(strings.Join(parts, " ")) }

// listed joins the texts that are not empty.
func listed(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}

// nextOf returns what to do next about a finding: confirm it, unless it is certain, or fix it.
func nextOf(f *triage.Finding, words pageOf) Item {
	if f.Certainty != triage.Certain {
		for _, x := range f.Confirm {
			if !x.Run.PrintsName() {
				i := worded("confirm", plain(x.Expect), words.expected)
				i.Where, i.Untrusted.Commands = x.Where, commands([]shell.Text{x.Run})
				return i
			}
		}
	}
	if at := nextFix(f); at >= 0 {
		return fixItem(f.Remedies[at], words)
	}
	return Item{}
}

// nextFix returns the index of the first fix with commands that has no high risk, else of the first fix; -1: there is none. Fixes are
// in the order of their risk.
func nextFix(f *triage.Finding) int {
	for i, m := range f.Remedies {
		if len(m.Commands) > 0 && m.Risk != "high" {
			return i
		}
	}
	return min(len(f.Remedies), 1) - 1
}

func fixItem(m catalog.Remedy, words pageOf) Item {
	i := worded("fix", m.Title, words.titles)
	i.Risk, i.Disrupts, i.Where, i.Untrusted.Commands = m.Risk, m.Disruptive, m.Where, commands(m.Commands)
	return i
}

// seenFirst returns the first observation of a report without a cause, and what to check.
func seenFirst(r *triage.Report, c *catalog.Catalog) (first, next Item) {
	for _, y := range r.Symptoms {
		if y.ExplainedBy != "" {
			continue
		}
		for _, x := range y.Checks {
			return symptomItem(y, c), Item{Kind: "confirm", Where: x.Where, Untrusted: Data{Says: plain(x.Expect), Commands: commands([]shell.Text{x.Run})}}
		}
		return symptomItem(y, c), Item{}
	}
	for _, l := range r.StandsOut {
		return lineItem(l), Item{}
	}
	return Item{}, Item{}
}

func symptomItem(y triage.Symptom, c *catalog.Catalog) Item {
	i := Item{Kind: "symptom", ID: y.ID, Untrusted: Data{Objects: names([]evidence.Subject{y.Subject}), Says: y.Look}}
	if page := c.Symptom(y.ID); page != nil {
		i.Says = page.Title
	}
	if p := decisive(y.Evidence); p != nil {
		i.Untrusted.Line, i.Untrusted.Source, i.Untrusted.At = p.Text, joined(p.Source, p.Locator), moment(&p.ObservedAt)
	}
	return i
}

func lineItem(l triage.Line) Item {
	return Item{Kind: "line", Says: "a significant line without a known cause", Untrusted: Data{Line: l.Text, Source: joined(l.Source, l.Locator), At: moment(l.ObservedAt)}}
}

// countsOf returns the pods by state, and the nodes by state, which may be the type of a condition.
func countsOf(i *triage.Impact) (counts []Count, nodes string) {
	if i == nil {
		return nil, ""
	}
	total := 0
	var says []string
	for _, n := range i.Nodes {
		total += n.Count
		says = append(says, fmt.Sprint(n.Count, " ", n.State))
	}
	if total > 0 {
		counts = append(counts, Count{"nodes", total})
		nodes = "nodes: " + strings.Join(says, ", ")
	}
	for _, state := range []triage.PodState{triage.PodRunning, triage.PodPending, triage.PodOther} {
		if n := i.Pods[state]; n > 0 {
			counts = append(counts, Count{fmt.Sprint("pods ", state), n})
		}
	}
	if n := len(i.Workloads); n > 0 {
		counts = append(counts, Count{"workloads with fewer ready pods than desired", n})
	}
	return counts, nodes
}

// unreadItems returns what was not read: the kinds that limit the verdict first.
func unreadItems(part []evidence.Kind, list []triage.NotChecked) []Item {
	var out []Item
	for _, kind := range part {
		out = append(out, Item{Kind: "not-read", Says: kind.Word() + ": not read, or read in part; the verdict is limited"})
	}
	var absent []string
	for _, n := range list {
		if n.Kind != "" {
			absent = append(absent, n.Kind.Word())
			continue
		}
		out = append(out, Item{Kind: "not-checked", Untrusted: Data{Says: n.What + ": " + n.Why, Commands: commands([]shell.Text{n.How})}})
	}
	if len(absent) > 0 {
		out = append(out, Item{Kind: "not-in-evidence", Says: "this evidence has no " + wording.First(absent, len(absent))})
	}
	return out
}
