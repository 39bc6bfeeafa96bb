package scheduler

import (
	"fmt"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/nodetriage/nodetriage/evidence"
)

// template is a class of pods that the scheduler treats the same: one namespace, one spec and the same labels. They
// share one object on nodes and in the queue; a node that runs three has it three times.
type template struct {
	pod  *corev1.Pod
	info *framework.PodInfo
	bad  error // the affinity does not parse
}

type templateKey struct {
	spec      *corev1.PodSpec
	labels    uintptr
	namespace string
	deleting  bool
	resized   uintptr
	nominated string
	preempted bool
}

type templates map[templateKey]*template

// of returns the template of a pod. Specs and labels are compared by identity because evidence shares them.
func (m templates) of(p *evidence.Pod) *template {
	key := templateKey{
		spec: p.Spec, labels: reflect.ValueOf(p.Labels).Pointer(), namespace: p.Namespace, deleting: p.Deleting(),
		resized: reflect.ValueOf(p.Resized).Pointer(), nominated: p.Nominated, preempted: preempted(p),
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
	pod.Status = statusOf(p)
	t := &template{pod: pod}
	t.info, t.bad = framework.NewPodInfo(pod)
	m[key] = t
	return t
}

// statusOf returns the part of a pod status that the scheduler reads.
func statusOf(p *evidence.Pod) corev1.PodStatus {
	s := corev1.PodStatus{NominatedNodeName: p.Nominated}
	for _, r := range p.Resized {
		c := corev1.ContainerStatus{
			Name: r.Name, AllocatedResources: r.Allocated, Resources: &corev1.ResourceRequirements{Requests: r.Actual},
		}
		if slices.ContainsFunc(p.Spec.InitContainers, func(i corev1.Container) bool { return i.Name == r.Name }) {
			s.InitContainerStatuses = append(s.InitContainerStatuses, c)
		} else {
			s.ContainerStatuses = append(s.ContainerStatuses, c)
		}
	}
	for _, c := range p.Conditions {
		if t := corev1.PodConditionType(c.Type); t == corev1.PodResizePending || t == corev1.DisruptionTarget {
			s.Conditions = append(s.Conditions, corev1.PodCondition{Type: t, Status: corev1.ConditionStatus(c.Status), Reason: c.Reason})
		}
	}
	return s
}

// preempted reports whether the scheduler preempts the pod.
func preempted(p *evidence.Pod) bool {
	c := p.Condition(string(corev1.DisruptionTarget))
	return c != nil && c.Reason == corev1.PodReasonPreemptionByScheduler
}
