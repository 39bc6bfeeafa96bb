package gate

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Answer is the verdict on one request. Without a Status there is nothing to publish.
type Answer struct {
	Status  metav1.ConditionStatus
	Reason  string
	Message string
}

// The reasons of answers, for the condition of a HealthSignal.
const (
	Healthy          = "Healthy"          // True: all that is checked is well
	NoFaultProven    = "NoFaultProven"    // True: the deadline is near, and the owner chose to proceed
	CertainFault     = "CertainFault"     // False: a certain cause of now on this node
	NotProvenHealthy = "NotProvenHealthy" // False: the deadline is near, and the owner chose to abort
	SameFault        = "SameFault"        // False: one certain cause on several new nodes and on no old one

	NodeNotFound      = "NodeNotFound"
	NodeNotReady      = "NodeNotReady"
	HeartbeatOverdue  = "HeartbeatOverdue"
	SystemPodNotReady = "SystemPodNotReady"
	FaultSuspected    = "FaultSuspected"
	FaultShared       = "FaultShared" // the same certain cause is on old nodes, so the upgrade is not its reason
	EvidenceStale     = "EvidenceStale"
	NoSameFault       = "NoSameFault" // of a pool or cluster: AKS does not wait for it
)

// Final reports whether the answer ends the wait of AKS. It is never changed afterwards.
func (a Answer) Final() bool {
	return a.Status == metav1.ConditionTrue || a.Status == metav1.ConditionFalse
}

// Choice is what the owner wants shortly before the deadline of a node without a verdict.
type Choice string

// The choices. Proceed is the default.
const (
	Proceed Choice = "proceed"
	Stop    Choice = "abort"
)

// maxMessage bounds messages: the API server accepts 32 KiB, readers do not.
const maxMessage = 1024

func answer(status metav1.ConditionStatus, reason, message string) Answer {
	if len(message) > maxMessage {
		message = message[:maxMessage-3] + "..."
	}
	return Answer{status, reason, message}
}
