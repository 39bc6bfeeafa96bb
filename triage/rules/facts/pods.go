package facts

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// YoungPod is the age below which a pod may still be starting.
const YoungPod = 5 * time.Minute

// Young reports whether a pod may still be starting.
func Young(p *triage.Pass, pod *evidence.Pod) bool {
	age, known := p.Age(pod.Created)
	return known && age < YoungPod
}

// Changed returns when the pod last became ready or unready, or else when it was created; zero: unknown.
func Changed(pod *evidence.Pod) time.Time {
	if pod.ReadySince.IsZero() {
		return pod.Created
	}
	return pod.ReadySince
}

// Patience is how long a PodDisruptionBudget may allow no disruption while a node is drained: a replacement pod needs time to
// become ready.
const Patience = 5 * time.Minute

// NoRoom returns what the scheduler found insufficient for a pending pod, or "".
func NoRoom(pod *evidence.Pod) string {
	c := pod.Condition("PodScheduled")
	if pod.Phase != corev1.PodPending || c == nil || c.Reason != "Unschedulable" {
		return ""
	}
	var out []string
	for _, part := range []string{"Insufficient cpu", "Insufficient memory", "Insufficient ephemeral-storage", "Too many pods", "Insufficient "} {
		if strings.Contains(c.Message, part) && (part != "Insufficient " || len(out) == 0) {
			out = append(out, strings.TrimSpace(part))
		}
	}
	return strings.Join(out, ", ")
}

// NodeKeeps maps the kubelet's event reasons for pods that a node keeps from starting or stopping to the symptom.
var NodeKeeps = map[string]string{
	"FailedCreatePodSandBox": "pods-not-starting", "FailedPodSandBoxStatus": "pods-not-starting", "FailedMapVolume": "pods-not-starting",
	"FailedMount": "pods-not-starting", "FailedCreatePodContainer": "pods-not-starting", "NetworkNotReady": "pods-not-starting",
	"OutOfcpu": "pods-not-starting", "OutOfmemory": "pods-not-starting", "OutOfpods": "pods-not-starting", "UnexpectedAdmissionError": "pods-not-starting",
	"FailedKillPod": "pods-not-stopping", "FailedUnMount": "pods-not-stopping",
}

// LongGrace is a grace period that delays a drain: the drains of clouds wait 10 to 30 minutes.
const LongGrace = 10 * time.Minute

// StartFailures are the event reasons of a pod that a kubelet could not start, and whether the sandbox failed.
var StartFailures = map[string]bool{
	"FailedCreatePodSandBox": true, "NetworkNotReady": true, "FailedPodSandBoxStatus": true,
	"FailedMount": false, "FailedMapVolume": false, "FailedAttachVolume": false, "FailedCreatePodContainer": false, "Failed": false,
}

// SettledFor is how long a pod must work before earlier failures of its containers no longer count.
const SettledFor = 10 * time.Minute
