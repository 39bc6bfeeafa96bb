package survey

import (
	"context"
	"errors"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// manyNodes is the number of nodes of a workload above which the whole cluster is read.
const manyNodes = 20

// Subject reads what explains the state of a pod, or of the pods of a workload. That is the data of Evacuation for their nodes,
// without free capacity elsewhere. It reads the whole cluster for an unscheduled pod, for a workload on many nodes, and for a
// subject that is missing or ambiguous. An empty namespace stands for all.
func Subject(ctx context.Context, r *kube.Reader, b *collect.Builder, subject evidence.Subject, opt Options) error {
	s := newSurvey(r, b, opt)
	if err := s.contact(ctx); errors.Is(err, errNoUse) {
		return nil
	} else if err != nil {
		return err
	}
	if s.small(ctx) {
		return s.cluster(ctx)
	}
	pods, ok := s.podsOfSubject(ctx, subject)
	nodes := map[string]bool{}
	for _, p := range pods {
		nodes[p.Spec.NodeName] = true
	}
	if !ok || len(nodes) == 0 || len(nodes) > manyNodes || nodes[""] {
		return s.cluster(ctx)
	}
	e := newEvacuation(s, slices.Collect(maps.Keys(nodes)))
	e.stays = true
	e.moves = func(p *evidence.Pod) bool {
		return slices.ContainsFunc(pods, func(o corev1.Pod) bool { return o.Namespace == p.Namespace && o.Name == p.Name })
	}
	return e.run(ctx)
}

// podsOfSubject lists the pods of the only subject with that name. It returns false if there is none or several.
func (s *survey) podsOfSubject(ctx context.Context, subject evidence.Subject) ([]corev1.Pod, bool) {
	named := kube.Query{Namespace: subject.Namespace, Fields: fields.OneTermEqualSelector("metadata.name", subject.Name).String(), FromCache: true}
	if subject.Kind == "Pod" {
		pods, ok := listOf(ctx, s.reader, kube.Pods, named)
		return pods, ok && len(pods) == 1
	}
	var found *owner
	switch subject.Kind {
	case "Deployment":
		found = theOne(ctx, s.reader, kube.Deployments, named, func(d *appsv1.Deployment) owner { return owner{d.Namespace, d.Spec.Selector} })
	case "StatefulSet":
		found = theOne(ctx, s.reader, kube.StatefulSets, named, func(d *appsv1.StatefulSet) owner { return owner{d.Namespace, d.Spec.Selector} })
	case "ReplicaSet":
		found = theOne(ctx, s.reader, kube.ReplicaSets, named, func(d *appsv1.ReplicaSet) owner { return owner{d.Namespace, d.Spec.Selector} })
	case "Job":
		found = theOne(ctx, s.reader, kube.Jobs, named, func(d *batchv1.Job) owner { return owner{d.Namespace, d.Spec.Selector} })
	}
	if found == nil {
		return nil, false
	}
	selector, err := metav1.LabelSelectorAsSelector(found.selector)
	if err != nil {
		return nil, false
	}
	return listOf(ctx, s.reader, kube.Pods, kube.Query{Namespace: found.namespace, Labels: selector.String(), FromCache: true})
}

// owner is the part of a workload that selects its pods.
type owner struct {
	namespace string
	selector  *metav1.LabelSelector
}

// theOne returns the only object that the query matches; nil if there is none or several.
func theOne[T any](ctx context.Context, r *kube.Reader, res kube.Resource[T], q kube.Query, of func(*T) owner) *owner {
	list, all := listOf(ctx, r, res, q)
	if !all || len(list) != 1 {
		return nil
	}
	found := of(&list[0])
	return &found
}

// listOf reads a short list. It returns false if the list is incomplete.
func listOf[T any](ctx context.Context, r *kube.Reader, res kube.Resource[T], q kube.Query) (out []T, all bool) {
	all, err := kube.List(ctx, r, res, q, func(page []T) error {
		out = append(out, page...)
		return nil
	})
	return out, all && err == nil
}
