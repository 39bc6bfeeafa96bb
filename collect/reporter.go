package collect

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/logline"
)

// reasons tell who reported an event where the evidence does not say it, as in a table (kubernetes pkg/kubelet/events/event.go,
// pkg/controller and pkg/scheduler, 1.36.3).
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

// reporter is who reported an event.
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

// conditionSpeaker is who sets a condition of a node: the control plane where the node is silent, the kubelet its own, a
// monitor all others.
func conditionSpeaker(c *corev1.NodeCondition) logline.Speaker {
	switch {
	case c.Reason == "NodeStatusUnknown" || c.Reason == "NodeStatusNeverUpdated":
		return logline.Controllers
	case c.Type == corev1.NodeReady || strings.HasSuffix(string(c.Type), "Pressure"):
		return logline.Kubelet
	case c.Type == corev1.NodeNetworkUnavailable:
		return logline.Agent
	}
	return logline.Monitor
}
