package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// drainLimit is how long a single node's drain may take before an upgrade counts as stuck: the default of
// AKS (30 min); EKS gives up after 15.
const drainLimit = 30 * time.Minute

// upgrade finds rolling node upgrades under way: which nodes are done, and the node at which it waits.
var upgrade = &triage.Rule{
	ID:    "upgrade",
	Doc:   "Finds pools with nodes of several images or versions and a node being drained, and how long that takes.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		pools := map[string][]*evidence.Node{}
		for _, n := range p.Snapshot.Data().Nodes {
			pools[triage.Pool(n)] = append(pools[triage.Pool(n)], n)
			if n.Labels["kubernetes.azure.com/upgrade-status"] == "Quarantined" {
				p.Found(triage.Claim{
					Says: "upgrade-stuck", Subject: n.Subject(), Confidence: triage.Certain, Key: "quarantined",
					Summary:  "AKS gave up draining node " + n.Name + " and put it into quarantine",
					Evidence: []evidence.Ref{nodeRef(n, ".metadata.labels", "kubernetes.azure.com/upgrade-status=Quarantined")},
				})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(pools)) {
			if name != "" {
				upgradeOf(p, name, pools[name])
			}
		}
	},
}

func upgradeOf(p *triage.Pass, pool string, nodes []*evidence.Node) {
	builds := map[string]int{}
	var draining []*evidence.Node
	for _, n := range nodes {
		builds[build(n)]++
		if n.Spec.Unschedulable {
			draining = append(draining, n)
		}
	}
	var last *evidence.Event
	for _, n := range nodes {
		for _, e := range p.Snapshot.EventsOf(n.Subject()) {
			if (e.Reason == "Drain" || e.Reason == "Surge" || e.Reason == "Upgrade") && (last == nil || e.Last.After(last.Last)) {
				last = e
			}
		}
	}
	if len(builds) < 2 && last == nil || len(draining) == 0 {
		return
	}
	n := draining[0]
	at, _ := n.CordonedBy()
	age, known := p.Age(at)
	subject := evidence.Subject{Kind: "Pool", Name: pool}
	refs := []evidence.Ref{nodeRef(n, ".spec.unschedulable", "cordoned %s", ago(p.Now, at))}
	if last != nil {
		refs = append(refs, eventRef(last))
	}
	progress := strings.Join(describe(builds), ", ")
	if known && age > drainLimit {
		p.Found(triage.Claim{
			Says: "upgrade-stuck", Subject: subject, Confidence: triage.Likely, Evidence: refs, Since: at, Key: pool,
			Fill:    map[string]string{"node": n.Name, "pool": pool},
			Summary: fmt.Sprintf("the upgrade of pool %s waits at node %s for %s (%s)", pool, n.Name, short(age), progress),
		})
		return
	}
	p.Found(triage.Claim{
		Says: "upgrade-in-progress", Subject: subject, Confidence: triage.Likely, Evidence: refs, Since: at, Key: pool,
		Summary: fmt.Sprintf("pool %s is being upgraded, now at node %s (%s)", pool, n.Name, progress),
	})
}

// build is what an upgrade changes on a node.
func build(n *evidence.Node) string {
	if v := triage.NodeImage(n); v != "" {
		return v
	}
	return n.Node.Status.NodeInfo.KubeletVersion
}

func describe(builds map[string]int) []string {
	var out []string
	for _, b := range slices.Sorted(maps.Keys(builds)) {
		out = append(out, fmt.Sprintf("%d nodes with %s", builds[b], b))
	}
	return out
}
