package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// NodeDiagnosis is why one node is unhealthy, with the evidence. It has the name of the node. The controller creates it for each node that
// is not clear, and removes it 24 hours after the node is clear again. Do not edit it.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,shortName=nd,categories=nodetriage
// +kubebuilder:printcolumn:name="Verdict",type=string,JSONPath=`.status.verdict`
// +kubebuilder:printcolumn:name="Cause",type=string,JSONPath=`.status.primary.cause`
// +kubebuilder:printcolumn:name="Certainty",type=string,JSONPath=`.status.primary.certainty`
// +kubebuilder:printcolumn:name="Since",type=date,JSONPath=`.status.since`
// +kubebuilder:printcolumn:name="Pods",type=integer,JSONPath=`.status.pods.notReady`,description="Pods of the node that are not ready"
// +kubebuilder:printcolumn:name="Fresh",type=string,JSONPath=`.status.conditions[?(@.type=="EvidenceFresh")].status`,priority=1
// +kubebuilder:printcolumn:name="Summary",type=string,JSONPath=`.status.primary.summary`,priority=1
type NodeDiagnosis struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +optional
	Status NodeDiagnosisStatus `json:"status,omitempty"`
}

// NodeDiagnosisList is a list of NodeDiagnosis objects.
//
// +kubebuilder:object:root=true
type NodeDiagnosisList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []NodeDiagnosis `json:"items"`
}

// Verdict is the state of a node in one word.
//
// +kubebuilder:validation:Enum=broken;warning;unknown;clear
type Verdict string

// The verdicts. VerdictUnknown means that the evidence is not enough.
const (
	VerdictBroken  Verdict = "broken"
	VerdictWarning Verdict = "warning"
	VerdictUnknown Verdict = "unknown"
	VerdictClear   Verdict = "clear"
)

// Certainty is how sure a cause is.
//
// +kubebuilder:validation:Enum=certain;likely;possible
type Certainty string

// Severity is how bad a cause is.
//
// +kubebuilder:validation:Enum=critical;error;warning;info
type Severity string

// The types of conditions.
const (
	// ConditionDiagnosed is True if the verdict has a cause that is at least likely, or the node is clear.
	ConditionDiagnosed = "Diagnosed"
	// ConditionEvidenceFresh is False if the evidence may be out of date. The verdict is then the last known one.
	ConditionEvidenceFresh = "EvidenceFresh"
)

// Reasons of the condition Diagnosed.
const (
	ReasonCauseFound   = "CauseFound"   // True: the primary cause is certain or likely
	ReasonClear        = "Clear"        // True: nothing is wrong
	ReasonCauseUnsure  = "CauseUnsure"  // False: the primary cause is only possible
	ReasonCauseUnknown = "CauseUnknown" // False: the node has a problem without a known cause
	ReasonUnknown      = "Unknown"      // False: the evidence is not enough for a verdict
)

// Reasons of the condition EvidenceFresh.
const (
	ReasonWatching             = "Watching"             // True: watches report each change
	ReasonWatchInterrupted     = "WatchInterrupted"     // False: the watch of a list is interrupted
	ReasonAPIServerUnreachable = "APIServerUnreachable" // False: the API server does not respond
	ReasonEvidenceIncomplete   = "EvidenceIncomplete"   // False: the controller may not read a list
	ReasonStarting             = "Starting"             // False: the controller has not read the cluster yet
)

// NodeDiagnosisStatus is the result for one node.
type NodeDiagnosisStatus struct {
	// Verdict of the node: broken, warning, unknown, or clear.
	// +optional
	Verdict Verdict `json:"verdict,omitempty"`
	// ObservedAt is the time of the judgement.
	// +optional
	ObservedAt *metav1.Time `json:"observedAt,omitempty"`
	// BootID is the boot of the node that the judgement is about.
	// +kubebuilder:validation:MaxLength=64
	// +optional
	BootID string `json:"bootID,omitempty"`
	// Since is the start of the earliest current finding.
	// +optional
	Since *metav1.Time `json:"since,omitempty"`
	// ChangedAt is when the verdict or the primary cause last changed.
	// +optional
	ChangedAt *metav1.Time `json:"changedAt,omitempty"`
	// Primary is the root cause: the first of the findings.
	// +optional
	Primary *CauseStatus `json:"primary,omitempty"`
	// Findings are the causes, the root cause first.
	// +kubebuilder:validation:MaxItems=8
	// +listType=atomic
	// +optional
	Findings []Finding `json:"findings,omitempty"`
	// Symptoms are observed problems that no finding explains.
	// +kubebuilder:validation:MaxItems=8
	// +listType=atomic
	// +optional
	Symptoms []Symptom `json:"symptoms,omitempty"`
	// Over are resolved causes, the newest first.
	// +kubebuilder:validation:MaxItems=4
	// +listType=atomic
	// +optional
	Over []Over `json:"over,omitempty"`
	// Resolved are earlier verdicts of the node that ended in the last 24 hours, the newest first.
	// +kubebuilder:validation:MaxItems=4
	// +listType=atomic
	// +optional
	Resolved []Resolved `json:"resolved,omitempty"`
	// RuledOut are the IDs of causes that were checked and are not present.
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MaxLength=63
	// +listType=atomic
	// +optional
	RuledOut []string `json:"ruledOut,omitempty"`
	// NotChecked is what could not be checked, and the command that checks it.
	// +kubebuilder:validation:MaxItems=8
	// +listType=atomic
	// +optional
	NotChecked []NotChecked `json:"notChecked,omitempty"`
	// Cohort are the nodes that failed together with this one.
	// +optional
	Cohort *Cohort `json:"cohort,omitempty"`
	// Forecast is the next change of the pods of the node.
	// +optional
	Forecast *Forecast `json:"forecast,omitempty"`
	// Pods counts the pods of the node.
	// +optional
	Pods *Pods `json:"pods,omitempty"`
	// Conditions are Diagnosed and EvidenceFresh.
	// +kubebuilder:validation:MaxItems=8
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// CauseStatus is one cause of the catalog.
type CauseStatus struct {
	// Cause is the ID of the cause: nodetriage explain ID.
	// +kubebuilder:validation:MaxLength=63
	Cause     string    `json:"cause"`
	Certainty Certainty `json:"certainty"`
	Severity  Severity  `json:"severity"`
	// +kubebuilder:validation:MaxLength=128
	// +optional
	Title string `json:"title,omitempty"`
	// +kubebuilder:validation:MaxLength=512
	// +optional
	Summary string `json:"summary,omitempty"`
	// +optional
	Since *metav1.Time `json:"since,omitempty"`
	// LastSeen is the newest observation.
	// +optional
	LastSeen *metav1.Time `json:"lastSeen,omitempty"`
}

// Finding is a cause with its evidence.
type Finding struct {
	CauseStatus `json:",inline"`
	// +kubebuilder:validation:MaxItems=4
	// +listType=atomic
	// +optional
	Evidence []Evidence `json:"evidence,omitempty"`
	// Explains are the IDs of the causes and symptoms that this cause has as effects.
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:items:MaxLength=63
	// +listType=atomic
	// +optional
	Explains []string `json:"explains,omitempty"`
}

// Evidence is one piece of evidence. Secrets are redacted.
type Evidence struct {
	// +kubebuilder:validation:MaxLength=128
	Source string `json:"source"`
	// +kubebuilder:validation:MaxLength=128
	// +optional
	Locator string `json:"locator,omitempty"`
	// +kubebuilder:validation:MaxLength=256
	Text string `json:"text"`
	// +optional
	ObservedAt *metav1.Time `json:"observedAt,omitempty"`
}

// Symptom is an observed problem.
type Symptom struct {
	// +kubebuilder:validation:MaxLength=63
	ID string `json:"id"`
	// +kubebuilder:validation:MaxLength=128
	// +optional
	Title string `json:"title,omitempty"`
}

// Over is a resolved cause.
type Over struct {
	// +kubebuilder:validation:MaxLength=63
	Cause string `json:"cause"`
	// +optional
	From *metav1.Time `json:"from,omitempty"`
	// +optional
	To *metav1.Time `json:"to,omitempty"`
	// EndedBy is the fact that resolved it.
	// +kubebuilder:validation:MaxLength=256
	// +optional
	EndedBy string `json:"endedBy,omitempty"`
}

// Resolved is an earlier verdict of the node.
type Resolved struct {
	Verdict Verdict `json:"verdict"`
	// +optional
	Primary *CauseStatus `json:"primary,omitempty"`
	// +optional
	Since *metav1.Time `json:"since,omitempty"`
	// Until is when the node was clear again.
	Until metav1.Time `json:"until"`
}

// NotChecked is what could not be checked.
type NotChecked struct {
	// +kubebuilder:validation:MaxLength=256
	What string `json:"what"`
	// How is the command that checks it.
	// +kubebuilder:validation:MaxLength=256
	// +optional
	How string `json:"how,omitempty"`
}

// Cohort is a group of nodes that failed together.
type Cohort struct {
	// Nodes are the first nodes of the group.
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MaxLength=253
	// +listType=atomic
	Nodes []string `json:"nodes"`
	// Count is the number of nodes in the group.
	Count int32 `json:"count"`
	// Shared is what these nodes have in common and healthy nodes do not have.
	// +kubebuilder:validation:MaxProperties=8
	// +optional
	Shared map[string]string `json:"shared,omitempty"`
	// +optional
	Since *metav1.Time `json:"since,omitempty"`
}

// Forecast is the next change of the pods of a node, if nothing else happens.
type Forecast struct {
	// What happens: "eviction".
	// +kubebuilder:validation:MaxLength=63
	What string `json:"what"`
	// From and To are the interval in which it happens.
	From metav1.Time `json:"from"`
	To   metav1.Time `json:"to"`
	// Pods is the number of pods that it happens to.
	Pods int32 `json:"pods"`
}

// Pods counts pods. Completed pods are not counted.
type Pods struct {
	// Ready is the number of pods that are running and ready.
	Ready int32 `json:"ready"`
	// NotReady is the number of pods that are not.
	NotReady int32 `json:"notReady"`
}
