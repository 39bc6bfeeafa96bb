package rules

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// successes are the reasons of events by which a component says that it did what it could not do before, by the reason of its
// failure (kubernetes pkg/kubelet/events/event.go, pkg/controller/controller_utils.go, pkg/scheduler/schedule_one.go, 1.36.3).
var successes = map[string][]string{
	"FailedScheduling": {"Scheduled", "Started", "Pulling", "Pulled", "Created"}, "NotTriggerScaleUp": {"Scheduled", "TriggeredScaleUp", "Started"},
	"FailedCreate": {"SuccessfulCreate"}, "FailedDelete": {"SuccessfulDelete"}, "FailedDaemonPod": {"SuccessfulCreate"},
	"FailedAttachVolume": {"SuccessfulAttachVolume", "Started"}, "FailedMount": {"Started", "Created"}, "FailedMapVolume": {"Started", "Created"},
	"FailedCreatePodSandBox": {"Started", "Pulling", "Pulled", "Created", "AddedInterface"}, "FailedPodSandBoxStatus": {"Started", "Created"}, "NetworkNotReady": {"Started", "Pulled", "Created"},
	"Failed": {"Started"}, "BackOff": {"Started"}, "InspectFailed": {"Started"}, "ErrImageNeverPull": {"Started"},
	"ProvisioningFailed": {"ProvisioningSucceeded"}, "VolumeResizeFailed": {"VolumeResizeSuccessful", "FileSystemResizeSuccessful"},
	"NodeNotReady": {"NodeReady"}, "NodeNotSchedulable": {"NodeSchedulable"}, "FailedToDrain": {"Drain", "NodeReady"}, "EvictionThresholdMet": {"NodeHasNoDiskPressure", "NodeHasSufficientMemory", "NodeHasSufficientPID"},
	"FreeDiskSpaceFailed": {"NodeHasNoDiskPressure", "NodeReady"}, "ImageGCFailed": {"NodeHasNoDiskPressure", "NodeReady"}, "ContainerGCFailed": {"NodeReady"},
	"FailedNodeAllocatableEnforcement": {"NodeAllocatableEnforced"}, "FailedToScaleUpGroup": {"TriggeredScaleUp", "ScaledUpGroup"}, "SyncLoadBalancerFailed": {"EnsuredLoadBalancer"},
	"TaintManagerEviction": {"Started"}, "Unhealthy": {"Ready"},
}

// succeeded reports whether an event of the same object says later that what failed has been done: for tables, in which the
// object itself does not stand.
func succeeded(p *triage.Pass, m *evidence.Match) (ending, bool) {
	reasons := successes[m.Ref.Locator]
	if len(reasons) == 0 || m.Last.IsZero() {
		return ending{}, false
	}
	var at time.Time
	var by string
	for _, e := range p.Snapshot.EventsOf(m.Subject) {
		for _, r := range reasons {
			if e.Reason == r && e.Last.After(m.Last) && e.Last.After(at) {
				at, by = e.Last, r
			}
		}
	}
	return ending{"event " + by + " of " + m.Subject.String() + " at " + stamp(at), at}, !at.IsZero()
}
