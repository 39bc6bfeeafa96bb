// Package azure reads AKS clusters from Azure Resource Manager: cluster, pools, scale sets and their instances, quotas,
// locks, subnets with what guards them, and the activity log. Everything is found from the provider ids of the nodes.
//
// It speaks to the REST API with one plain client: answers are handed on as they come, so nothing of them is lost to
// a model, and no provider is ever registered on the way. Reads are counted and bounded, and a throttled answer ends
// the reading.
package azure
