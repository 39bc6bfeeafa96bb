package timeline

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// Stopping are reasons of events of pods that are to end: that a container of it starts does not end them.
var Stopping = map[string]bool{
	"FailedKillPod": true, "FailedPreStopHook": true, "FailedUnMount": true, "FailedUnmapDevice": true, "Killing": true, "ExceededGracePeriod": true,
	"Evicted": true, "Preempted": true, "Preempting": true, "TaintManagerEviction": true, "FailedDetachVolume": true,
}

// successes are the reasons of events by which a component says that it did what it could not do before, by the reason of its
// failure, for what is no step of a pod.
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

// Shows reports whether one event says the opposite of another of the same object. now is the time of the evidence.
func Shows(s *evidence.Snapshot, e, failed *evidence.Event, now time.Time) bool {
	if slices.Contains(successes[failed.Reason], e.Reason) {
		return !SaidAtStart(s, e, now)
	}
	if Stopping[failed.Reason] { // only a pod of the same name that was made since
		return e.Reason == "Scheduled"
	}
	if failed.Object.Kind != "Pod" && !failed.Object.IsZero() {
		return false
	}
	step, done := stepOf(e)
	want, early := wants[failed.Reason]
	if !early {
		want = stepRuns
	}
	return done && step >= want && (early || failed.Type != "Normal")
}

// conditionsAtStart are what a kubelet reports of its node when it starts, before it has looked.
var conditionsAtStart = []string{"NodeHasSufficientMemory", "NodeHasNoDiskPressure", "NodeHasSufficientPID"}

// transition is for how long a kubelet holds on to a pressure that is gone (eviction-pressure-transition-period): after
// that, what it said when it started is true.
const transition = 5 * time.Minute

// SaidAtStart reports whether an event of a node that has enough of something comes of a start of the kubelet, which reports
// all of them at once, and not of a pressure that has ended.
func SaidAtStart(s *evidence.Snapshot, e *evidence.Event, now time.Time) bool {
	if !slices.Contains(conditionsAtStart, e.Reason) {
		return false
	}
	if age, known := Ago(e, now); known && age > transition {
		return false
	}
	return slices.ContainsFunc(s.EventsOf(e.Object), func(other *evidence.Event) bool {
		gap, known := Between(e, other)
		atOnce := known && gap.Abs() <= 2*time.Second
		return atOnce && other.Reason != e.Reason && slices.Contains(conditionsAtStart, other.Reason)
	})
}
