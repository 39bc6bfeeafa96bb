package evidence

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// badWhenTrue are condition types of vendors that report a problem by True: node-problem-detector of the
// kubernetes project and of AKS and GKE (their shipped configurations).
var badWhenTrue = map[string]bool{
	"MemoryPressure": true, "DiskPressure": true, "PIDPressure": true, "NetworkUnavailable": true,
	"KernelDeadlock": true, "ReadonlyFilesystem": true, "CorruptDockerOverlay2": true, "FrequentUnregisterNetDevice": true,
	"FrequentKubeletRestart": true, "FrequentDockerRestart": true, "FrequentContainerdRestart": true,
	"KubeletProblem": true, "KubeletUnhealthy": true, "ContainerRuntimeProblem": true, "ContainerRuntimeUnhealthy": true,
	"FilesystemCorruptionProblem": true, "VMEventScheduled": true, "XfsShutdown": true, "CperHardwareErrorFatal": true,
	"GPUMissing": true, "NVLinkStatusInactive": true, "XIDErrors": true, "IBLinkFlapping": true, "GPUClockThrottling": true,
	"UnhealthyNvidiaDevicePlugin": true, "KernelOops": true, "OutOfDisk": true,
}

// badWhenFalse are those that report health by True: the kubelet's Ready, the EKS node monitoring agent, AKS'
// health monitor.
var badWhenFalse = map[string]bool{
	"Ready": true, "ContainerRuntimeReady": true, "StorageReady": true, "NetworkingReady": true, "KernelReady": true,
	"AcceleratedHardwareReady": true, ConditionNodeHealthy: true, "NodeHealthy": true,
}

// KnownCondition reports whether a known component or monitor sets conditions of the type.
func KnownCondition(typ corev1.NodeConditionType) bool {
	return badWhenTrue[string(typ)] || badWhenFalse[string(typ)]
}

// Bad reports whether a condition tells of a problem. Types of which neither the name nor anybody here tells the meaning, and
// values other than True and False, are Unknown: a condition that the control plane set to Unknown says that the kubelet is silent,
// not that there is pressure.
func Bad(c *corev1.NodeCondition) Fact {
	typ := string(c.Type)
	switch {
	case c.Status != corev1.ConditionTrue && c.Status != corev1.ConditionFalse:
		return Unknown
	case badWhenTrue[typ]:
		return Known(c.Status == corev1.ConditionTrue)
	case badWhenFalse[typ]:
		return Known(c.Status == corev1.ConditionFalse)
	}
	// Monitors that nobody here knows follow the convention of Kubernetes: the name says what True means.
	name := typ[strings.LastIndexByte(typ, '/')+1:]
	for _, word := range []string{"Problem", "Unhealthy", "Failure", "Failed", "Pressure", "Deadlock", "Corruption", "Corrupted", "Shutdown", "Missing", "Exhausted", "Unavailable", "Stuck", "Hung"} {
		if strings.HasSuffix(name, word) {
			return Known(c.Status == corev1.ConditionTrue)
		}
	}
	for _, word := range []string{"Ready", "Healthy", "Available"} {
		if strings.HasSuffix(name, word) {
			return Known(c.Status == corev1.ConditionFalse)
		}
	}
	return Unknown
}
