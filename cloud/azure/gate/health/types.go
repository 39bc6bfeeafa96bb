// Package health is the API group health.aks.io: what AKS asks during an upgrade, and the answers. It depends on apimachinery only.
//
// +kubebuilder:object:generate=true
// +groupName=health.aks.io
// +versionName=v1alpha1
package health

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Group is the API group of the types in this package.
const Group = "health.aks.io"

// ProviderLabel is the label of a HealthSignal with its provider. AKS ignores a signal whose provider has no policy.
const ProviderLabel = "health.aks.io/provider"

// The annotations that AKS writes on a HealthCheckRequest.
const (
	Correlation   = "kubernetes.azure.com/upgradeCorrelationID"
	TargetVersion = "kubernetes.azure.com/targetKubernetesVersion"
)

// Scope is what a request is about.
//
// +kubebuilder:validation:Enum=Node;NodePool;Cluster
type Scope string

// The scopes.
const (
	Node     Scope = "Node"
	NodePool Scope = "NodePool"
	Cluster  Scope = "Cluster"
)

// HealthCheckRequest is a question of AKS: one for each upgraded node, and one for the pool or the cluster.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=hcr
type HealthCheckRequest struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec HealthCheckRequestSpec `json:"spec"`
}

// HealthCheckRequestSpec is the object in question.
type HealthCheckRequestSpec struct {
	Scope Scope `json:"scope"`
	// TargetRef names the node, the node pool or the cluster. Older versions of AKS omit it for a cluster.
	//
	// +optional
	TargetRef *TargetRef `json:"targetRef,omitempty"`
}

// TargetRef is an object by its name.
type TargetRef struct {
	Name string `json:"name"`
}

// Target returns the name of the object in question, or "".
func (r *HealthCheckRequest) Target() string {
	if r.Spec.TargetRef == nil {
		return ""
	}
	return r.Spec.TargetRef.Name
}

// HealthCheckRequestList is a list of HealthCheckRequest objects.
//
// +kubebuilder:object:root=true
type HealthCheckRequestList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []HealthCheckRequest `json:"items"`
}

// SignalType is the scope of the request that a signal answers.
//
// +kubebuilder:validation:Enum=NodeHealth;NodePoolHealth;ClusterHealth
type SignalType string

// The types of signals.
const (
	NodeHealth     SignalType = "NodeHealth"
	NodePoolHealth SignalType = "NodePoolHealth"
	ClusterHealth  SignalType = "ClusterHealth"
)

// TypeFor returns the type of the signal for a scope.
func TypeFor(s Scope) SignalType { return SignalType(string(s) + "Health") }

// Ready is the type of the only condition that is published. AKS stops the upgrade if any condition is False.
const Ready = "Ready"

// HealthSignal is the answer of one provider to one request. Its owner is the request.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,shortName=hs
type HealthSignal struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec HealthSignalSpec `json:"spec"`
	// +optional
	Status HealthSignalStatus `json:"status,omitempty"`
}

// HealthSignalSpec is what the signal is about. The owner names the object, too.
type HealthSignalSpec struct {
	Type SignalType `json:"type"`
	// +optional
	TargetRef *ObjectRef `json:"targetRef,omitempty"`
}

// ObjectRef is the part of an object reference of the core API that a signal uses.
//
// +structType=atomic
type ObjectRef struct {
	// +optional
	APIVersion string `json:"apiVersion,omitempty"`
	// +optional
	Kind string `json:"kind,omitempty"`
	// +optional
	Name string `json:"name,omitempty"`
}

// HealthSignalStatus is the verdict.
type HealthSignalStatus struct {
	// Conditions are the verdict: True continues the upgrade, False stops it, Unknown waits.
	//
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// HealthSignalList is a list of HealthSignal objects.
//
// +kubebuilder:object:root=true
type HealthSignalList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []HealthSignal `json:"items"`
}

// AddToScheme adds the types to a scheme in a version that the server serves: v1alpha1 today.
func AddToScheme(s *runtime.Scheme, version string) {
	gv := schema.GroupVersion{Group: Group, Version: version}
	s.AddKnownTypes(gv, &HealthCheckRequest{}, &HealthCheckRequestList{}, &HealthSignal{}, &HealthSignalList{})
	metav1.AddToGroupVersion(s, gv)
}
