package facts

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// stopping are reasons of events of pods that are to end: that a container of it starts does not end them.
var stopping = map[string]bool{
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

// succeeded reports whether an event of the same object says later that what failed has been done, or that who reported it
// goes on without it: for tables and descriptions, in which the object itself does not stand.
func succeeded(p *triage.Pass, m *evidence.Match) (ending, bool) {
	failed := m.Event
	if failed == nil {
		return ending{}, false
	}
	var last *evidence.Event
	for _, e := range sameObject(p, m) {
		if ends(p, e, failed) && happenedLater(e, failed) && (last == nil || happenedLater(e, last)) {
			last = e
		}
	}
	if last != nil {
		return ending{fmt.Sprintf("event %s%s%s", last.Reason, ofSubject(last.Object), whenOf(last)), last.Last}, true
	}
	return notRepeated(p, m)
}

// ends reports whether one event says the opposite of another of the same object.
func ends(p *triage.Pass, e, failed *evidence.Event) bool {
	if slices.Contains(successes[failed.Reason], e.Reason) {
		return !saidAtStart(p, e)
	}
	if stopping[failed.Reason] && e.Reason == "Scheduled" { // of a pod of the same name that was made since
		return true
	}
	step, done := stepOf(e)
	if !done || stopping[failed.Reason] || failed.Object.Kind != "Pod" && !failed.Object.IsZero() {
		return false
	}
	want, early := wants[failed.Reason]
	if !early {
		return step == stepRuns && failed.Type != "Normal"
	}
	return step >= want
}

func ofSubject(s evidence.Subject) string {
	if s.IsZero() {
		return ""
	}
	return " of " + s.String()
}

func whenOf(e *evidence.Event) string {
	switch {
	case !e.Last.IsZero():
		return " at " + stamp(e.Last)
	case e.Ago != nil:
		return ", " + wording.Duration(*e.Ago) + " before the text was printed"
	}
	return ""
}
