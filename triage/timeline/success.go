package timeline

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// Stopping are event reasons of pods that are being stopped. A container start does not resolve them.
var Stopping = map[string]bool{
	"FailedKillPod": true, "FailedPreStopHook": true, "FailedUnMount": true, "FailedUnmapDevice": true, "Killing": true, "ExceededGracePeriod": true,
	"Evicted": true, "Preempted": true, "Preempting": true, "TaintManagerEviction": true, "FailedDetachVolume": true,
}

// successes maps a failure reason to the event reasons of the later success, for events that are not steps of a pod start.
var successes = map[string][]string{
	"FailedCreate": {"SuccessfulCreate"}, "FailedDelete": {"SuccessfulDelete"}, "FailedDaemonPod": {"SuccessfulCreate"},
	"NotTriggerScaleUp": {"TriggeredScaleUp"}, "FailedToScaleUpGroup": {"TriggeredScaleUp", "ScaledUpGroup"},
	"ProvisioningFailed": {"ProvisioningSucceeded"}, "VolumeResizeFailed": {"VolumeResizeSuccessful", "FileSystemResizeSuccessful"},
	"NodeNotReady": {"NodeReady"}, "NodeNotSchedulable": {"NodeSchedulable"}, "FailedToDrain": {"Drain", "NodeReady"},
	"EvictionThresholdMet": {"NodeHasNoDiskPressure", "NodeHasSufficientMemory", "NodeHasSufficientPID"},
	"NodeHasDiskPressure":  {"NodeHasNoDiskPressure"}, "NodeHasInsufficientMemory": {"NodeHasSufficientMemory"}, "NodeHasInsufficientPID": {"NodeHasSufficientPID"},
	"FreeDiskSpaceFailed": {"NodeHasNoDiskPressure", "NodeReady"}, "ImageGCFailed": {"NodeHasNoDiskPressure", "NodeReady"}, "ContainerGCFailed": {"NodeReady"},
	"InvalidDiskCapacity": {"NodeReady"}, "KubeletIsDown": {"NodeReady"}, "NodeUnresponsive": {"NodeReady"},
	"FailedNodeAllocatableEnforcement": {"NodeAllocatableEnforced", "NodeReady"}, "SyncLoadBalancerFailed": {"EnsuredLoadBalancer"},
	"TaintManagerEviction": {"Started"}, "Unhealthy": {"Ready"},
}

// Shows reports whether an event shows that the failure in another event of the same object is resolved. now is the time of the
// evidence.
func Shows(s *evidence.Snapshot, e, failed *evidence.Event, now time.Time) bool {
	if slices.Contains(successes[failed.Reason], e.Reason) {
		return !SaidAtStart(s, e, now)
	}
	if Stopping[failed.Reason] { // only a newer pod of the same name
		return e.Reason == "Scheduled"
	}
	if failed.Object.Kind != "Pod" && !failed.Object.IsZero() {
		return false
	}
	if pulled(e, failed) {
		return true
	}
	step, done := stepOf(e)
	want, early := wants[failed.Reason]
	if !early {
		want = stepRuns
	}
	return done && step >= want && (early || failed.Type != "Normal")
}

// conditionsAtStart are the conditions that a kubelet reports when it starts, before it has measured.
var conditionsAtStart = []string{"NodeHasSufficientMemory", "NodeHasNoDiskPressure", "NodeHasSufficientPID"}

// transition is how long a kubelet keeps a pressure condition after the pressure is gone (eviction-pressure-transition-period).
// After that, what it reported at its start is true.
const transition = 5 * time.Minute

// SaidAtStart reports whether an event about sufficient resources comes from a kubelet start, and not from the end of a pressure. A
// starting kubelet reports all of them at once. If it reports one again within the time for which it keeps a pressure, it was started
// again.
func SaidAtStart(s *evidence.Snapshot, e *evidence.Event, now time.Time) bool {
	if !slices.Contains(conditionsAtStart, e.Reason) {
		return false
	}
	if age, known := Ago(e, now); known && age > transition {
		return false
	}
	return slices.ContainsFunc(s.EventsOf(e.Object), func(other *evidence.Event) bool {
		gap, known := Between(other, e)
		again := known && gap >= 0 && gap < transition && other.Reason == e.Reason
		return again && withOthers(s, other)
	})
}

// withOthers reports whether the kubelet reported another condition at the same time.
func withOthers(s *evidence.Snapshot, e *evidence.Event) bool {
	return slices.ContainsFunc(s.EventsOf(e.Object), func(other *evidence.Event) bool {
		gap, known := Between(e, other)
		atOnce := known && gap.Abs() <= 2*time.Second
		return atOnce && other.Reason != e.Reason && slices.Contains(conditionsAtStart, other.Reason)
	})
}
