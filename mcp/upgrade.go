package mcp

import (
	"context"
	"fmt"

	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/ask"
)

// UpgradeInput is the input of plan_upgrade.
type UpgradeInput struct {
	Page
	Pool           string `json:"pool" jsonschema:"name of the node pool"`
	Style          string `json:"style,omitempty" jsonschema:"upgrade strategy; detected from the nodes if left out; the error for an unknown one lists all"`
	Surge          string `json:"surge,omitempty" jsonschema:"nodes that are added during the upgrade: a number or a percentage"`
	MaxUnavailable string `json:"maxUnavailable,omitempty" jsonschema:"nodes that may be unavailable at the same time: a number or a percentage"`
}

func (t *tools) planUpgrade(ctx context.Context, in UpgradeInput, _ *kept) (Answer, error) {
	if in.Pool == "" {
		return Answer{}, refuse("pool is empty: name the node pool")
	}
	from, err := t.from(ctx)
	if err != nil {
		return Answer{}, err
	}
	u, err := ask.Upgrade(ctx, from, ask.UpgradeOptions{Pool: t.alias(in.Pool), Style: upgrade.Style(in.Style), Surge: in.Surge, MaxUnavailable: in.MaxUnavailable})
	if err != nil {
		return Answer{}, err
	}
	return upgradeAnswer(u), nil
}

func upgradeAnswer(u *upgrade.Plan) Answer {
	a := Answer{
		Verdict: fmt.Sprint(u.Verdict), TakenAt: moment(u.TakenAt), Untrusted: Data{Source: u.Source, Objects: u.Nodes},
		Impact: nothingDone + fmt.Sprintf("The simulated upgrade ends, or gets stuck, after %s.", u.Duration),
		Counts: []Count{
			{"nodes to replace", len(u.Nodes)}, {"evictions", u.Moves}, {"most Pending pods at one time", u.Peak.Pods},
			{"pods without a node at the end", len(u.Left)}, {"pods that no controller recreates", len(u.Lost)}, {"nodes that cannot be drained", len(u.Stuck)},
		},
		NotKnown: unreadItems(nil, u.NotChecked),
		Avoid:    []Item{{Kind: "caution", Says: "Do not start the upgrade while the verdict is blocked or harmful."}},
	}
	var blockers []Item
	for _, s := range u.Stuck {
		for _, p := range s.Pods {
			for _, b := range p.Blockers {
				i := blockerItem(p.Namespace, p.Name, b)
				i.Untrusted.Objects = append(i.Untrusted.Objects, s.Node)
				i.From, i.To = s.At.From.String(), s.At.To.String()
				blockers = append(blockers, i)
			}
		}
		a.Rest = append(a.Rest, Item{Kind: "stuck", From: s.At.From.String(), To: s.At.To.String(), Untrusted: Data{Objects: []string{s.Node}, Says: s.Then}})
	}
	a.First, blockers = firstOf(blockers)
	a.Rest = append(blockers, a.Rest...)
	a.Next = Item{Kind: "command", Says: "A person starts the upgrade with the command-line tool of the provider. Nothing has to be changed first."}
	if c := u.First; c != nil {
		a.Next = Item{Kind: "change-first", Says: "ask the owner of the workload first", Untrusted: Data{Says: listed(c.Why, c.What, c.Harm), Commands: commands(c.Commands)}}
	}
	a.Rest = append(a.Rest, upgradeRest(u)...)
	return a
}

// upgradeRest returns pods that are hurt, side effects, steps and assumptions.
func upgradeRest(u *upgrade.Plan) []Item {
	var out []Item
	for _, p := range u.Lost {
		out = append(out, Item{Kind: "lost", Says: "no controller creates the pod again", Untrusted: Data{Objects: []string{p}}})
	}
	for _, p := range u.Forced {
		out = append(out, Item{Kind: "forced", Says: "terminated against its PodDisruptionBudget", Untrusted: Data{Objects: []string{p}}})
	}
	for _, h := range u.Left {
		out = append(out, Item{Kind: "pending", Says: "fits on no node at the end", Untrusted: Data{Objects: []string{h.Workload}, Says: h.Says}})
	}
	for _, o := range u.Outages {
		out = append(out, outageItem(o))
	}
	for _, s := range u.SideEffects {
		out = append(out, Item{Kind: "side-effect", Untrusted: Data{Says: s}})
	}
	for _, s := range u.Steps {
		out = append(out, Item{Kind: "step", Says: fmt.Sprintf("%d evictions", s.Moves), From: s.Begin.From.String(), To: s.End.To.String(), Untrusted: Data{Objects: s.Nodes}})
	}
	for _, s := range u.Assumptions {
		out = append(out, Item{Kind: "assumption", Untrusted: Data{Says: s}})
	}
	if u.Unfinished != "" {
		out = append(out, Item{Kind: "unfinished", Says: "an earlier upgrade is not finished", Untrusted: Data{Says: u.Unfinished}})
	}
	return out
}
