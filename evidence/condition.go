package evidence

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// badWhenTrue are condition types of vendors that report a problem with True: node-problem-detector of the kubernetes
// project and of AKS and GKE (their shipped configurations).
var badWhenTrue = map[string]bool{
	"MemoryPressure": true, "DiskPressure": true, "PIDPressure": true, "NetworkUnavailable": true,
	"KernelDeadlock": true, "ReadonlyFilesystem": true, "CorruptDockerOverlay2": true, "FrequentUnregisterNetDevice": true,
	"FrequentKubeletRestart": true, "FrequentDockerRestart": true, "FrequentContainerdRestart": true,
	"KubeletProblem": true, "KubeletUnhealthy": true, "ContainerRuntimeProblem": true, "ContainerRuntimeUnhealthy": true,
	"FilesystemCorruptionProblem": true, "VMEventScheduled": true, "XfsShutdown": true, "CperHardwareErrorFatal": true,
	"GPUMissing": true, "NVLinkStatusInactive": true, "XIDErrors": true, "IBLinkFlapping": true, "GPUClockThrottling": true,
	"UnhealthyNvidiaDevicePlugin": true, "KernelOops": true, "OutOfDisk": true,
}

// badWhenFalse are condition types that report health with True: Ready of the kubelet, the EKS node monitoring agent,
// the AKS health monitor, etcd of k3s and RKE2.
var badWhenFalse = map[string]bool{
	"Ready": true, "ContainerRuntimeReady": true, "StorageReady": true, "NetworkingReady": true, "KernelReady": true,
	"AcceleratedHardwareReady": true, ConditionNodeHealthy: true, "NodeHealthy": true, "EtcdIsVoter": true,
}

// KnownCondition reports whether a known component or monitor sets conditions of the type.
func KnownCondition(typ corev1.NodeConditionType) bool {
	return badWhenTrue[string(typ)] || badWhenFalse[string(typ)]
}

// Bad reports whether a condition reports a problem. Unknown are:
//   - types whose meaning is neither in these tables nor in the name;
//   - the condition of nodetriage-controller, which repeats a conclusion;
//   - the status Unknown: the control plane sets it on conditions of the kubelet when the node is unreachable, which is no pressure.
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

// Unexplained reports whether a condition may report a problem with an unknown meaning:
//   - a type without a known meaning is True;
//   - a monitor set a type that reports health with True to Unknown. The control plane does that only to conditions of the kubelet.
func Unexplained(c *corev1.NodeCondition) bool {
	switch polarityOf(string(c.Type)) {
	case noPolarity:
		return c.Status == corev1.ConditionTrue
	case reportsHealth:
		return c.Status == corev1.ConditionUnknown && c.Type != corev1.NodeReady
	}
	return false
}

// polarity is the meaning of the status True for a condition type.
type polarity int

const (
	noPolarity polarity = iota
	reportsProblem
	reportsHealth
	noEvidence
)

func polarityOf(typ string) polarity {
	switch {
	case typ == ConditionNodetriageHealthy:
		return noEvidence
	case badWhenTrue[typ]:
		return reportsProblem
	case badWhenFalse[typ]:
		return reportsHealth
	}
	// Other monitors follow the Kubernetes convention: the name shows the meaning of True.
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

// negations returns words with their negated forms: NotReady, Unsynced.
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
