package kube

import (
	"context"
	"encoding/json"
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
		err := r.get(ctx, q, func(body []byte) error { return json.Unmarshal(body, &list) })
		return list.Items, err
	}
	q.verb, q.object, q.path = "get", node, usagePath+"/"+node
	if err := q.checkNames(node); err != nil {
		return nil, err
	}
	list.Items = make([]T, 1)
	if err := r.get(ctx, q, func(body []byte) error { return json.Unmarshal(body, &list.Items[0]) }); err != nil {
		return nil, err
	}
	return list.Items, nil
}

// PodUsage asks the metrics API for the pods of a namespace, and reads its objects as Ts. It answers errors as Usage does.
func PodUsage[T any](ctx context.Context, r *Reader, namespace string) ([]T, error) {
	q := request{
		verb: "list", resource: "pods.metrics.k8s.io", object: namespace, accept: "application/json",
		path: "/apis/metrics.k8s.io/v1beta1/namespaces/" + namespace + "/pods",
	}
	if err := q.checkNames(namespace); err != nil {
		return nil, err
	}
	var list struct {
		Items []T `json:"items"`
	}
	err := r.get(ctx, q, func(body []byte) error { return json.Unmarshal(body, &list) })
	return list.Items, err
}
