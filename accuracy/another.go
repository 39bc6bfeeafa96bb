package accuracy

import (
	"fmt"
	"strings"
	"time"
)

// anotherPod is a pod that is unrelated to a case and starts on its node after the fault has ended.
type anotherPod struct {
	node string
	at   time.Time // its creation; zero: only ages are known
	gone bool      // it was deleted since: only its events remain
}

const (
	otherNamespace = "batch"
	otherReplicas  = "report-7d4b9c6f5"
	otherPod       = otherReplicas + "-x2v8q"
	otherImage     = "registry.example.com/report:1.4"

	healedAfter = 90 * time.Second // from the end of the fault to the creation of the other pod
	startTakes  = 5 * time.Second
	healedFor   = 2 * time.Minute // from there to the end of the evidence: too short for silence to prove anything
)

// step is an event of the other pod, and its time after the creation.
type step struct {
	event
	after time.Duration
}

func (a anotherPod) steps() []step {
	steps := []step{
		{event{"Scheduled", "default-scheduler", "", "Successfully assigned " + otherNamespace + "/" + otherPod + " to " + a.node}, 0},
		{event{"Pulled", "kubelet", "", fmt.Sprintf("Container image %q already present on machine and can be accessed by the pod", otherImage)}, startTakes - time.Second},
		{event{"Created", "kubelet", "", "Created container: report"}, startTakes - time.Second},
		{event{"Started", "kubelet", "", "Started container report"}, startTakes},
	}
	if a.gone {
		steps = append(steps, step{event{"Killing", "kubelet", "", "Stopping container report"}, healedFor - 10*time.Second})
	}
	return steps
}

// files returns the objects that show the pod: the pod, or its events if it is gone.
func (a anotherPod) files() Files {
	if a.gone {
		items := []any{}
		for i, s := range a.steps() {
			items = append(items, a.event(i, s))
		}
		return Files{{"later/events.json", jsonText(object{"apiVersion": "v1", "kind": "List", "items": items})}}
	}
	return Files{{"later/pod.json", jsonText(a.object())}}
}

func stamped(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func (a anotherPod) object() object {
	made, started := stamped(a.at), stamped(a.at.Add(startTakes))
	var conditions []any
	for _, typ := range []string{"PodScheduled", "Initialized", "PodReadyToStartContainers", "ContainersReady", "Ready"} {
		since := started
		if typ == "PodScheduled" {
			since = made
		}
		conditions = append(conditions, object{"type": typ, "status": "True", "lastTransitionTime": since})
	}
	return object{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": object{
			"name": otherPod, "namespace": otherNamespace, "uid": "0f5cbb6e-55f0-4d2f-9d2b-6a1d5c1e7e5a", "creationTimestamp": made,
			"ownerReferences": []any{object{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": otherReplicas, "uid": "7c1d8a52-0c5e-4f4e-9d6f-0d4f2b8a6f10", "controller": true}},
		},
		"spec": object{"nodeName": a.node, "containers": []any{object{"name": "report", "image": otherImage}}},
		"status": object{
			"phase": "Running", "startTime": made, "podIP": "10.244.1.77", "conditions": conditions,
			"containerStatuses": []any{object{
				"name": "report", "image": otherImage, "ready": true, "restartCount": 0, "state": object{"running": object{"startedAt": started}},
			}},
		},
	}
}

func (a anotherPod) subject() object {
	return object{"kind": "Pod", "namespace": otherNamespace, "name": otherPod}
}

func (a anotherPod) event(i int, s step) object {
	at := stamped(a.at.Add(s.after))
	source := object{"component": s.from}
	if s.from == "kubelet" {
		source["host"] = a.node
	}
	return object{
		"apiVersion": "v1", "kind": "Event", "metadata": object{"name": fmt.Sprintf("%s.18a%d", otherPod, i), "namespace": otherNamespace, "creationTimestamp": at},
		"involvedObject": a.subject(), "type": "Normal", "reason": s.reason, "message": s.message, "source": source,
		"count": 1, "firstTimestamp": at, "lastTimestamp": at,
	}
}

// bundled adds the pod, or its events if it is gone, to the matching section of a bundle.
func (a anotherPod) bundled(section object) {
	items := listAt(section, "items")
	switch of := textAt(section, "of"); {
	case of == "pods" && !a.gone:
		started := stamped(a.at.Add(startTakes))
		items = append(items, object{
			"namespace": otherNamespace, "name": otherPod, "uid": "0f5cbb6e-55f0-4d2f-9d2b-6a1d5c1e7e5a", "node": a.node,
			"owner": object{"kind": "ReplicaSet", "name": otherReplicas}, "spec": object{"containers": []any{object{"name": "report", "image": otherImage}}},
			"phase": "Running", "status": "Running", "ip": "10.244.1.77", "ready": "true", "readySince": started, "readyCount": 1, "total": 1,
			"created": stamped(a.at), "started": started,
		})
	case of == "events" && a.gone:
		for _, s := range a.steps() {
			at := stamped(a.at.Add(s.after))
			items = append(items, object{
				"object": a.subject(), "type": "Normal", "reason": s.reason, "message": s.message, "component": s.from, "host": a.node,
				"count": 1, "first": at, "last": at,
			})
		}
	}
	section["items"] = items
}

// rows returns its events as rows of kubectl get events -A at the end.
func (a anotherPod) rows() (out []string) {
	for _, s := range a.steps() {
		out = append(out, strings.Join([]string{otherNamespace, formatAge(healedFor - s.after), "Normal", s.reason, "pod/" + otherPod, s.message}, "   "))
	}
	return out
}
