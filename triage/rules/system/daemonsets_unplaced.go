package system

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// DaemonSetsUnplaced finds DaemonSets with a desired number of zero that do not select nodes: all nodes have taints that the
// DaemonSet does not tolerate. A DaemonSet that selects nodes which the cluster does not have is fine.
var DaemonSetsUnplaced = &triage.Rule{
	ID:    "daemonsets-unplaced",
	Doc:   "Finds DaemonSets with 0 desired pods although they do not select particular nodes.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Workloads},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		var empty []*evidence.Workload
		sets := 0
		for _, w := range p.Snapshot.Workloads() {
			if w.Kind != "DaemonSet" || w.Replicas < 0 {
				continue
			}
			if sets++; w.Replicas == 0 {
				empty = append(empty, w)
			}
		}
		for _, w := range empty {
			c := triage.Claim{
				Says: "daemonset-incomplete", Subject: w.Subject(), Key: "unplaced " + w.Namespace + "/" + w.Name,
				Evidence: []evidence.Ref{workloadRef(w)}, Fill: map[string]string{"name": w.Name, "namespace": w.Namespace},
			}
			switch {
			case w.Partial:
				// A table shows the node selector but no affinity, and clouds install DaemonSets for nodes that do not exist. A
				// DaemonSet that was queried alone is relevant.
				if sets == 1 && len(p.Snapshot.Workloads()) == 1 {
					c.Certainty = triage.Possible
					c.Summary = fmt.Sprintf("DaemonSet %s has 0 desired pods: it does not tolerate a taint, or its selector matches no node", w.Name)
					p.Found(c)
				}
			case w.Template == nil || len(w.Template.NodeSelector) > 0 || w.Template.Affinity != nil && w.Template.Affinity.NodeAffinity != nil:
			case p.Snapshot.Covers(evidence.Nodes) == evidence.NotRead:
				p.Unknown("why DaemonSet "+w.Namespace+"/"+w.Name+" has 0 desired pods", "no node was read", "kubectl get nodes -o json")
			default:
				taint, nodes := excludedBy(p, w)
				if nodes == 0 {
					continue
				}
				c.Certainty = triage.Likely
				c.Summary = fmt.Sprintf("DaemonSet %s/%s has 0 desired pods: it does not tolerate the taint %[4]s of %[3]s", w.Namespace, w.Name, wording.Count(nodes, "node"), taint)
				p.Found(c)
			}
		}
		if sets > 0 && len(empty) == 0 {
			p.RuleOut("daemonset-incomplete", evidence.ClusterSubject(), wording.Count(sets, "DaemonSet")+" checked, none with 0 desired pods")
		}
	},
}

// excludedBy counts the Ready nodes if every one of them has a taint that keeps the DaemonSet's pods away permanently.
func excludedBy(p *triage.Pass, w *evidence.Workload) (taint string, nodes int) {
	for _, n := range p.Snapshot.Nodes() {
		if n.NotReady() {
			continue
		}
		t := facts.Untolerated(n, w.Template.Tolerations)
		if t == nil {
			return "", 0
		}
		taint, nodes = t.Key, nodes+1
	}
	return taint, nodes
}
