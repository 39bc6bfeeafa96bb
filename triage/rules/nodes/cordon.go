package nodes

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Cordon reads unschedulable nodes: who cordoned them, how long ago, and whether there is still activity on the node. A cordon may
// be on purpose, so the claim is at most possible, unless a tool left its own mark behind.
var Cordon = &triage.Rule{
	ID:    "cordon",
	Doc:   "Finds cordoned nodes, who cordoned them, and whether a drain or an upgrade is still in progress.",
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Pods, evidence.Events},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Nodes() {
			leftTaint(p, n)
			if !n.Spec.Unschedulable {
				continue
			}
			if byDesign(p, n) {
				p.RuleOut("cordon-left-behind", n.Subject(), "all control plane nodes are cordoned, which is by design; other nodes take the pods")
				continue
			}
			at, by := n.CordonedBy()
			text := "unschedulable: true"
			if by != "" {
				text += ", set by " + by
			}
			refs := []evidence.Ref{facts.NodeRef(n, ".spec.unschedulable", "%s", text)}
			if killedDrain(p, n, refs) {
				continue
			}
			age, known := p.Age(at)
			if known && age < facts.LongCordon && evidence.DrainCordon(n.Node) != nil {
				p.RuleOut("cordon-left-behind", n.Subject(), "it was cordoned only "+wording.Duration(age)+" ago, by "+by)
				continue // a nodetriage drain cordoned it for planned work
			}
			p.Found(triage.Claim{Says: "node-unschedulable", Subject: n.Subject(), Evidence: refs, Since: at})
			switch {
			case n.NotReady() && !(known && facts.Since(n).Sub(at) > facts.LongCordon): // a cordon of a failing node is on purpose
				continue
			case !known:
				p.Unknown("since when and by whom "+n.Name+" is cordoned", "it is not in the evidence",
					shell.Format("kubectl get node {node} -o yaml --show-managed-fields", n.Name))
				continue
			case facts.Emptied(p, n):
				p.RuleOut("cordon-left-behind", n.Subject(), "a drain or an upgrade of it is in progress")
				continue
			case age < facts.LongCordon:
				p.RuleOut("cordon-left-behind", n.Subject(), "it was cordoned only "+wording.Duration(age)+" ago")
				continue
			}
			summary := "cordoned " + wording.Duration(age) + " ago"
			if by != "" {
				summary += " by " + by
			}
			if n.Ready() == evidence.True {
				summary += "; the node is Ready, and no drain is in progress"
			} else {
				summary += "; no drain is in progress"
			}
			p.Found(triage.Claim{
				Says: "cordon-left-behind", Subject: n.Subject(), Certainty: triage.Possible, Evidence: refs, Since: at, Summary: summary,
			})
		}
	},
	// A table row or message about a control plane node adds nothing to its object.
	JudgesInstead: func(p *triage.Pass, m *evidence.Match) bool {
		return slices.ContainsFunc(p.Snapshot.Nodes(), func(n *evidence.Node) bool {
			own := m.Subject == n.Subject() || n.Partial && sameLine(&n.Ref, &m.Ref)
			return own && n.Spec.Unschedulable && byDesign(p, n)
		})
	},
}

// killedDrain finds a node that a nodetriage drain cordoned and did not finish: its mark is neither renewed nor ended. Only healthy
// nodes count, because an admin who drains a failing node continues with it.
func killedDrain(p *triage.Pass, n *evidence.Node, refs []evidence.Ref) bool {
	m := evidence.DrainCordon(n.Node)
	if m == nil || m.State != evidence.Draining || n.NotReady() {
		return false
	}
	age, known := p.Age(m.Renewed)
	if !known || age < evidence.Abandoned {
		return false
	}
	p.Found(triage.Claim{Says: "node-unschedulable", Subject: n.Subject(), Evidence: refs, Since: m.At})
	p.Found(triage.Claim{
		Says: "cordon-left-behind", Subject: n.Subject(), Certainty: triage.Likely, Evidence: refs, Since: m.At, Key: evidence.MarkCordon,
		Summary: "a drain by " + m.Who() + " cordoned it at " + m.At.UTC().Format("2006-01-02 15:04Z") + " and did not finish (last active " + wording.Duration(age) + " ago)",
	})
	return true
}

// leftTaint finds marks of a completed repair. out-of-service must be removed by hand, the taint of AKS after the announced event.
func leftTaint(p *triage.Pass, n *evidence.Node) {
	for _, key := range []string{corev1.TaintNodeOutOfService, evidence.TaintRemediator} {
		t := n.Taint(key)
		goesOn := key != corev1.TaintNodeOutOfService && announced(n)
		if t == nil || goesOn || n.Ready() != evidence.True {
			continue
		}
		p.Found(triage.Claim{
			Says: "cordon-left-behind", Subject: n.Subject(), Certainty: triage.Likely, Key: key, Fill: map[string]string{"taint": key},
			Evidence: []evidence.Ref{facts.NodeRef(n, ".spec.taints", "%s=%s:%s", t.Key, t.Value, t.Effect)},
			Summary:  "the node is Ready and still has the taint " + key + ", which was not removed after the repair",
		})
	}
}
