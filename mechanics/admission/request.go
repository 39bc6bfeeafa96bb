package admission

import (
	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/nodetriage/nodetriage/evidence"
)

// Request is an API request about a pod or a node.
type Request struct {
	operation, resource, subresource string
	namespace, name                  string
	kind                             map[string]any
	object, old                      map[string]any // nil: null
	labels                           []map[string]string
	unlabelled                       bool // the labels of the objects are unknown
	user                             map[string]any
	unknown                          []string // paths whose values are not in the evidence
}

// Eviction is the creation of pods/eviction. The resulting deletion does not run admission (kubernetes
// pkg/registry/core/pod/storage/eviction.go, v1.36.3).
func Eviction(p *evidence.Pod) Request {
	return Request{
		operation: "CREATE", resource: "pods", subresource: "eviction", namespace: p.Namespace, name: p.Name,
		kind: kindOf("policy", "Eviction"),
		object: map[string]any{
			"apiVersion": "policy/v1", "kind": "Eviction",
			"metadata": map[string]any{"name": p.Name, "namespace": p.Namespace},
		},
		labels:  []map[string]string{nil},
		unknown: []string{"request.userInfo", "request.options", "object.deleteOptions"},
	}
}

// creation is the request to create a new pod like this one. The user is its controller, whose name is not in the
// evidence.
func creation(p *evidence.Pod) Request {
	r := Request{
		operation: "CREATE", resource: "pods", namespace: p.Namespace, kind: kindOf("", "Pod"),
		labels: []map[string]string{p.Labels}, unlabelled: p.Partial,
		unknown: []string{"request.userInfo", "request.options", "request.name", "object.status", "object.spec.volumes", "object.spec.ephemeralContainers"},
	}
	for _, field := range []string{"name", "annotations", "creationTimestamp", "finalizers", "generateName", "generation", "managedFields",
		"ownerReferences", "resourceVersion", "uid"} {
		r.unknown = append(r.unknown, "object.metadata."+field)
	}
	if p.Spec == nil || p.Partial {
		r.unknown = append(r.unknown, "object")
		return r
	}
	spec, err := runtime.DefaultUnstructuredConverter.ToUnstructured(p.Spec)
	if err != nil {
		r.unknown = append(r.unknown, "object")
	}
	meta := map[string]any{"namespace": p.Namespace}
	if len(p.Labels) > 0 {
		meta["labels"] = anyMap(p.Labels)
	}
	r.object = map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}
	return r
}

// LastDelete is the request with which a kubelet deletes a terminated pod (kubernetes
// pkg/kubelet/status/status_manager.go syncPod, v1.36.3).
func LastDelete(p *evidence.Pod) Request {
	meta := map[string]any{"name": p.Name, "namespace": p.Namespace, "uid": p.UID}
	if len(p.Labels) > 0 {
		meta["labels"] = anyMap(p.Labels)
	}
	r := Request{
		operation: "DELETE", resource: "pods", namespace: p.Namespace, name: p.Name,
		kind:   kindOf("", "Pod"),
		old:    map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": meta},
		labels: []map[string]string{p.Labels}, unlabelled: p.Partial,
		user:    map[string]any{"username": "system:node:" + p.Node, "groups": []any{"system:nodes", "system:authenticated"}},
		unknown: []string{"request.userInfo.uid", "request.userInfo.extra", "request.options", "oldObject.spec", "oldObject.status"},
	}
	for _, field := range []string{"annotations", "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers",
		"generateName", "generation", "managedFields", "ownerReferences", "resourceVersion"} {
		r.unknown = append(r.unknown, "oldObject.metadata."+field)
	}
	if p.Partial {
		r.unknown = append(r.unknown, "oldObject.metadata.labels")
	}
	return r
}

// Cordon is the update that sets spec.unschedulable of a node.
func Cordon(n *evidence.Node) Request {
	before, after := asMap(n), asMap(n)
	if spec, ok := after["spec"].(map[string]any); ok {
		spec["unschedulable"] = true
	}
	r := Request{
		operation: "UPDATE", resource: "nodes", name: n.Name, kind: kindOf("", "Node"), object: after, old: before,
		labels: []map[string]string{n.Labels}, unlabelled: n.Partial,
		unknown: []string{"request.userInfo", "request.options"},
	}
	for _, object := range []string{"object.", "oldObject."} {
		r.unknown = append(r.unknown, object+"metadata.annotations", object+"metadata.managedFields", object+"status.images")
	}
	if n.Partial || before == nil {
		r.unknown = append(r.unknown, "object", "oldObject")
	}
	return r
}

func asMap(n *evidence.Node) map[string]any {
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(n.Node)
	if err != nil {
		return nil
	}
	m["apiVersion"], m["kind"] = "v1", "Node"
	return m
}

func kindOf(group, kind string) map[string]any {
	return map[string]any{"group": group, "version": "v1", "kind": kind}
}

func anyMap(m map[string]string) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// variables returns the variables of expressions by name, and the paths in them that are unknown.
func (r *Request) variables(namespace map[string]any, known bool) (map[string]any, []*cel.AttributePatternType) {
	resource := map[string]any{"group": "", "version": "v1", "resource": r.resource}
	request := map[string]any{
		"kind": r.kind, "requestKind": r.kind, "resource": resource, "requestResource": resource,
		"name": r.name, "operation": r.operation, "dryRun": false,
	}
	if r.subresource != "" {
		request["subResource"], request["requestSubResource"] = r.subresource, r.subresource
	}
	if r.namespace != "" {
		request["namespace"] = r.namespace
	}
	if r.user != nil {
		request["userInfo"] = r.user
	}
	out := map[string]any{"request": request, "object": orNull(r.object), "oldObject": orNull(r.old), "namespaceObject": orNull(namespace), "params": nil}
	paths := append([]string{"authorizer"}, r.unknown...)
	switch {
	case !known:
		paths = append(paths, "namespaceObject")
	case namespace != nil:
		paths = append(paths, "namespaceObject.metadata.annotations", "namespaceObject.metadata.creationTimestamp", "namespaceObject.metadata.UID",
			"namespaceObject.metadata.resourceVersion", "namespaceObject.metadata.generation", "namespaceObject.spec", "namespaceObject.status")
	}
	patterns := []*cel.AttributePatternType{cel.AttributePattern("authorizer.requestResource")}
	for _, p := range paths {
		patterns = append(patterns, pattern(p))
	}
	return out, patterns
}

// orNull converts a nil map to null instead of an empty map.
func orNull(m map[string]any) any {
	if m == nil {
		return nil
	}
	return m
}
