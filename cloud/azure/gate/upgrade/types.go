// Package upgrade is the API group upgrade.aks.io: running upgrades of AKS, and who has a say in them. It depends on apimachinery only.
//
// +kubebuilder:object:generate=true
// +groupName=upgrade.aks.io
// +versionName=v1alpha1
package upgrade

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Group is the API group of the types in this package.
const Group = "upgrade.aks.io"

// MaxTimeout is the longest time that AKS waits for the verdict on a node. It shortens longer timeouts, and uses it without a timeout.
const MaxTimeout = 5 * time.Minute

// Scope is what an upgrade or a rule is about.
//
// +kubebuilder:validation:Enum=Cluster;NodePool
type Scope string

// The scopes.
const (
	Cluster  Scope = "Cluster"
	NodePool Scope = "NodePool"
)

// OnFailure is what AKS does after a False, or without a True at the deadline. AKS rejects any value other than Abort.
//
// +kubebuilder:validation:Enum=Abort
type OnFailure string

// Abort stops the upgrade.
const Abort OnFailure = "Abort"

// Duration is a duration in the syntax of GEP-2257, a part of Go's syntax: "5m", "1m30s".
//
// +kubebuilder:validation:Pattern=`^([0-9]{1,5}(h|m|s|ms)){1,4}$`
type Duration string

// UpgradeGatePolicy arms the gate. A target that no policy matches is not gated.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=upgradegatepolicies,singular=upgradegatepolicy,scope=Cluster,shortName=ugp
type UpgradeGatePolicy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec UpgradeGatePolicySpec `json:"spec"`
}

// UpgradeGatePolicySpec names a provider of signals and what it gates.
type UpgradeGatePolicySpec struct {
	// Provider is the value of the label health.aks.io/provider on the provider's signals.
	//
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`
	Provider string `json:"provider"`
	// Rules are what the provider gates. A rule for a node pool overrides the rule for the cluster.
	//
	// +kubebuilder:validation:MinItems=1
	// +listType=atomic
	Rules []UpgradeGateRule `json:"rules"`
}

// UpgradeGateRule gates one target.
type UpgradeGateRule struct {
	Target UpgradeGateTarget `json:"target"`
	// NodeTimeout is how long AKS waits for the verdict on a node. AKS shortens it to 5 minutes, also if it is not set.
	//
	// +optional
	NodeTimeout *Duration `json:"nodeTimeout,omitempty"`
	// +optional
	// +kubebuilder:default=Abort
	OnFailure OnFailure `json:"onFailure,omitempty"`
}

// Timeout returns how long AKS waits for the verdict on a node. The API server accepts no value that does not parse.
func (r *UpgradeGateRule) Timeout() time.Duration {
	if r.NodeTimeout == nil {
		return MaxTimeout
	}
	t, err := time.ParseDuration(string(*r.NodeTimeout))
	if err != nil || t < 0 {
		return MaxTimeout
	}
	return min(t, MaxTimeout)
}

// UpgradeGateTarget is the cluster or a node pool.
//
// +kubebuilder:validation:XValidation:rule="self.scope != 'NodePool' || (has(self.name) && size(self.name) > 0)",message="name is required when scope is NodePool"
type UpgradeGateTarget struct {
	Scope Scope `json:"scope"`
	// Name is the node pool; the cluster has none.
	//
	// +optional
	Name string `json:"name,omitempty"`
}

// UpgradeGatePolicyList is a list of UpgradeGatePolicy objects.
//
// +kubebuilder:object:root=true
type UpgradeGatePolicyList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []UpgradeGatePolicy `json:"items"`
}

// UpgradeOperation is an upgrade that AKS runs.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=uo
type UpgradeOperation struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=2
	// +listType=map
	// +listMapKey=type
	Spec []UpgradeOperationTarget `json:"spec"`
}

// UpgradeOperationTarget is what one operation upgrades: the cluster, or node pools.
type UpgradeOperationTarget struct {
	Type Scope `json:"type"`
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=100
	// +listType=set
	TargetNames []string `json:"targetNames"`
}

// UpgradeOperationList is a list of UpgradeOperation objects.
//
// +kubebuilder:object:root=true
type UpgradeOperationList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []UpgradeOperation `json:"items"`
}

// AddToScheme adds the types to a scheme in a version that the server serves: v1alpha1 today.
func AddToScheme(s *runtime.Scheme, version string) {
	gv := schema.GroupVersion{Group: Group, Version: version}
	s.AddKnownTypes(gv, &UpgradeGatePolicy{}, &UpgradeGatePolicyList{}, &UpgradeOperation{}, &UpgradeOperationList{})
	metav1.AddToGroupVersion(s, gv)
}
