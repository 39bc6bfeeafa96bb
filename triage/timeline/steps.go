package timeline

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// The steps of a pod start, in order. A component that reports a step has what the earlier steps needed.
const (
	stepMade = iota
	stepPlaced
	stepAttached
	stepNetwork
	stepImage
	stepMadeContainer
	stepRuns
)

// steps are event reasons that report a completed step (kubernetes pkg/kubelet/events/event.go, pkg/controller/controller_utils.go,
// pkg/scheduler/schedule_one.go, 1.36.3; multus 4.2 for AddedInterface).
var steps = map[string]int{
	"SuccessfulCreate": stepMade, "Scheduled": stepPlaced, "SuccessfulAttachVolume": stepAttached, "SuccessfulMountVolume": stepAttached, "AddedInterface": stepNetwork,
	"Pulling": stepNetwork, "Pulled": stepImage, "Created": stepMadeContainer, "Started": stepRuns,
}

// wants are the steps that a pod has not completed when an event has that reason. For any other warning about a starting pod it is
// the last step.
var wants = map[string]int{
	"FailedScheduling": stepPlaced, "NotTriggerScaleUp": stepPlaced, "FailedAttachVolume": stepAttached, "FailedMount": stepNetwork, "FailedMapVolume": stepNetwork,
	"FailedCreatePodSandBox": stepNetwork, "FailedPodSandBoxStatus": stepNetwork, "NetworkNotReady": stepNetwork,
}

// pulled reports whether an event shows that the image of a failed pull was pulled. Another image of the pod proves nothing.
func pulled(e, failed *evidence.Event) bool {
	_, image, wanted := strings.Cut(failed.Message, `ailed to pull image "`)
	if !wanted || e.Reason != "Pulled" {
		return false
	}
	image, _, _ = strings.Cut(image, `"`)
	return image != "" && strings.Contains(e.Message, `"`+image+`"`)
}

// stepOf returns the step that an event reports as done. A kubelet in back-off before a container restart has mounted the volumes
// and created the sandbox (kubernetes pkg/kubelet/kubelet.go SyncPod, pkg/kubelet/kuberuntime, 1.36.3).
func stepOf(e *evidence.Event) (step int, done bool) {
	if e.Reason == "BackOff" && strings.Contains(e.Message, "restarting failed container") {
		return stepImage, true
	}
	step, done = steps[e.Reason]
	return step, done
}
