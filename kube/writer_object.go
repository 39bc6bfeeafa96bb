package kube

import (
	"context"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Create creates an object and returns the result. If the name exists, the reason is Conflict.
func Create[T any](ctx context.Context, w *Writer, res Resource[T], namespace, name string, object *T) (*T, error) {
	q := request{
		verb: "create", resource: res.String(), object: namespace + "/" + name,
		method: http.MethodPost, path: res.path(namespace, ""), contentType: "application/json", accept: accept,
	}
	var out *T
	err := w.send(ctx, q, object, func(body []byte) (err error) {
		out, err = res.one(body)
		return err
	}, namespace, name)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Delete deletes the object with this UID. An object with the same name and another UID returns Conflict. A grace
// period of 0 removes the object at once, without confirmation from the kubelet.
func Delete[T any](ctx context.Context, w *Writer, res Resource[T], namespace, name, uid string, grace time.Duration) error {
	q := request{
		verb: "delete", resource: res.String(), object: namespace + "/" + name,
		method: http.MethodDelete, path: res.path(namespace, name), contentType: "application/json", accept: "application/json",
	}
	id, seconds := types.UID(uid), int64(grace/time.Second)
	return w.send(ctx, q, metav1.DeleteOptions{
		TypeMeta:           metav1.TypeMeta{APIVersion: "v1", Kind: "DeleteOptions"},
		GracePeriodSeconds: &seconds, Preconditions: &metav1.Preconditions{UID: &id},
	}, func([]byte) error { return nil }, namespace, name)
}
