package nodes

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// NodeFlaps finds nodes that were NotReady for a while and are Ready now. Other rules report other problems of them. New, rebooted
// and upgrading nodes change their state by design.
var NodeFlaps = &triage.Rule{
	ID:    "node-flaps",
	Doc:   "Reads events NodeNotReady followed by NodeReady of nodes that are Ready now.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes, evidence.Events},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Nodes() {
			if n.Ready() != evidence.True || facts.NewNode(p, n) || facts.Busy(p, n) {
				continue
			}
			var lost, back *evidence.Event
			times, explained := 0, false
			for _, e := range p.Snapshot.EventsOf(n.Subject()) {
				switch e.Reason {
				case "NodeNotReady":
					lost, times = e, times+max(e.Count, 1)
				case "NodeReady":
					back = e
				case "Rebooted", "RegisteredNode", "NodeRebootStart", "NodeReimageStart", "NodeRedeployStart":
					explained = true
				}
			}
			switch {
			case lost == nil || explained:
			case back == nil || back.Last.Before(lost.Last):
				p.Unknown("how long "+n.Name+" was NotReady", "it is Ready now, but there is no NodeReady event", shell.Format("kubectl get events --field-selector involvedObject.name={node}", n.Name))
			case facts.Since(n).IsZero() && readyFor(p, n) < time.Minute:
				p.RuleOut("no-fault-transient", n.Subject(), "it became Ready less than a minute ago")
			default:
				p.Found(triage.Claim{
					Says: "no-fault-transient", Subject: n.Subject(), Certainty: triage.Likely, Since: lost.Last,
					Summary:  fmt.Sprintf("the node was NotReady %s and has been Ready again since %s", often(times), back.Last.Format("15:04:05Z")),
					Evidence: []evidence.Ref{facts.EventRef(lost), facts.EventRef(back)},
				})
			}
		}
	},
}

// readyFor returns how long the node has been Ready; an hour if unknown.
func readyFor(p *triage.Pass, n *evidence.Node) time.Duration {
	c := n.Condition("Ready")
	if age, known := p.Age(c.LastTransitionTime.UTC()); known && !c.LastTransitionTime.IsZero() {
		return age
	}
	return time.Hour
}

func often(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
