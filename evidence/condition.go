package evidence

import corev1 "k8s.io/api/core/v1"

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
	"AcceleratedHardwareReady": true, "kubernetes.azure.com/NodeHealthy": true, "NodeHealthy": true,
}

// Bad tells whether a condition reports a problem. Types that nobody here knows, and values other than True
// and False, are Unknown: a condition that the control plane set to Unknown says that the kubelet is silent,
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
	return Unknown
}
