package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/report"
)

// ExplainInput is the input of explain_cause.
type ExplainInput struct {
	Page
	Query string `json:"query" jsonschema:"id of a cause, symptom or check, an error code, a log message, or a question"`
}

// Explained is the result of explain_cause. All of it is written by nodetriage.
type Explained struct {
	Kind     string `json:"kind" jsonschema:"Cause, Symptom, Question, Check, Signature or SearchResult"`
	ID       string `json:"id,omitempty"`
	Title    string `json:"title,omitempty"`
	Severity string `json:"severity,omitempty"`
	Impact   string `json:"impact,omitempty" jsonschema:"what does not work while the cause lasts"`
	Meaning  string `json:"meaning,omitempty" jsonschema:"explanation, in Markdown"`
	Page     string `json:"page,omitempty" jsonschema:"URI of the resource with the whole page"`
	Avoid    []Item `json:"avoid,omitempty" jsonschema:"what must not be done"`
	Rest     []Item `json:"rest,omitempty" jsonschema:"how to confirm, fix and verify, and related pages"`
	Left     int    `json:"left" jsonschema:"number of items that follow on later pages"`
	Cursor   string `json:"cursor,omitempty" jsonschema:"pass it to the same tool to get the next page"`
}

const costOfMeaning = 6000

const explainTool = "explain_cause"

func (t *tools) addExplain(s *sdk.Server, tool *sdk.Tool) {
	tool.InputSchema, tool.OutputSchema = inputOf[ExplainInput](), schemaOfAnswer(reflect.TypeFor[Explained]())
	addTool(s, tool, func(ctx context.Context, arguments json.RawMessage) (any, error) {
		var in ExplainInput
		if err := json.Unmarshal(arguments, &in); err != nil {
			return nil, err
		}
		return t.explain(ctx, in)
	})
}

func (t *tools) explain(ctx context.Context, in ExplainInput) (Explained, error) {
	if in.Cursor != "" {
		a, err := t.shelf.next(explainTool, in.Cursor)
		return Explained{Kind: a.Verdict, Rest: a.Rest, Left: a.Left, Cursor: a.Cursor}, err
	}
	if in.Query == "" || len(in.Query) > maxQuery {
		return Explained{}, refuse("query must have 1 to 4096 bytes: an id, an error code, a message or a question")
	}
	k, err := t.Knowledge()
	if err != nil {
		return Explained{}, failed(ctx, err, t.hidden)
	}
	x, err := ask.Explain(k, ask.ExplainOptions{Words: []string{in.Query}})
	if err != nil {
		return Explained{}, failed(ctx, err, t.hidden)
	}
	return t.explained(pageItems(x)), nil
}

// maxQuery limits a query.
const maxQuery = 4096

// explained cuts a page to its first part.
func (t *tools) explained(e Explained) Explained {
	e.Meaning = cutLines(e.Meaning, costOfMeaning)
	var left []Item
	e.Avoid, left = fit(e.Avoid, costOfAvoid)
	k := newKept(explainTool)
	k.rest, k.head = append(left, e.Rest...), Answer{Verdict: e.Kind}
	t.shelf.put(k)
	e.Rest = nil
	e.Rest, left = fit(k.rest, MaxAnswer-costOfEnvelope-cost(e))
	if e.Left = len(left); e.Left > 0 {
		e.Cursor = fmt.Sprintf("%s.%d", k.id, len(e.Rest))
	}
	return e
}

// pageItems returns a page of the catalog.
func pageItems(x *ask.Explanation) Explained {
	switch {
	case x.Page != nil:
		return causeItems(x.Page)
	case x.Question != nil:
		e := Explained{Kind: x.Question.Kind, ID: x.Question.ID, Title: x.Question.Question, Meaning: x.Question.Answer, Rest: linkItems("see", x.Question.See)}
		if x.Question.Run != "" {
			e.Rest = append(e.Rest, Item{Kind: "command", Commands: []string{x.Question.Run}})
		}
		return e
	case x.Check != nil:
		return Explained{Kind: x.Check.Kind, ID: x.Check.ID, Title: x.Check.Title, Severity: x.Check.Risk, Impact: x.Check.Why, Meaning: x.Check.Fix}
	case x.Signature != nil:
		e := Explained{Kind: x.Signature.Kind, ID: x.Signature.ID, Title: "message of " + x.Signature.Component, Meaning: x.Signature.Pattern}
		if x.Signature.Says != nil {
			e.Rest = linkItems("says", []report.Link{*x.Signature.Says})
		}
		return e
	case x.Found != nil:
		e := Explained{Kind: x.Found.Kind, Title: "several pages; ask for one of them by its id"}
		for _, m := range x.Found.Matches {
			e.Rest = append(e.Rest, Item{Kind: "page", ID: m.ID, Says: m.Title})
		}
		return e
	}
	return Explained{Kind: "SearchResult", Title: "no page"}
}

func causeItems(p *report.Page) Explained {
	e := Explained{Kind: p.Kind, ID: p.ID, Title: p.Title, Severity: fmt.Sprint(p.Severity), Impact: p.Impact, Meaning: joined(p.Meaning, p.Look), Page: causeURI + p.ID}
	for _, c := range p.Cautions {
		e.Avoid = append(e.Avoid, Item{Kind: "caution", Says: open(c)})
	}
	for _, c := range p.Confirm {
		e.Rest = append(e.Rest, Item{Kind: "confirm", Says: open(c.Expect), Where: c.Where, Commands: []string{open(c.Run)}})
	}
	for _, m := range p.Remedies {
		i := Item{Kind: "fix", Says: m.Title, Risk: m.Risk, Disrupts: m.Disruptive, Where: m.Where}
		for _, c := range m.Commands {
			i.Commands = append(i.Commands, open(c))
		}
		e.Rest = append(e.Rest, i)
	}
	for _, v := range p.Verify {
		e.Rest = append(e.Rest, Item{Kind: "verify", Commands: []string{open(v)}})
	}
	e.Rest = append(e.Rest, linkItems("explains", p.Explains)...)
	e.Rest = append(e.Rest, linkItems("explained-by", p.ExplainedBy)...)
	e.Rest = append(e.Rest, linkItems("often-mistaken-for", p.Supersedes)...)
	e.Rest = append(e.Rest, linkItems("also", p.Also)...)
	return e
}

// open returns a text of the catalog with a <gap> for each name.
func open(t shell.Text) string { return plain(t.Fill(nil)) }

func linkItems(kind string, links []report.Link) []Item {
	var out []Item
	for _, l := range links {
		out = append(out, Item{Kind: kind, ID: l.ID, Says: l.Title})
	}
	return out
}
