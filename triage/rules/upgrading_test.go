package rules_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// upgrade puts the cluster into a rolling image upgrade of pool np1, that long after the machine of one node was removed: np1-0 is
// done, np1-1 is being reimaged, np1-2 is drained, a surge node joins.
func (c *cluster) upgrade(after time.Duration) {
	byName := map[string]*corev1.Node{}
	for _, n := range c.nodes {
		byName[n.Name] = n
	}
	cordon := func(n *corev1.Node, before time.Duration) {
		t := ago(before)
		n.Spec.Unschedulable = true
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule, TimeAdded: &t})
		n.Annotations = map[string]string{
			"cluster-autoscaler.kubernetes.io/scale-down-disabled":                     "true",
			"kubernetes.azure.com/azure-cluster-autoscaler-scale-down-disabled-reason": "upgrade",
		}
		c.event("Node", "", n.Name, "Normal", "Drain", "Draining node: "+n.Name, before-min(before, 5*time.Second))
		c.event("Node", "", n.Name, "Normal", "NodeNotSchedulable", "Node "+n.Name+" status is now: NodeNotSchedulable", before)
	}

	done := byName["np1-0"]
	done.Labels["kubernetes.azure.com/node-image-version"] = newImage
	done.CreationTimestamp = ago(after + 20*time.Minute)
	ready(done).LastTransitionTime = ago(after + 12*time.Minute)
	c.event("Node", "", done.Name, "Normal", "NodeNotReady", "Node np1-0 status is now: NodeNotReady", after+18*time.Minute)
	c.event("Node", "", done.Name, "Warning", "Rebooted", "Node np1-0 has been rebooted, boot id: 5b7f", after+13*time.Minute)
	c.event("Node", "", done.Name, "Normal", "NodeReady", "Node np1-0 status is now: NodeReady", after+12*time.Minute)

	away := byName["np1-1"]
	cordon(away, after+6*time.Minute)
	if after > 0 {
		for i := range away.Status.Conditions {
			cond := &away.Status.Conditions[i]
			cond.Status, cond.Reason, cond.Message = corev1.ConditionUnknown, "NodeStatusUnknown", "Kubelet stopped posting node status."
			cond.LastTransitionTime, cond.LastHeartbeatTime = ago(after), ago(after+2*time.Minute)
		}
		c.event("Node", "", away.Name, "Normal", "NodeNotReady", "Node np1-1 status is now: NodeNotReady", after)
	}

	drained := byName["np1-2"]
	cordon(drained, after+time.Minute)
	c.event("Node", "", drained.Name, "Warning", "Drain", "Eviction blocked by Too Many Requests (usually a pdb): [web-5d9f-2]", 20*time.Second)
	c.moved("np1-1", "np1-2")

	surge := c.node("np1-surge", "np1", 0, after+30*time.Second)
	surge.Labels["kubernetes.azure.com/node-image-version"] = newImage
	c.event("Node", "", surge.Name, "Normal", "Surge", "Created a surge node [np1-surge] for agentpool np1", after+time.Minute)
	if after < 2*time.Minute {
		*ready(surge) = corev1.NodeCondition{
			Type: corev1.NodeReady, Status: corev1.ConditionFalse, Reason: "KubeletNotReady", LastTransitionTime: surge.CreationTimestamp, LastHeartbeatTime: ago(5 * time.Second),
			Message: "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized",
		}
		unready(c.pod("kube-system", "calico-node-np1-surge", surge.Name, "DaemonSet", "calico-node", after+25*time.Second), after+25*time.Second, "PodInitializing")
	} else {
		c.pod("kube-system", "calico-node-np1-surge", surge.Name, "DaemonSet", "calico-node", after+25*time.Second)
	}
	for _, o := range c.others {
		switch o := o.(type) {
		case *appsv1.DaemonSet:
			if o.Name == "calico-node" && after < 2*time.Minute {
				o.Status.DesiredNumberScheduled, o.Status.CurrentNumberScheduled = o.Status.DesiredNumberScheduled+1, o.Status.CurrentNumberScheduled+1
			}
		case *storagev1.VolumeAttachment:
			if o.Spec.NodeName == "np1-1" { // the drain has detached it
				o.Status.Attached = false
			}
		case *policyv1.PodDisruptionBudget:
			if o.Name == "web" { // one of six is moving
				o.Status.CurrentHealthy, o.Status.DisruptionsAllowed = 5, 0
				o.Status.Conditions = []metav1.Condition{{Type: policyv1.DisruptionAllowedCondition, Status: metav1.ConditionFalse, Reason: "InsufficientPods", LastTransitionTime: ago(30 * time.Second)}}
			}
		}
	}
}

// moved removes the pods that a drain evicts from the nodes and starts their replacements.
func (c *cluster) moved(nodes ...string) {
	for _, p := range append([]*corev1.Pod{}, c.pods...) {
		for i, n := range nodes {
			if p.Spec.NodeName != n || len(p.OwnerReferences) == 0 || p.OwnerReferences[0].Kind == "DaemonSet" {
				continue
			}
			old := *p
			if i == 0 || p.OwnerReferences[0].Kind == "StatefulSet" { // already deleted
				c.event("Pod", p.Namespace, p.Name, "Normal", "TaintManagerEviction", "Cancelling deletion of Pod "+p.Namespace+"/"+p.Name, 4*time.Minute)
				p.Name += "-new"
			} else {
				continue // a PodDisruptionBudget blocks it
			}
			if old.OwnerReferences[0].Kind == "StatefulSet" {
				p.Name = old.Name
				p.CreationTimestamp, p.Spec.NodeName = ago(50*time.Second), fmt.Sprintf("np1-%d", 3+i)
				unready(p, 50*time.Second, "ContainerCreating")
				c.event("Pod", p.Namespace, p.Name, "Warning", "FailedAttachVolume", "Multi-Attach error for volume \"pvc-"+p.Name+"\" Volume is already exclusively attached to one node and can't be attached to another", 45*time.Second)
				continue
			}
			p.CreationTimestamp, p.Spec.NodeName = ago(3*time.Minute), "np1-5"
			p.Status.Conditions[1].LastTransitionTime = ago(2 * time.Minute)
			c.event("Pod", p.Namespace, p.Name, "Warning", "FailedScheduling", "0/13 nodes are available: 2 node(s) were unschedulable, 4 node(s) had untolerated taint(s), 7 Insufficient cpu.", 3*time.Minute)
		}
	}
}

func ready(n *corev1.Node) *corev1.NodeCondition {
	for i := range n.Status.Conditions {
		if n.Status.Conditions[i].Type == corev1.NodeReady {
			return &n.Status.Conditions[i]
		}
	}
	return nil
}
