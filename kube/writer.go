package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// FieldManager is the field manager name of changes by a Writer.
const FieldManager = "nodetriage"

// Writer changes objects through one API server. A Reader cannot be converted into a Writer, so code with a Reader
// cannot change anything.
type Writer struct {
	sender *Reader
	dryRun bool
}

// NewWriter returns a Writer. It sends no request. With dryRun the server validates every change but persists none.
func NewWriter(config *rest.Config, opt Options, dryRun bool) (*Writer, error) {
	r, err := NewReader(config, opt)
	if err != nil {
		return nil, err
	}
	return &Writer{r, dryRun}, nil
}

// Evict evicts the pod with this UID. If a PodDisruptionBudget allows no disruption, the reason is Refused and
// Error.Refusal has its message. A pod with the same name and another UID returns Conflict. Evicting a terminating pod
// succeeds.
func (w *Writer) Evict(ctx context.Context, namespace, name, uid string) error {
	id := types.UID(uid)
	q := request{
		verb: "evict", resource: "pods/eviction", object: namespace + "/" + name,
		method: http.MethodPost, path: Pods.path(namespace, name) + "/eviction", contentType: "application/json", accept: "application/json",
	}
	return w.send(ctx, q, policyv1.Eviction{
		TypeMeta:      metav1.TypeMeta{APIVersion: "policy/v1", Kind: "Eviction"},
		ObjectMeta:    metav1.ObjectMeta{Namespace: namespace, Name: name},
		DeleteOptions: &metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &id}},
	}, func([]byte) error { return nil }, namespace, name)
}

// Operation is one operation of a JSON patch (RFC 6902). A patch is atomic. A failed test returns Conflict.
type Operation struct {
	Op    string `json:"op"` // test, add, replace, remove
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// Patch changes an object and returns the result.
func Patch[T any](ctx context.Context, w *Writer, res Resource[T], namespace, name string, steps []Operation) (*T, error) {
	q := request{
		verb: "patch", resource: res.String(), object: name,
		method: http.MethodPatch, path: res.path(namespace, name), contentType: string(types.JSONPatchType), accept: accept,
	}
	if namespace != "" {
		q.object = namespace + "/" + name
	}
	var out *T
	err := w.send(ctx, q, steps, func(body []byte) (err error) {
		out, err = res.one(body)
		return err
	}, namespace, name)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (w *Writer) send(ctx context.Context, q request, body any, use func([]byte) error, names ...string) error {
	if err := q.checkNames(names...); err != nil {
		return err
	}
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("write %s %s: %w", q.resource, q.object, err)
	}
	q.body, q.query = data, url.Values{"fieldManager": {FieldManager}}
	if w.dryRun {
		q.query.Set("dryRun", metav1.DryRunAll)
	}
	return w.sender.get(ctx, q, use)
}
