package survey

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Lists are lists that watches keep up to date.
type Lists interface {
	// Add adds the objects of a list to d and returns how many there are. It returns false if the list may not be current: the
	// survey then reads it from the server. A part that fields select is no list.
	Add(d *evidence.Data, resource, namespace string) (objects int, current bool)
}

// Target is a list that a survey of the whole cluster reads and that can be watched.
type Target struct {
	Resource kube.Source
	Part     kube.Part
	// Keep reports whether the survey keeps an object; nil: it keeps all.
	Keep func(object any) bool
}

// Targets returns the lists of a whole cluster that can be watched. The usage of nodes cannot, and the versions of admission
// policies differ between servers: the survey reads those from the server.
func Targets() []Target {
	all := []Target{
		{Resource: kube.Nodes},
		{Resource: kube.Leases, Part: kube.Part{Namespace: corev1.NamespaceNodeLease}},
		{Resource: kube.Leases, Part: kube.Part{Namespace: metav1.NamespaceSystem}},
		{Resource: kube.Events, Keep: func(o any) bool { return telling(o.(*corev1.Event)) }},
		{Resource: kube.ValidatingWebhooks},
		{Resource: kube.MutatingWebhooks},
	}
	for _, row := range evidence.Kinds() {
		for _, o := range row.Objects() {
			if o.Survey != evidence.Apart {
				all = append(all, Target{Resource: kube.Surveyed(o.Resource())})
			}
		}
	}
	return all
}

// NodeTargets returns what changes with a node, to be watched: its object, its pods and the events about it.
func NodeTargets(node string) []Target {
	return []Target{
		{Resource: kube.Nodes, Part: kube.Part{Fields: "metadata.name=" + node}},
		{Resource: kube.Pods, Part: kube.Part{Fields: "spec.nodeName=" + node}},
		{Resource: kube.Events, Part: kube.Part{Fields: "involvedObject.kind=Node,involvedObject.name=" + node}},
	}
}

// followed adds a list from Options.Lists. It returns false if the list has to be read from the server.
func (s *survey) followed(o *outcome, resource, namespace string) (current bool) {
	if s.opt.Lists == nil {
		return false
	}
	n := 0
	s.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) { n, current = s.opt.Lists.Add(d, resource, namespace) })
	if current {
		o.some, o.all = true, true
		s.count(o.kind, n)
	}
	return current
}
