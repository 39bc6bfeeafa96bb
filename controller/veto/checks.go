package veto

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// pauseRequest is our entry in the pause requests of a NodeHealthCheck.
const pauseRequest = "nodetriage: nodes fail together (nodetriage.dev/veto)"

// paused is the annotation with which a MachineHealthCheck repairs nothing.
const paused = "cluster.x-k8s.io/paused"

// repairer is a kind of objects whose controller repairs nodes, and how such an object is paused. pause and resume change the object and
// report whether they did.
type repairer struct {
	kind          schema.GroupVersionKind
	pause, resume func(*unstructured.Unstructured) bool
}

// repairers are the kinds that can be paused. A cluster has few objects of them, or none.
var repairers = []repairer{
	{schema.GroupVersionKind{Group: "remediation.medik8s.io", Version: "v1alpha1", Kind: "NodeHealthCheck"}, addRequest, removeRequest},
	{schema.GroupVersionKind{Group: "machine.openshift.io", Version: "v1beta1", Kind: "MachineHealthCheck"}, annotate, unannotate},
	{schema.GroupVersionKind{Group: "cluster.x-k8s.io", Version: "v1beta1", Kind: "MachineHealthCheck"}, annotate, unannotate},
}

func requests(o *unstructured.Unstructured) []string {
	list, _, err := unstructured.NestedStringSlice(o.Object, "spec", "pauseRequests")
	if err != nil {
		return nil
	}
	return list
}

func addRequest(o *unstructured.Unstructured) bool {
	list := requests(o)
	if slices.Contains(list, pauseRequest) {
		return false
	}
	return unstructured.SetNestedStringSlice(o.Object, append(list, pauseRequest), "spec", "pauseRequests") == nil
}

func removeRequest(o *unstructured.Unstructured) bool {
	list := requests(o)
	left := slices.DeleteFunc(slices.Clone(list), func(r string) bool { return r == pauseRequest })
	if len(left) == len(list) {
		return false
	}
	if len(left) == 0 {
		unstructured.RemoveNestedField(o.Object, "spec", "pauseRequests")
		return true
	}
	return unstructured.SetNestedStringSlice(o.Object, left, "spec", "pauseRequests") == nil
}

// annotate pauses an object that is not paused yet.
func annotate(o *unstructured.Unstructured) bool {
	annotations := o.GetAnnotations()
	if _, theirs := annotations[paused]; theirs {
		return false
	}
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[paused], annotations[record] = "", yes
	o.SetAnnotations(annotations)
	return true
}

func unannotate(o *unstructured.Unstructured) bool {
	annotations := o.GetAnnotations()
	if _, ours := annotations[record]; !ours {
		return false
	}
	delete(annotations, record)
	if annotations[paused] == "" { // a person who pauses it for a reason writes one
		delete(annotations, paused)
	}
	o.SetAnnotations(annotations)
	return true
}

// setPaused pauses or resumes the objects of all repairers. A kind that the cluster does not have is none.
func (w *Writer) setPaused(ctx context.Context, pause bool) error {
	var failed []error
	for _, r := range repairers {
		change := r.resume
		if pause {
			change = r.pause
		}
		failed = append(failed, w.changeAll(ctx, r.kind, change))
	}
	return errors.Join(failed...)
}

func (w *Writer) changeAll(ctx context.Context, kind schema.GroupVersionKind, change func(*unstructured.Unstructured) bool) error {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
	err := w.reader.List(ctx, list)
	if meta.IsNoMatchError(err) || apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("list objects of kind %s (%s): %w", kind.Kind, kind.Group, err)
	}
	var failed []error
	for i := range list.Items {
		o := &list.Items[i]
		before := o.DeepCopy()
		if !change(o) {
			continue
		}
		err := w.client.Patch(ctx, o, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}), client.FieldOwner(fieldManager))
		if client.IgnoreNotFound(err) != nil {
			failed = append(failed, fmt.Errorf("pause or resume %s %s: %w", kind.Kind, o.GetName(), err))
		}
	}
	return errors.Join(failed...)
}
