package kube

import (
	"context"
	"encoding/json"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// NodeUsage is what the metrics API says a node uses.
type NodeUsage struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Timestamp time.Time                    `json:"timestamp"`
	Usage     map[string]resource.Quantity `json:"usage"` // cpu, memory
}

const usagePath = "/apis/metrics.k8s.io/v1beta1/nodes"

// Usage asks the metrics API for one node, or for all where node is empty. A cluster without that API
// answers NotFound, one whose metrics server is down Unavailable.
func (r *Reader) Usage(ctx context.Context, node string) ([]NodeUsage, error) {
	q := request{verb: "list", resource: "nodes.metrics.k8s.io", path: usagePath, accept: "application/json"}
	var list struct {
		Items []NodeUsage `json:"items"`
	}
	if node == "" {
		err := r.get(ctx, q, func(body []byte) error { return json.Unmarshal(body, &list) })
		return list.Items, err
	}
	q.verb, q.object, q.path = "get", node, usagePath+"/"+node
	if err := q.checkNames(node); err != nil {
		return nil, err
	}
	list.Items = make([]NodeUsage, 1)
	if err := r.get(ctx, q, func(body []byte) error { return json.Unmarshal(body, &list.Items[0]) }); err != nil {
		return nil, err
	}
	return list.Items, nil
}
