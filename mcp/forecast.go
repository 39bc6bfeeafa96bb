package mcp

import (
	"context"
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// ForecastInput is the input of forecast_pods.
type ForecastInput struct {
	Page
	Nodes     []string `json:"nodes,omitempty" jsonschema:"names of the nodes"`
	Zone      string   `json:"zone,omitempty" jsonschema:"all nodes of this zone instead"`
	Pool      string   `json:"pool,omitempty" jsonschema:"all nodes of this node pool instead"`
	Event     string   `json:"event,omitempty" jsonschema:"power-off, kubelet-stop, partition, reboot, delete, out-of-service, taint, shutdown, delete-pods or force-delete; leave it out for nodes that are down already"`
	BackAfter string   `json:"backAfter,omitempty" jsonschema:"when the nodes are back, as a duration such as 10m"`
	Taint     string   `json:"taint,omitempty" jsonschema:"taint of the event taint, as key=value:NoExecute"`
}

func (t *tools) forecastPods(ctx context.Context, in ForecastInput, _ *kept) (Answer, error) {
	if len(in.Nodes) == 0 && in.Zone+in.Pool == "" {
		return Answer{}, refuse("nodes is empty: name the nodes, or set zone or pool")
	}
	opt := ask.PredictOptions{Zone: t.alias(in.Zone), Pool: t.alias(in.Pool), Event: predict.Event(in.Event), Taint: in.Taint}
	if in.BackAfter != "" {
		d, err := time.ParseDuration(in.BackAfter)
		if err != nil || d < 0 {
			return Answer{}, refuse("backAfter is not a duration: use one like 10m")
		}
		opt.BackAfter = &d
	}
	from, err := t.from(ctx)
	if err != nil {
		return Answer{}, err
	}
	opt.Nodes = t.aliases(in.Nodes)
	p, err := ask.Predict(ctx, from, opt)
	if err != nil {
		return Answer{}, err
	}
	return forecastAnswer(p.Forecast), nil
}

// Verdicts of a forecast, like the exit codes of nodetriage predict.
const (
	podsLost   = "pods-lost"
	withOutage = "outage"
	recovers   = "recovers"
	notEnough  = "unknown"
)

func forecastAnswer(f *predict.Forecast) Answer {
	a := Answer{Verdict: forecastVerdict(f), TakenAt: moment(f.TakenAt), Untrusted: Data{Source: f.Source, Objects: f.Nodes, Says: f.Scenario}}
	a.Impact = nothingDone + "This is a forecast: times are ranges since the event."
	fates := map[string]int{}
	for i := range f.Pods {
		fates["pods: "+fmt.Sprint(f.Pods[i].Fate)]++
	}
	a.Counts = sortedCounts(fates)
	for _, w := range f.Workloads {
		a.Rest = append(a.Rest, workloadItem(w))
	}
	a.First, a.Rest = firstOf(a.Rest)
	for _, o := range f.Options {
		i := Item{Kind: "option", ID: o.Name, Says: o.Title, Risk: o.Risk, Untrusted: Data{Commands: commands(o.Commands)}}
		i.From, i.To = span(o.RestoredAt)
		if a.Next.Kind == "" && o.Risk != "high" {
			a.Next = i
		}
		a.Rest = append(a.Rest, i)
		for _, d := range o.Danger {
			a.Avoid = append(a.Avoid, Item{Kind: "danger", ID: o.Name, Untrusted: Data{Says: d}})
		}
	}
	for _, w := range f.Act {
		i := Item{Kind: "action", Untrusted: Data{Says: listed(w.What, w.Harm), Commands: commands(w.Commands)}}
		if a.Next.Kind == "" {
			a.Next = i
		}
		a.Rest = append(a.Rest, i)
	}
	for _, never := range f.Never {
		a.Rest = append(a.Rest, Item{Kind: "never", Says: "does not happen", Untrusted: Data{Says: never}})
	}
	for _, m := range f.Timeline {
		a.Rest = append(a.Rest, Item{Kind: "event", From: m.From.String(), To: m.To.String(), Untrusted: Data{Objects: names([]evidence.Subject{m.Subject}), Says: listed(m.What, m.Why)}})
	}
	for i := range f.Pods {
		a.Rest = append(a.Rest, fateItem(&f.Pods[i]))
	}
	for _, x := range f.Assumptions {
		a.Rest = append(a.Rest, Item{Kind: "assumption", Untrusted: Data{Says: x}})
	}
	for _, x := range f.Depends {
		a.NotKnown = append(a.NotKnown, Item{Kind: "depends", Untrusted: Data{Says: x}})
	}
	for _, g := range f.NotChecked {
		a.NotKnown = append(a.NotKnown, Item{Kind: "not-checked", Untrusted: Data{Says: g.What + ": " + g.Why, Commands: commands([]shell.Text{g.How})}})
	}
	return a
}

func firstOf(items []Item) (Item, []Item) {
	if len(items) == 0 {
		return Item{}, nil
	}
	return items[0], items[1:]
}

func forecastVerdict(f *predict.Forecast) string {
	verdict := recovers
	for _, w := range f.Workloads {
		if w.RestoredAt == nil {
			return podsLost
		}
		if w.Outage {
			verdict = withOutage
		}
	}
	for i := range f.Pods {
		if f.Pods[i].Fate == predict.Lost {
			return podsLost
		}
	}
	if len(f.NotChecked) > 0 {
		return notEnough
	}
	return verdict
}

func workloadItem(w predict.WorkloadFate) Item {
	i := Item{Kind: "workload", Says: fmt.Sprintf("%d of %d pods are on the nodes, %d ready pods elsewhere", w.Hit, w.Wanted, w.Elsewhere)}
	i.Untrusted.Objects = names([]evidence.Subject{{Kind: w.Kind, Namespace: w.Namespace, Name: w.Name}})
	switch {
	case w.RestoredAt == nil:
		i.Result = "does not get all its pods back without an action"
	case w.Outage:
		i.Result = "no ready pod until restored"
	default:
		i.Result = "restored"
	}
	i.From, i.To = span(w.RestoredAt)
	return i
}

func fateItem(p *predict.PodFate) Item {
	i := Item{Kind: "pod", Result: fmt.Sprint(p.Fate), Untrusted: Data{Objects: []string{evidence.PodSubject(p.Namespace, p.Name).String()}, Says: p.Replacement.Message}}
	i.From, i.To = span(p.GoneAt)
	return i
}

func span(i *plan.Interval) (from, to string) {
	if i == nil {
		return "", ""
	}
	return i.From.String(), i.To.String()
}
