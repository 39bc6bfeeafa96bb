package mcp

import (
	"context"
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/ask"
)

// CheckInput is the input of check_risks.
type CheckInput struct {
	Page
	Pools []string `json:"pools,omitempty" jsonschema:"node pools whose upgrade is simulated too"`
}

func (t *tools) checkRisks(ctx context.Context, in CheckInput, _ *kept) (Answer, error) {
	from, err := t.from(ctx)
	if err != nil {
		return Answer{}, err
	}
	opt := ask.CheckOptions{Pools: t.aliases(in.Pools)}
	if opt.Exceptions, err = t.exceptions(from.Knowledge); err != nil {
		return Answer{}, err
	}
	r, err := ask.Check(ctx, from, opt)
	if err != nil {
		return Answer{}, err
	}
	return checkAnswer(r), nil
}

func checkAnswer(r *check.Review) Answer {
	a := Answer{
		Verdict: fmt.Sprint(r.Verdict), TakenAt: moment(r.TakenAt), Untrusted: Data{Source: r.Source},
		Counts:   []Count{{"nodes", r.Looked.Nodes}, {"pods", r.Looked.Pods}, {"PodDisruptionBudgets", r.Looked.Budgets}},
		NotKnown: unreadItems(r.Looked.Unread, r.NotChecked),
	}
	described := check.Described()
	for _, w := range r.Weaknesses {
		i := Item{Kind: "risk", ID: w.Check, Risk: fmt.Sprint(w.Harm), Untrusted: Data{Objects: names(w.Subjects), Says: listed(first(w.Details), w.Fix), Commands: commands(w.Commands)}}
		why := ""
		if at := slices.IndexFunc(described, func(d check.Description) bool { return d.ID == w.Check }); at >= 0 {
			i.Says, why = described[at].Title, described[at].Why
		}
		if a.First.Kind == "" {
			a.First, a.Impact = i, why
			a.Next = Item{Kind: "fix", ID: w.Check, Untrusted: Data{Says: w.Fix, Commands: commands(w.Commands)}}
			continue
		}
		a.Rest = append(a.Rest, i)
	}
	for _, id := range r.Passed {
		a.Rest = append(a.Rest, Item{Kind: "passed", ID: id})
	}
	if x := r.FirstToExpire; x != nil {
		a.Rest = append(a.Rest, Item{Kind: "certificate", Says: "the first certificate of a node to expire", To: moment(&x.Until), Untrusted: Data{Objects: []string{x.Node}, Says: x.Certificate}})
	}
	if n := len(r.Ignored); n > 0 {
		a.Rest = append(a.Rest, Item{Kind: "suppressed", Says: fmt.Sprint(n, " risks are suppressed by exceptions")})
	}
	return a
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}
