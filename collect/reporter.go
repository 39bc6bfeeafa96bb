package collect

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// reasons map the reason of an event to its reporter, for sources without a reporter, such as a table (kubernetes
// pkg/kubelet/events/event.go, pkg/controller and pkg/scheduler, 1.36.3).
var reasons = map[string]logline.Speaker{
	"FailedScheduling": logline.Scheduler, "Scheduled": logline.Scheduler, "Preempted": logline.Scheduler,
	"FailedCreate": logline.Controllers, "FailedDelete": logline.Controllers, "SuccessfulCreate": logline.Controllers, "SuccessfulDelete": logline.Controllers,
	"NodeNotReady": logline.Controllers, "RegisteredNode": logline.Controllers, "RemovingNode": logline.Controllers, "TaintManagerEviction": logline.Controllers,
	"DeletingNode": logline.CloudCtl, "FailedAttachVolume": logline.CSI, "SuccessfulAttachVolume": logline.CSI, "ProvisioningFailed": logline.CSI,
	"NotTriggerScaleUp": logline.Autoscaler, "TriggeredScaleUp": logline.Autoscaler, "ScaleDown": logline.Autoscaler, "FailedToScaleUpGroup": logline.Autoscaler,
	"FailedCreatePodSandBox": logline.Kubelet, "FailedPodSandBoxStatus": logline.Kubelet, "FailedKillPod": logline.Kubelet, "FailedMount": logline.Kubelet, "FailedMapVolume": logline.Kubelet,
	"Failed": logline.Kubelet, "BackOff": logline.Kubelet, "Unhealthy": logline.Kubelet, "Killing": logline.Kubelet, "Evicted": logline.Kubelet, "NodeReady": logline.Kubelet,
	"NodeHasDiskPressure": logline.Kubelet, "NodeHasInsufficientMemory": logline.Kubelet, "ContainerGCFailed": logline.Kubelet, "ImageGCFailed": logline.Kubelet, "NetworkNotReady": logline.Kubelet,
	"Rebooted": logline.Kubelet, "InvalidDiskCapacity": logline.Kubelet, "FreeDiskSpaceFailed": logline.Kubelet, "EvictionThresholdMet": logline.Kubelet, "SystemOOM": logline.Kubelet,
	"ErrImageNeverPull": logline.Kubelet, "InspectFailed": logline.Kubelet, "FailedSync": logline.Kubelet, "FailedCreatePodContainer": logline.Kubelet, "FailedPreStopHook": logline.Kubelet,
}

// reporter returns the component that reported an event.
func reporter(e *evidence.Event) logline.Speaker {
	if s := logline.Named(e.Component); s != logline.Unknown && s != logline.Other {
		return s
	}
	if s := reasons[e.Reason]; s != logline.Unknown {
		return s
	}
	if e.Component != "" {
		return logline.Other
	}
	return logline.Unknown
}

// nodeConditions are the conditions that the kubelet sets.
var nodeConditions = map[corev1.NodeConditionType]bool{
	corev1.NodeReady: true, corev1.NodeMemoryPressure: true, corev1.NodeDiskPressure: true, corev1.NodePIDPressure: true, "OutOfDisk": true,
}

// conditionSpeaker returns who sets a node condition. The control plane sets it if the node is unreachable, the kubelet sets its
// conditions, and known monitors set theirs. Anyone may set others.
func conditionSpeaker(c *corev1.NodeCondition) (logline.Speaker, evidence.Channel) {
	switch {
	case nodeConditions[c.Type] && (c.Reason == "NodeStatusUnknown" || c.Reason == "NodeStatusNeverUpdated"):
		return logline.Controllers, evidence.NodeStatus
	case nodeConditions[c.Type]:
		return logline.Kubelet, evidence.NodeStatus
	case c.Type == corev1.NodeNetworkUnavailable:
		return logline.Agent, evidence.NodeStatus
	case evidence.KnownCondition(c.Type):
		return logline.Monitor, evidence.MonitorCondition
	}
	return logline.Monitor, evidence.ForeignCondition
}

// podConditionSpeaker returns who sets a pod condition.
func podConditionSpeaker(typ string) (logline.Speaker, evidence.Channel) {
	switch {
	case typ == string(corev1.PodScheduled):
		return logline.Scheduler, evidence.PodFields
	case !evidence.ForeignPodCondition(typ):
		return logline.Kubelet, evidence.PodFields
	}
	return logline.Application, evidence.ForeignPodStatus
}
