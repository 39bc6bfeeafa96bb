// Package v1alpha1 is the API triage.nodetriage.dev/v1alpha1: the causes of unhealthy nodes as objects of a cluster. Other programs may
// import it. It depends on apimachinery only.
//
// +kubebuilder:object:generate=true
// +groupName=triage.nodetriage.dev
package v1alpha1
