package nodes

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// lastWords is how long after the deletion of its Node object a stopping kubelet may still write events.
const lastWords = 10 * time.Second

// DeletedNodes finds Node objects that were deleted while their kubelets run: a kubelet creates its object only at its start.
// Usually the machine is deleted too. An event of the kubelet after the deletion shows that it still runs; pods that are still
// bound to the node show that it was not drained before.
var DeletedNodes = &triage.Rule{
	ID:    "deleted-nodes",
	Doc:   "Compares removals of nodes by the node controller with existing nodes, running kubelets, and remaining pods.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Events},
	Reads: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		if p.Snapshot.Covers(evidence.Nodes) != evidence.Complete {
			return
		}
		for _, e := range p.Snapshot.Events() {
			removed := e.Reason == "RemovingNode" && e.Object.Kind == "Node" && p.Snapshot.Node(e.Object.Name) == nil
			age, known := p.Age(e.Last)
			if !removed || !known || age > facts.Lately {
				continue
			}
			name := e.Object.Name
			c := triage.Claim{
				Says: "node-object-deleted", Subject: evidence.NodeSubject(name), Certainty: triage.Certain, Since: e.Last, Key: "removed",
				Evidence: []evidence.Ref{{Source: "event of node/" + name, Locator: e.Reason, Text: e.Message, ObservedAt: e.Last}},
			}
			deleted := fmt.Sprintf("the Node object %s was deleted %s ago", name, wording.Duration(age))
			if r := runningOn(p, name); r != nil {
				c.Summary = deleted + ", but its kubelet is running"
				c.Evidence = append(c.Evidence, facts.ReportRef(r, r.Kubelet.Ref, "kubelet", "/healthz answers %s", r.Kubelet.Healthz))
				p.Found(c)
				continue
			}
			if said := wordAfter(p, name, e.Last.Add(lastWords)); said != nil {
				c.Certainty, c.LastSeen = triage.Likely, said.Last
				c.Summary = deleted + ", but its kubelet still writes events"
				c.Evidence = append(c.Evidence, facts.EventRef(said))
				p.Found(c)
				continue
			}
			p.Unknown("whether the VM of "+name+" still exists", "its Node object was deleted "+wording.Duration(age)+" ago",
				"on the node: nodetriage node-check, or systemctl status kubelet; check in the cloud whether the VM exists")
			if left := leftOn(p, name); len(left) > 0 && !missedByCloud(p, name) {
				c.Certainty, c.Severity = triage.Possible, catalog.Warning
				c.Summary = fmt.Sprintf("%s with %s still bound to it", deleted, wording.Count(len(left), "pod"))
				c.Evidence = append(c.Evidence, facts.PodRef(left[0], ".spec.nodeName", "bound to %s, which has no Node object", name))
				p.Found(c)
			}
		}
	},
}

// runningOn returns the report of the machine with that name, if its kubelet answered.
func runningOn(p *triage.Pass, node string) *nodereport.Report {
	for _, r := range p.Snapshot.NodeReports() {
		if r.Node == node && r.Kubelet != nil && r.Kubelet.Healthz == "ok" {
			return r
		}
	}
	return nil
}

// wordAfter returns the newest event of the node's kubelet after that time, or nil.
func wordAfter(p *triage.Pass, node string, after time.Time) *evidence.Event {
	var last *evidence.Event
	for _, e := range p.Snapshot.Events() {
		there := e.Host == node || e.Object == evidence.NodeSubject(node)
		own := there && logline.Named(e.Component) == logline.Kubelet
		if own && e.Last.After(after) && e.NewerThan(last) {
			last = e
		}
	}
	return last
}

// missedByCloud reports whether the cloud controller deleted the object because it found no machine.
func missedByCloud(p *triage.Pass, node string) bool {
	return slices.ContainsFunc(p.Snapshot.MatchesOf("ccm-deleting-node"), func(m *evidence.Match) bool {
		return m.Subject == evidence.NodeSubject(node) || m.Captures["node"] == node
	})
}

// leftOn returns the pods that are bound to a node without an object and that a drain would have moved.
func leftOn(p *triage.Pass, node string) []*evidence.Pod {
	var out []*evidence.Pod
	for _, pod := range p.Snapshot.PodsOn(node) {
		if !pod.Partial && !mechanics.TiedToNode(pod) && !pod.Finished() && !pod.Deleting() {
			out = append(out, pod)
		}
	}
	return out
}
