// Package capi decodes Cluster API objects from kubectl output in JSON or YAML: machines, their pools, and the machines
// of infrastructure providers. It sends no requests. Field names and values are those of kubernetes-sigs/cluster-api
// api/core v1beta1 and v1beta2, and of the providers for AWS, Azure, GCP and OpenStack. OpenShift Machines
// (openshift/api machine/v1beta1) and Karpenter NodeClaims (kubernetes-sigs/karpenter pkg/apis/v1) have the same
// format.
package capi
