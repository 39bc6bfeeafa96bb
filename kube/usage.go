package kube

import (
	"context"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

const usagePath = "/apis/metrics.k8s.io/v1beta1/nodes"

// Usage asks the metrics API for one node, or for all where node is empty, and reads its objects as Ts. A cluster without
// that API answers NotFound, one whose metrics server is down Unavailable.
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
