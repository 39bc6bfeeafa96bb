package load

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// sickSince is the time since the nodes became unhealthy.
const sickSince = 12 * time.Minute

// sickness is one kind of unhealthy node, with the messages of its component.
type sickness struct {
	name   string
	silent bool // the kubelet does not post status
	reason string
	text   string // message of the Ready condition, or of DiskPressure
	event  string // reason of the event of the node
}

var sicknesses = []sickness{
	{"silent", true, "NodeStatusUnknown", "Kubelet stopped posting node status.", "NodeNotReady"},
	{"runtime", false, "KubeletNotReady", "container runtime is down", "ContainerRuntimeDown"},
	{"pleg", false, "KubeletNotReady", "PLEG is not healthy: pleg was last seen active 12m3.1s ago; threshold is 3m0s", "NodeNotReady"},
	{"network", false, "KubeletNotReady", "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized", "NodeNotReady"},
	{"disk", false, "KubeletHasDiskPressure", "kubelet has disk pressure", "NodeHasDiskPressure"},
}

func (s sickness) node(p plan, n *corev1.Node) {
	for i := range n.Status.Conditions {
		c := &n.Status.Conditions[i]
		switch {
		case s.silent:
			c.Status, c.Reason, c.Message = corev1.ConditionUnknown, s.reason, s.text
			c.LastHeartbeatTime = p.time(sickSince + time.Minute)
		case c.Type == corev1.NodeDiskPressure && s.name == "disk":
			c.Status, c.Reason, c.Message = corev1.ConditionTrue, s.reason, s.text
		case c.Type == corev1.NodeReady && s.name != "disk":
			c.Status, c.Reason, c.Message = corev1.ConditionFalse, s.reason, s.text
		default:
			continue
		}
		c.LastTransitionTime = p.time(sickSince)
	}
	taint := "node.kubernetes.io/not-ready"
	switch {
	case s.silent:
		taint = "node.kubernetes.io/unreachable"
	case s.name == "disk":
		taint = "node.kubernetes.io/disk-pressure"
	}
	since := p.time(sickSince)
	n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: taint, Effect: corev1.TaintEffectNoSchedule, TimeAdded: &since})
}

// events returns two events for each unhealthy node, and those of a quiet cluster: one routine event for every hundred
// pods.
func (p plan) events(yield func(record) bool) bool {
	for i := range p.Sick {
		s := sicknesses[i%len(sicknesses)]
		for k, e := range []struct{ typ, reason, message string }{
			{corev1.EventTypeNormal, s.event, "Node " + p.node(i) + " status is now: " + s.event},
			{corev1.EventTypeWarning, "Unhealthy", s.text},
		} {
			about := corev1.ObjectReference{Kind: "Node", Name: p.node(i), UID: uid("/" + p.node(i)), APIVersion: "v1"}
			if !yield(p.event(metav1.NamespaceDefault, fmt.Sprintf("%s.%d", p.node(i), k), about, e.typ, e.reason, e.message)) {
				return false
			}
		}
	}
	for i := 0; i < p.Pods; i += 100 {
		pod := p.pod(i)
		about := corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, APIVersion: "v1"}
		if !yield(p.event(pod.Namespace, pod.Name+".0", about, corev1.EventTypeNormal, "Started", "Started container app")) {
			return false
		}
	}
	return true
}

func (p plan) event(namespace, name string, about corev1.ObjectReference, typ, reason, message string) record {
	e := &corev1.Event{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Event"}, ObjectMeta: meta(namespace, name, p.time(sickSince)),
		InvolvedObject: about, Type: typ, Reason: reason, Message: message, Count: 1, Source: corev1.EventSource{Component: "kubelet"},
		FirstTimestamp: p.time(sickSince), LastTimestamp: p.time(time.Minute),
	}
	return record{"/registry/events/" + namespace + "/" + name, e}
}
