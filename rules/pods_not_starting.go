package rules

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/logline"
	"github.com/nodetriage/nodetriage/triage"
)

// nodeKeeps are the reasons of events by which a kubelet says that the node keeps a pod from starting or from ending, each with
// what it then is.
var nodeKeeps = map[string]string{
	"FailedCreatePodSandBox": "pods-not-starting", "FailedPodSandBoxStatus": "pods-not-starting", "FailedMapVolume": "pods-not-starting",
	"FailedMount": "pods-not-starting", "FailedCreatePodContainer": "pods-not-starting", "NetworkNotReady": "pods-not-starting",
	"OutOfcpu": "pods-not-starting", "OutOfmemory": "pods-not-starting", "OutOfpods": "pods-not-starting", "UnexpectedAdmissionError": "pods-not-starting",
	"FailedKillPod": "pods-not-stopping", "FailedUnMount": "pods-not-stopping",
}

// longWait is how long a pod may be in ContainerCreating without a word of its kubelet: images take their time.
const longWait = 5 * time.Minute

// podsNotStarting records the nodes on which pods fail to start or to end now, for a reason that lies in the node. It is told
// from the first event on; a node that has just joined is starting.
var podsNotStarting = &triage.Rule{
	ID:    "pods-not-starting",
	Doc:   "Reads the newest events of pods that do not start or do not end, and pods that wait on a node without a word of its kubelet.",
	Needs: []evidence.Kind{evidence.Pods},
	Reads: []evidence.Kind{evidence.Nodes, evidence.Events},
	Check: func(p *triage.Pass) {
		for _, e := range p.Snapshot.Data().Events {
			says := nodeKeeps[e.Reason]
			if says == "" || e.Object.Kind != "Pod" {
				continue
			}
			m := &evidence.Match{Kind: evidence.TextEvent, Event: e, Subject: e.Object, First: e.First, Last: e.Last, Ref: evidence.Ref{Locator: e.Reason}, Speaker: logline.Kubelet}
			pod := p.Snapshot.Pod(e.Object.Namespace, e.Object.Name)
			if pod == nil || pod.Node == "" || pod.Partial && pod.Status == "" {
				continue
			}
			if _, ended := podEventEnd(p, m); ended || starting(p, m) || says == "pods-not-starting" && pod.Phase == corev1.PodRunning {
				continue
			}
			p.Found(triage.Claim{Says: says, Subject: evidence.NodeSubject(pod.Node), Evidence: []evidence.Ref{eventRef(e)}, Since: e.First, LastSeen: e.Last, Key: e.Object.String()})
		}
		for _, pod := range p.Snapshot.Data().Pods {
			n := p.Snapshot.Node(pod.Node)
			if n == nil || pod.Partial || pod.Status != "ContainerCreating" || pod.Deleting() || n.NotReady() || joining(p, n) {
				continue
			}
			if age, known := p.Age(pod.Created); known && age > longWait {
				p.Found(triage.Claim{
					Says: "pods-not-starting", Subject: n.Subject(), Since: pod.Created, Key: pod.Key(),
					Evidence: []evidence.Ref{podRef(pod, ".status", "%s", fmt.Sprintf("ContainerCreating for %s", short(age)))},
				})
			}
		}
	},
}
