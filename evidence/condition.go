package evidence

import (
	"slices"
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
// health monitor, the etcd of k3s and RKE2.
var badWhenFalse = map[string]bool{
	"Ready": true, "ContainerRuntimeReady": true, "StorageReady": true, "NetworkingReady": true, "KernelReady": true,
	"AcceleratedHardwareReady": true, ConditionNodeHealthy: true, "NodeHealthy": true, "EtcdIsVoter": true,
}

// KnownCondition reports whether a known component or monitor sets conditions of the type.
func KnownCondition(typ corev1.NodeConditionType) bool {
	return badWhenTrue[string(typ)] || badWhenFalse[string(typ)]
}

// Bad reports whether a condition reports a problem. Unknown are:
//   - types whose meaning neither these tables nor the name show;
//   - the status Unknown: the control plane sets it on the kubelet's conditions when the kubelet is silent, which is no pressure.
func Bad(c *corev1.NodeCondition) Fact {
	if c.Status != corev1.ConditionTrue && c.Status != corev1.ConditionFalse {
		return Unknown
	}
	switch polarityOf(string(c.Type)) {
	case reportsProblem:
		return Known(c.Status == corev1.ConditionTrue)
	case reportsHealth:
		return Known(c.Status == corev1.ConditionFalse)
	}
	return Unknown
}

// Unexplained reports whether a condition may report a problem and nothing here shows what it means:
//   - a type without a known meaning is True;
//   - a monitor set a type that reports health by True to Unknown. The control plane does that to the kubelet's conditions alone.
func Unexplained(c *corev1.NodeCondition) bool {
	switch polarityOf(string(c.Type)) {
	case noPolarity:
		return c.Status == corev1.ConditionTrue
	case reportsHealth:
		return c.Status == corev1.ConditionUnknown && c.Type != corev1.NodeReady
	}
	return false
}

// polarity is what the status True of a type of conditions reports.
type polarity int

const (
	noPolarity polarity = iota
	reportsProblem
	reportsHealth
)

func polarityOf(typ string) polarity {
	switch {
	case badWhenTrue[typ]:
		return reportsProblem
	case badWhenFalse[typ]:
		return reportsHealth
	}
	// Other monitors follow the convention of Kubernetes: the name shows what True means.
	name := typ[strings.LastIndexByte(typ, '/')+1:]
	switch {
	case strings.HasPrefix(name, "Unhealthy") || endsIn(name, problemWords) || endsIn(name, negated):
		return reportsProblem
	case endsIn(name, healthWords):
		return reportsHealth
	}
	return noPolarity
}

var (
	problemWords = []string{
		"Problem", "Unhealthy", "NotHealthy", "NotReady", "Error", "Errors", "Fault", "Failure", "Failed", "Pressure", "Deadlock", "Corruption", "Corrupted", "Shutdown",
		"Missing", "Exhausted", "Unavailable", "Stuck", "Hung",
	}
	healthWords = []string{"Ready", "Healthy", "Available", "OK", "Ok", "Synced", "Initialized", "Succeeded"}
	negated     = negations(healthWords)
)

// negations are words with what turns them round before them: NotReady, Unsynced.
func negations(words []string) []string {
	var out []string
	for _, word := range words {
		out = append(out, "Not"+word, "Un"+strings.ToLower(word))
	}
	return out
}

func endsIn(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasSuffix(name, word) })
}
