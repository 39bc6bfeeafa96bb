package kube

import (
	"context"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

const usagePath = "/apis/metrics.k8s.io/v1beta1/nodes"

// Usage queries the metrics API for one node, or for all nodes if node is empty, and decodes its objects as Ts. The
// error is NotFound without the API and Unavailable if metrics-server is down.
func Usage[T any](ctx context.Context, r *Reader, node string) ([]T, error) {
	q := request{verb: "list", resource: "nodes.metrics.k8s.io", path: usagePath, accept: "application/json"}
	var list struct {
		Items []T `json:"items"`
	}
	if node == "" {
		err := r.get(ctx, q, func(body []byte) error {
			if err := checkList(body); err != nil {
				return err
			}
			return bounds.JSON(body, &list)
		})
		return list.Items, err
	}
	q.verb, q.object, q.path = "get", node, usagePath+"/"+node
	if err := q.checkNames(node); err != nil {
		return nil, err
	}
	list.Items = make([]T, 1)
	if err := r.get(ctx, q, func(body []byte) error { return bounds.JSON(body, &list.Items[0]) }); err != nil {
		return nil, err
	}
	return list.Items, nil
}
