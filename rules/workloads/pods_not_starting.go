package workloads

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/logline"
	"github.com/nodetriage/nodetriage/rules/facts"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// longWait is how long a pod may be in ContainerCreating without a word of its kubelet: images take their time.
const longWait = 5 * time.Minute

// PodsNotStarting records the nodes on which pods fail to start or to end now, for a reason that lies in the node. It is told
// from the first event on; a node that has just joined is starting.
var PodsNotStarting = &triage.Rule{
	ID:    "pods-not-starting",
	Doc:   "Reads the newest events of pods that do not start or do not end, and pods that wait on a node whose kubelet has reported nothing.",
	Needs: []evidence.Kind{evidence.Pods},
	Reads: []evidence.Kind{evidence.Nodes, evidence.Events},
	Check: func(p *triage.Pass) {
		for _, e := range p.Snapshot.Events() {
			says := facts.NodeKeeps[e.Reason]
			if says == "" || e.Object.Kind != "Pod" {
				continue
			}
			m := &evidence.Match{Kind: evidence.TextEvent, Event: e, Subject: e.Object, First: e.First, Last: e.Last, Ref: evidence.Ref{Locator: e.Reason}, Speaker: logline.Kubelet}
			pod := p.Snapshot.Pod(e.Object.Namespace, e.Object.Name)
			if pod == nil || pod.Node == "" || pod.Partial && pod.Status == "" {
				continue
			}
			if _, ended := facts.PodEventEnd(p, m); ended || facts.Starting(p, m) || says == "pods-not-starting" && pod.Phase == corev1.PodRunning {
				continue
			}
			p.Found(triage.Claim{Says: says, Subject: evidence.NodeSubject(pod.Node), Evidence: []evidence.Ref{facts.EventRef(e)}, Since: e.First, LastSeen: e.Last, Key: e.Object.String()})
		}
		for _, pod := range p.Snapshot.Pods() {
			n := p.Snapshot.Node(pod.Node)
			if n == nil || pod.Partial || pod.Status != "ContainerCreating" || pod.Deleting() || n.NotReady() || facts.Joining(p, n) {
				continue
			}
			if age, known := p.Age(pod.Created); known && age > longWait {
				p.Found(triage.Claim{
					Says: "pods-not-starting", Subject: n.Subject(), Since: pod.Created, Key: pod.Key(),
					Evidence: []evidence.Ref{facts.PodRef(pod, ".status", "%s", fmt.Sprintf("ContainerCreating for %s", wording.Duration(age)))},
				})
			}
		}
	},
}
