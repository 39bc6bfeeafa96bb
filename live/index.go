package live

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// index finds the objects of a node, and the events of its pods.
type index struct {
	about       map[evidence.Subject][]evidence.Items       // of nodes, a few each
	events      map[evidence.Subject]map[any]evidence.Items // by the involved object, then by the event
	controllers map[string]evidence.Items                   // by UID: pods refer to them
	pods        map[string]map[*evidence.Pod]bool           // by node; one map of all pods would be large
	podAt       func(evidence.Subject) *evidence.Pod        // the pod that an event is about; nil: none
	changed     map[string]bool                             // nodes whose evidence changed; true: by more than a heartbeat
}

func newIndex(podAt func(evidence.Subject) *evidence.Pod) index {
	return index{podAt: podAt, about: map[evidence.Subject][]evidence.Items{}, events: map[evidence.Subject]map[any]evidence.Items{}, controllers: map[string]evidence.Items{}, pods: map[string]map[*evidence.Pod]bool{}, changed: map[string]bool{}}
}

func (x *index) put(items evidence.Items) {
	first := items.First()
	switch o := first.(type) {
	case *evidence.Workload:
		x.controllers[o.UID] = items
		return
	case *evidence.Pod:
		if x.pods[o.Node] == nil {
			x.pods[o.Node] = map[*evidence.Pod]bool{}
		}
		x.pods[o.Node][o] = true
		x.touchNode(o.Node)
		return
	}
	subject := subjectOf(first)
	if subject.IsZero() {
		return
	}
	if _, is := first.(*evidence.Event); is {
		x.putEvent(subject, items)
	} else {
		x.about[subject] = append(x.about[subject], items)
	}
	x.touch(subject, first)
}

func (x *index) drop(items evidence.Items) {
	first := items.First()
	switch o := first.(type) {
	case *evidence.Workload:
		delete(x.controllers, o.UID)
		return
	case *evidence.Pod:
		delete(x.pods[o.Node], o)
		if len(x.pods[o.Node]) == 0 {
			delete(x.pods, o.Node)
		}
		x.touchNode(o.Node)
		return
	}
	subject := subjectOf(first)
	x.touch(subject, first)
	if _, is := first.(*evidence.Event); is {
		x.dropEvent(subject, first)
		return
	}
	left := slices.DeleteFunc(x.about[subject], func(i evidence.Items) bool { return i.First() == first })
	if x.about[subject] = left; len(left) == 0 {
		delete(x.about, subject)
	}
}

func (x *index) putEvent(subject evidence.Subject, items evidence.Items) {
	if x.events[subject] == nil {
		x.events[subject] = map[any]evidence.Items{}
	}
	x.events[subject][items.First()] = items
}

func (x *index) dropEvent(subject evidence.Subject, event any) {
	delete(x.events[subject], event)
	if len(x.events[subject]) == 0 {
		delete(x.events, subject)
	}
}

// touch notes that the evidence of a node changed: of the subject, or of the node that the subject, a pod, runs on.
func (x *index) touch(subject evidence.Subject, by any) {
	if subject.Kind == "Node" {
		_, beat := by.(*evidence.Lease)
		x.changed[subject.Name] = x.changed[subject.Name] || !beat
		return
	}
	if pod := x.podAt(subject); pod != nil {
		x.touchNode(pod.Node)
	}
}

// touchNode notes that pods of a node changed. A pod without a node changes none.
func (x *index) touchNode(name string) {
	if name != "" {
		x.changed[name] = true
	}
}

// add adds the objects of a node to d.
func (x *index) add(d *evidence.Data, node string) {
	x.addAbout(d, evidence.NodeSubject(node))
	asked := map[string]bool{}
	for pod := range x.pods[node] {
		d.Pods = append(d.Pods, pod)
		x.addEvents(d, pod.Subject())
		if owner := pod.Owner.UID; !asked[owner] {
			asked[owner] = true
			d.Put(x.controllers[owner])
		}
	}
}

func (x *index) addAbout(d *evidence.Data, subject evidence.Subject) {
	for _, items := range x.about[subject] {
		d.Put(items)
	}
	x.addEvents(d, subject)
}

func (x *index) addEvents(d *evidence.Data, subject evidence.Subject) {
	for _, items := range x.events[subject] {
		d.Put(items)
	}
}

// subjectOf returns what an object belongs to: its node; the involved object of an event. The zero Subject
// means that it belongs to no node.
func subjectOf(item any) evidence.Subject {
	switch o := item.(type) {
	case *evidence.Node:
		return o.Subject()
	case *evidence.Event:
		return o.Object
	case *evidence.Lease:
		if o.Namespace == corev1.NamespaceNodeLease {
			return evidence.NodeSubject(o.Name)
		}
	case *storagev1.CSINode:
		return evidence.NodeSubject(o.Name)
	case *storagev1.VolumeAttachment:
		return evidence.NodeSubject(o.Spec.NodeName)
	}
	return evidence.Subject{}
}
