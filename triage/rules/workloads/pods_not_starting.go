package workloads

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// How long a pod may be in ContainerCreating without an error of its kubelet, because images and volumes take time. A kubelet that
// has not reported an image pull has not created the sandbox, which takes seconds.
const (
	longWait  = 5 * time.Minute
	shortWait = 2 * time.Minute
)

// PodsNotStarting records the nodes on which pods currently fail to start or stop because of the node. It reports from the first
// event on. A node that just joined is still starting.
var PodsNotStarting = &triage.Rule{
	ID:    "pods-not-starting",
	Doc:   "Reads the newest events of pods that do not start or do not terminate, and finds pods on nodes whose kubelet has reported nothing about them.",
	Scope: triage.OfNode,
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
			if p.HasEnded(m) || facts.Starting(p, m) || says == "pods-not-starting" && pod.Phase == corev1.PodRunning {
				continue
			}
			p.Found(triage.Claim{Says: says, Subject: evidence.NodeSubject(pod.Node), Evidence: []evidence.Ref{facts.EventRef(e)}, Since: e.First, LastSeen: e.Last, Key: e.Object.String()})
		}
		for _, pod := range p.Snapshot.Pods() {
			n := p.Snapshot.Node(pod.Node)
			creating := pod.Status == "ContainerCreating" && !pod.Partial && !pod.Deleting()
			if n == nil || !creating || n.NotReady() || facts.Joining(p, n) {
				continue
			}
			heard := slices.ContainsFunc(p.Snapshot.EventsOf(pod.Subject()), func(e *evidence.Event) bool { return e.Component == string(logline.Kubelet) })
			wait := longWait
			if p.Snapshot.Covers(evidence.Events) == evidence.Complete && !heard && !hasDisk(pod) {
				wait = shortWait
			}
			if age, known := p.Age(pod.Created); known && age > wait {
				if !heard {
					p.Unknown("why "+pod.Key()+" does not start on "+n.Name, "its kubelet has reported nothing about it",
						"on the node: nodetriage node-check, or timeout 10 crictl pods and timeout 10 systemctl is-system-running")
				}
				p.Found(triage.Claim{
					Says: "pods-not-starting", Subject: n.Subject(), Since: pod.Created, Key: pod.Key(),
					Evidence: []evidence.Ref{facts.PodRef(pod, ".status", "%s", fmt.Sprintf("ContainerCreating for %s", wording.Duration(age)))},
				})
			}
		}
	},
}

// hasDisk reports whether the pod may wait for a volume attachment, or its template is unknown.
func hasDisk(pod *evidence.Pod) bool {
	return pod.Spec == nil || slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
		return v.PersistentVolumeClaim != nil || v.CSI != nil || v.Ephemeral != nil || v.NFS != nil
	})
}
