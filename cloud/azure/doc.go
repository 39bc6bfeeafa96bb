// Package azure reads AKS clusters from Azure Resource Manager: cluster, pools, scale sets and their instances, quotas,
// locks, subnets with their security, and the activity log. It starts from the provider IDs of the nodes.
//
// It uses the REST API with one plain client: it passes on the raw JSON, so no field is lost, and it registers no
// resource provider. The number of requests is limited, and throttling ends the reading.
package azure
