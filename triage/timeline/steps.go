package timeline

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// The steps by which a pod comes to run, in their order. Who reports one of them has what the earlier ones wanted.
const (
	stepMade = iota
	stepPlaced
	stepAttached
	stepNetwork
	stepImage
	stepMadeContainer
	stepRuns
)

// steps are the reasons of events that tell that a step is done (kubernetes pkg/kubelet/events/event.go,
// pkg/controller/controller_utils.go, pkg/scheduler/schedule_one.go, 1.36.3; multus 4.2 for AddedInterface).
var steps = map[string]int{
	"SuccessfulCreate": stepMade, "Scheduled": stepPlaced, "SuccessfulAttachVolume": stepAttached, "SuccessfulMountVolume": stepAttached, "AddedInterface": stepNetwork,
	"Pulling": stepNetwork, "Pulled": stepImage, "Created": stepMadeContainer, "Started": stepRuns,
}

// wants are the steps that a pod has not done while an event of that reason comes. Of any other warning about a pod that
// is to run, it is the last one.
var wants = map[string]int{
	"FailedScheduling": stepPlaced, "NotTriggerScaleUp": stepPlaced, "FailedAttachVolume": stepAttached, "FailedMount": stepNetwork, "FailedMapVolume": stepNetwork,
	"FailedCreatePodSandBox": stepNetwork, "FailedPodSandBoxStatus": stepNetwork, "NetworkNotReady": stepNetwork,
}

// stepOf is the step that an event tells to be done. A kubelet that waits before it starts a container again has mounted the volumes
// and made the sandbox in the same pass (kubernetes pkg/kubelet/kubelet.go SyncPod, pkg/kubelet/kuberuntime, 1.36.3).
func stepOf(e *evidence.Event) (step int, done bool) {
	if e.Reason == "BackOff" && strings.Contains(e.Message, "restarting failed container") {
		return stepImage, true
	}
	step, done = steps[e.Reason]
	return step, done
}
