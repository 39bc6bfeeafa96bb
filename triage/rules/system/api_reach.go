package system

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// lookup matches failed DNS lookups in errors of Go's net package and of curl.
var lookup = lazyregexp.New(`\blookup \S{1,253}(?: on \S{1,60})?: |\bno such host\b|(?i)could ?n[o']t resolve`)

// ownProxy matches the address of a local proxy for the API server: the agent of k3s and RKE2, or a static pod.
var ownProxy = lazyregexp.New(`https://((?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?)[/"\\ ]`)

// APIReach compares a node whose log cannot reach the API server with the other nodes. If they report, the API server works, and
// the path from this node is cut. A path to an address of the node itself cannot be cut.
var APIReach = &triage.Rule{
	ID:    "api-reach",
	Doc:   "If one node's log reports an unreachable API server: checks whether other nodes reach it.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Messages},
	Check: func(p *triage.Pass) {
		var down []*evidence.Node
		up := 0
		for _, n := range p.Snapshot.Nodes() {
			if n.NotReady() {
				down = append(down, n)
			} else if n.Ready() == evidence.True {
				up++
			}
		}
		seen := map[string]bool{}
		for _, m := range facts.Said(p, "apiserver-unreachable") {
			if lookup.MatchString(m.Ref.Text) {
				continue // the name was not resolved, so no connection was tried
			}
			name := p.Snapshot.NodeOf(m.Subject)
			if name == "" && len(down) == 1 {
				name = down[0].Name // the only node whose log a person would paste
			}
			n := p.Snapshot.Node(name)
			if n == nil || !n.NotReady() || seen[name] {
				continue
			}
			seen[name] = true
			switch {
			case up == 0 && len(down) > 1:
				p.Unknown("whether the API server or the network path from "+name+" to it is broken", "no other node is known to report", "kubectl get --raw /readyz, from the control plane itself")
			case up > len(down):
				p.RuleOut("control-plane-degraded", evidence.ClusterSubject(), fmt.Sprintf("%s report to the API server", wording.Count(up, "other node")))
				c := triage.Claim{
					Says: "network-partition", Subject: n.Subject(), Certainty: triage.Possible, Since: facts.Since(n), Key: "neighbours",
					Evidence: []evidence.Ref{m.Ref, facts.NodeRef(n, ".status.conditions[Ready]", "not Ready, while %s are", wording.Count(up, "other node"))},
					Summary:  fmt.Sprintf("the node does not reach the API server, but %s do: its network path is broken", wording.Count(up, "other node")),
				}
				if own := ownProxy.FindStringSubmatch(m.Ref.Text); own != nil && !facts.ControlPlaneNode(n) {
					c.Says, c.Certainty = "apiserver-unreachable", triage.Likely
					c.Summary = fmt.Sprintf("the node's local API server proxy at %s does not work; %s reach the API server", own[1], wording.Count(up, "other node"))
				}
				p.Found(c)
			}
		}
	},
}
