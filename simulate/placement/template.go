package placement

import (
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/nodetriage/nodetriage/evidence"
)

// template is what the scheduler cannot tell apart: pods of one namespace with one spec and the same labels.
// All of them share one object, on nodes and in the queue; a node that runs three holds it three times.
type template struct {
	pod  *corev1.Pod
	info *framework.PodInfo
	bad  error // the affinity cannot be parsed
}

type templateKey struct {
	spec      *corev1.PodSpec
	labels    uintptr
	namespace string
	deleting  bool
	actual    uintptr
	nominated string
}

type templates map[templateKey]*template

// of returns the template of a pod. Specs and labels are told apart by identity: evidence shares them.
func (m templates) of(p *evidence.Pod) *template {
	key := templateKey{
		spec: p.Spec, labels: reflect.ValueOf(p.Labels).Pointer(), namespace: p.Namespace, deleting: p.Deleting(),
	}
	if t := m[key]; t != nil {
		return t
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: p.Name, Namespace: p.Namespace, Labels: p.Labels,
			UID: types.UID(fmt.Sprintf("template-%d", len(m))),
		},
		Spec: *p.Spec,
	}
	if p.Deleting() {
		pod.DeletionTimestamp = &metav1.Time{Time: p.Deleted}
	}
	t := &template{pod: pod}
	t.info, t.bad = framework.NewPodInfo(pod)
	m[key] = t
	return t
}
