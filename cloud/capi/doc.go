// Package capi reads what kubectl prints of the objects of the Cluster API as JSON or YAML: machines, the pools that they
// belong to, and the machines of its providers. It asks no cluster. Field names and their values are those of
// kubernetes-sigs/cluster-api api/core v1beta1 and v1beta2, and of its providers for AWS, Azure, GCP and OpenStack.
// Machines of OpenShift (openshift/api machine/v1beta1) and NodeClaims of Karpenter (kubernetes-sigs/karpenter pkg/apis/v1) have the
// same form.
package capi
