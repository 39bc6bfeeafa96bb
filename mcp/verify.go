package mcp

import (
	"context"
	"fmt"

	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// VerifyInput is the input of verify_node.
type VerifyInput struct {
	Page
	Node  string `json:"node" jsonschema:"name of the node"`
	Since string `json:"since,omitempty" jsonschema:"time of the fix: RFC 3339, or a duration before now such as 15m"`
}

func (t *tools) verifyNode(ctx context.Context, in VerifyInput, k *kept) (Answer, error) {
	if in.Node == "" {
		return Answer{}, refuse("node is empty: name the node that was fixed")
	}
	from, err := t.from(ctx)
	if err != nil {
		return Answer{}, err
	}
	v, err := ask.Verify(ctx, from, ask.VerifyOptions{Node: t.alias(in.Node), Since: in.Since})
	if err != nil {
		return Answer{}, err
	}
	return verifyAnswer(v, from.Knowledge.Catalog, k), nil
}

func verifyAnswer(v *verify.Verification, c *catalog.Catalog, k *kept) Answer {
	a := Answer{Verdict: fmt.Sprint(v.Verdict), TakenAt: moment(v.TakenAt), Untrusted: Data{Source: v.Source, Objects: []string{v.Node}}}
	a.Impact = "The fix is verified only if the verdict is clear."
	results := map[string]int{}
	for _, s := range v.Steps {
		results["checks: "+fmt.Sprint(s.Result)]++
		i := Item{Kind: "check", ID: s.ID, Result: fmt.Sprint(s.Result), From: moment(s.Since), Untrusted: Data{Says: s.Detail, Commands: commands([]shell.Text{s.How})}}
		switch {
		case s.Result == v.Verdict && v.Verdict != verify.Clear && a.First.Kind == "":
			a.First = i
			a.Next = Item{Kind: "command", ID: s.ID, Says: "how to check it, or what remains to be done", Untrusted: Data{Commands: i.Untrusted.Commands}}
		case s.Result == verify.Unknown:
			a.NotKnown = append(a.NotKnown, i)
		default:
			a.Rest = append(a.Rest, i)
		}
	}
	a.Counts = sortedCounts(results)
	for i := range v.Findings {
		a.Rest = append(a.Rest, findingItem(&v.Findings[i], c, k))
	}
	for _, x := range v.Over {
		a.Rest = append(a.Rest, Item{Kind: "resolved", ID: x.Cause, Says: wordsOf(c, x.Cause, x.Title).title, Untrusted: Data{Objects: names([]evidence.Subject{x.Subject}), Says: x.EndedBy}})
	}
	a.Avoid = []Item{{Kind: "caution", Says: "Do not report the node as fixed while a check failed or is unknown."}}
	return a
}
