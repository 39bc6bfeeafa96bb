package rules_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// cluster is a small cluster in the form of the API: a control plane, two pools in three zones, DaemonSets, and workloads of every
// kind.
type cluster struct {
	nodes  []*corev1.Node
	pods   []*corev1.Pod
	events []*corev1.Event
	others []any
}

const (
	month    = 30 * 24 * time.Hour
	oldImage = "AKSUbuntu-2204gen2-202601.01.0"
	newImage = "AKSUbuntu-2204gen2-202602.01.0"
)

func newCluster() *cluster {
	c := &cluster{}
	for i := range 3 {
		cp := c.node(fmt.Sprintf("cp-%d", i), "", i, month)
		cp.Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}}
		for _, name := range []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"} {
			p := c.pod("kube-system", name+"-"+cp.Name, cp.Name, "Node", cp.Name, month)
			p.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "1"}
		}
	}
	for i := range 6 {
		c.node(fmt.Sprintf("np1-%d", i), "np1", i, month)
	}
	for i := range 3 { // a second pool with another image is not an unfinished upgrade
		n := c.node(fmt.Sprintf("spot-%d", i), "spot", i, 3*24*time.Hour)
		n.Labels["kubernetes.azure.com/node-image-version"] = newImage
		n.Labels["kubernetes.azure.com/scalesetpriority"] = "spot"
		n.Spec.Taints = []corev1.Taint{{Key: "kubernetes.azure.com/scalesetpriority", Value: "spot", Effect: corev1.TaintEffectNoSchedule}}
	}
	for _, name := range []string{"calico-node", "kube-proxy", "csi-azuredisk-node"} {
		for _, n := range c.nodes {
			c.pod("kube-system", name+"-"+n.Name, n.Name, "DaemonSet", name, month)
		}
		c.daemonSet(name, len(c.nodes), nil)
	}
	c.daemonSet("gpu-driver", 0, map[string]string{"accelerator": "nvidia"}) // for nodes that do not exist
	c.deployment("web", "shop", 6)
	c.deployment("coredns", "kube-system", 2)
	c.deployment("metrics-server", "kube-system", 1)
	c.budget("shop", "web", 5, 6, 1)
	c.budget("shop", "single", 1, 1, 0) // never allows a disruption, and nothing needs one
	c.pod("shop", "single-5d9f-0", "np1-4", "ReplicaSet", "single-5d9f", month).Labels = map[string]string{"app": "single"}
	c.stateful()
	c.leftovers()
	c.leases()
	c.surroundings()
	return c
}

func (c *cluster) snapshot() *evidence.Snapshot {
	set, err := signatures.Builtin()
	if err != nil {
		panic(err)
	}
	b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, set)
	b.TakenAt(at)
	for _, n := range c.nodes {
		b.AddObject(n)
	}
	for _, p := range c.pods {
		b.AddObject(p)
	}
	for _, e := range c.events {
		b.AddObject(e)
	}
	for _, o := range c.others {
		b.AddObject(o)
	}
	for _, k := range []evidence.Kind{
		evidence.Nodes, evidence.Leases, evidence.Pods, evidence.Events, evidence.PDBs, evidence.Workloads, evidence.Claims, evidence.Volumes,
		evidence.VolumeAttachments, evidence.CSINodes, evidence.CSRs, evidence.Webhooks, evidence.Endpoints,
	} {
		b.Cover(k, evidence.Complete)
	}
	return b.Snapshot()
}

func (c *cluster) node(name, pool string, i int, age time.Duration) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: ago(age), Labels: map[string]string{
		"topology.kubernetes.io/zone": fmt.Sprintf("westeurope-%d", i%3+1), "kubernetes.azure.com/node-image-version": oldImage,
	}}}
	if pool != "" {
		n.Labels["agentpool"] = pool
	}
	n.Spec.ProviderID = "azure:///subscriptions/s/resourceGroups/mc/providers/Microsoft.Compute/virtualMachineScaleSets/" + pool + "/virtualMachines/" + name
	n.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: fmt.Sprintf("10.0.0.%d", 10+len(c.nodes))}}
	n.Spec.PodCIDR = fmt.Sprintf("10.244.%d.0/24", len(c.nodes))
	n.Status.NodeInfo = corev1.NodeSystemInfo{KubeletVersion: "v1.36.3", KernelVersion: "5.15.0-1103-azure", ContainerRuntimeVersion: "containerd://2.4.2"}
	n.Status.Allocatable = corev1.ResourceList{corev1.ResourcePods: resource.MustParse("110")}
	for _, typ := range []corev1.NodeConditionType{corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure} {
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{
			Type: typ, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficient", Message: "kubelet has enough",
			LastHeartbeatTime: ago(2 * time.Minute), LastTransitionTime: ago(age),
		})
	}
	n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{
		Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", Message: "kubelet is posting ready status",
		LastHeartbeatTime: ago(2 * time.Minute), LastTransitionTime: ago(age - 30*time.Second),
	})
	c.nodes = append(c.nodes, n)
	return n
}

// pod adds a pod that became ready shortly after its creation.
func (c *cluster) pod(namespace, name, node, ownerKind, owner string, age time.Duration) *corev1.Pod {
	yes := true
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: "", CreationTimestamp: ago(age)},
		Spec:       corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "main", Image: "registry.example/main:1"}}},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, PodIP: fmt.Sprintf("10.244.9.%d", len(c.pods)%250+1),
			Conditions: []corev1.PodCondition{
				{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: ago(age)},
				{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: ago(age - min(age, 20*time.Second))},
			},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "main", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}},
		},
	}
	if owner != "" {
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: ownerKind, Name: owner, Controller: &yes}}
	}
	c.pods = append(c.pods, p)
	return p
}

func (c *cluster) find(name string) *corev1.Pod {
	for _, p := range c.pods {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func unready(p *corev1.Pod, since time.Duration, reason string) *corev1.Pod {
	p.Status.Phase = corev1.PodPending
	p.Status.Conditions[1] = corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: ago(since)}
	p.Status.ContainerStatuses[0].Ready = false
	p.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}
	return p
}

func unscheduled(p *corev1.Pod, message string) *corev1.Pod {
	p.Spec.NodeName, p.Status.Phase, p.Status.ContainerStatuses, p.Status.PodIP = "", corev1.PodPending, nil, ""
	p.Status.Conditions = []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: message, LastTransitionTime: p.CreationTimestamp,
	}}
	return p
}

func (c *cluster) deployment(name, namespace string, replicas int32) {
	set := name + "-5d9f"
	labels := map[string]string{"app": name}
	yes := true
	for i := range int(replicas) {
		c.pod(namespace, fmt.Sprintf("%s-%d", set, i), fmt.Sprintf("np1-%d", i%6), "ReplicaSet", set, 9*24*time.Hour).Labels = labels
	}
	selector := &metav1.LabelSelector{MatchLabels: labels}
	c.others = append(c.others,
		&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: appsv1.DeploymentSpec{Replicas: &replicas, Selector: selector},
			Status: appsv1.DeploymentStatus{Replicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas}},
		&appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: set, OwnerReferences: []metav1.OwnerReference{{Kind: "Deployment", Name: name, Controller: &yes}}},
			Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, Selector: selector}, Status: appsv1.ReplicaSetStatus{Replicas: replicas, ReadyReplicas: replicas}})
}

func (c *cluster) daemonSet(name string, nodes int, selector map[string]string) *appsv1.DaemonSet {
	n := int32(nodes)
	d := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: name},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}},
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: selector, Containers: []corev1.Container{{Name: "main"}}}},
		},
		Status: appsv1.DaemonSetStatus{DesiredNumberScheduled: n, CurrentNumberScheduled: n, NumberReady: n, NumberAvailable: n, UpdatedNumberScheduled: n},
	}
	c.others = append(c.others, d)
	return d
}

func (c *cluster) budget(namespace, app string, desired, healthy, allowed int32) *policyv1.PodDisruptionBudget {
	least := intstr.FromInt32(desired)
	b := &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: app},
		Spec:       policyv1.PodDisruptionBudgetSpec{MinAvailable: &least, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}},
		Status:     policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: allowed, CurrentHealthy: healthy, DesiredHealthy: desired, ExpectedPods: healthy},
	}
	if allowed == 0 {
		b.Status.Conditions = []metav1.Condition{{Type: policyv1.DisruptionAllowedCondition, Status: metav1.ConditionFalse, Reason: "InsufficientPods", LastTransitionTime: ago(month)}}
	}
	c.others = append(c.others, b)
	return b
}
