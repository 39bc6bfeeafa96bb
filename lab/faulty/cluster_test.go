//go:build unix

package faulty_test

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
)

// The cluster is healthy: every command finds no problem, and every referenced object exists. There are at least three
// objects of every kind that is read, so that lists have three pages.
var nodes = []string{"w1", "w2", "w3", "w4"}

const pool = "main"

// cluster builds the objects. No component runs in it: the objects are written with their status.
type cluster struct {
	now     time.Time
	objects []runtime.Object
	started int // pods, assigned to the nodes in turn
}

func (c *cluster) ago(d time.Duration) metav1.Time { return metav1.NewTime(c.now.Add(-d)) }

const day = 24 * time.Hour

// born is the creation time of all objects.
var born = metav1.NewTime(time.Now().Add(-10 * day).Truncate(time.Second))

// put adds an object with the kind of its type.
func (c *cluster) put(o runtime.Object, namespace, name string) {
	kinds, _, err := scheme.Scheme.ObjectKinds(o)
	if err != nil {
		panic(err)
	}
	o.GetObjectKind().SetGroupVersionKind(kinds[0])
	m, err := apimeta.Accessor(o)
	if err != nil {
		panic(err)
	}
	m.SetNamespace(namespace)
	m.SetName(name)
	m.SetGeneration(1)
	m.SetUID(types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", len(c.objects)+1)))
	m.SetCreationTimestamp(born)
	c.objects = append(c.objects, o)
}

// newCluster creates all objects except the heartbeats.
func newCluster(now time.Time) []runtime.Object {
	c := &cluster{now: now.Truncate(time.Second)}
	c.put(&corev1.Namespace{Status: corev1.NamespaceStatus{Phase: corev1.NamespaceActive}}, "", "shop")
	c.put(&corev1.Namespace{Status: corev1.NamespaceStatus{Phase: corev1.NamespaceActive}}, "", "hooks")
	for _, name := range []string{"kube-proxy", "network", "storage"} {
		c.daemonSet(name)
	}
	for _, name := range []string{"coredns", "metrics-server", "autoscaler"} {
		c.deployment(metav1.NamespaceSystem, name)
	}
	for _, name := range []string{"web", "api", "cart"} {
		c.deployment("shop", name)
		c.replicationController("old-" + name)
		c.job("import-" + name)
		c.statefulSet("db-" + name)
	}
	c.storage()
	c.certificates()
	c.admission()
	c.events()
	return c.objects
}

// heartbeats are the objects that kubelets and controllers renew.
func heartbeats(now time.Time) []runtime.Object {
	c := &cluster{now: now}
	for i, name := range nodes {
		c.node(i, name)
		c.lease(corev1.NamespaceNodeLease, name)
	}
	for _, name := range []string{"kube-controller-manager", "kube-scheduler", "cloud-controller-manager"} {
		c.lease(metav1.NamespaceSystem, name)
	}
	return c.objects
}

func (c *cluster) node(i int, name string) {
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse("32Gi"),
		corev1.ResourcePods: resource.MustParse("110"), corev1.ResourceEphemeralStorage: resource.MustParse("120Gi"),
	}
	n := &corev1.Node{Status: corev1.NodeStatus{
		Capacity: room, Allocatable: room,
		Addresses:       []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: fmt.Sprintf("127.1.0.%d", i+4)}, {Type: corev1.NodeHostName, Address: name}},
		DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: 10250}},
		NodeInfo: corev1.NodeSystemInfo{
			MachineID: "machine-" + name, SystemUUID: "system-" + name, BootID: "boot-" + name, KernelVersion: "6.8.0-60-generic", OSImage: "Ubuntu 24.04.2 LTS",
			ContainerRuntimeVersion: "containerd://2.1.3", KubeletVersion: "v1.36.3", OperatingSystem: "linux", Architecture: "amd64",
		},
	}}
	for _, kind := range []corev1.NodeConditionType{corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure, corev1.NodeReady} {
		is, reason := corev1.ConditionFalse, "KubeletHasNo"+string(kind)
		if kind == corev1.NodeReady {
			is, reason = corev1.ConditionTrue, "KubeletReady"
		}
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{
			Type: kind, Status: is, Reason: reason, LastHeartbeatTime: c.ago(0), LastTransitionTime: born,
		})
	}
	c.put(n, "", name)
	n.UID = types.UID("node-" + name)
	n.Labels = map[string]string{
		"pool": pool, "kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
		"topology.kubernetes.io/zone": fmt.Sprintf("zone-%d", i%2), "topology.kubernetes.io/region": "here",
	}
	n.Spec.ProviderID = "metal3://" + name
}

// pods creates the replicas of the template, each with its claims.
func (c *cluster) pods(n int, of appsv1.DeploymentSpec, owner runtime.Object, kind, namespace, name string) {
	m, _ := apimeta.Accessor(owner)
	for i := range n {
		pod := &corev1.Pod{Spec: *of.Template.Spec.DeepCopy()}
		podName := fmt.Sprintf("%s-x%04d", name, i)
		if kind == "StatefulSet" {
			podName = fmt.Sprintf("%s-%d", name, i)
			pod.Spec.Hostname = podName
			pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "data", VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data-" + podName}}})
			pod.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "data", MountPath: "/data"}}
		}
		c.put(pod, namespace, podName)
		pod.Labels = of.Template.Labels
		api, kind := owner.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
		yes := true
		pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: api, Kind: kind, Name: m.GetName(), UID: m.GetUID(), Controller: &yes, BlockOwnerDeletion: &yes}}
		at := c.started
		if kind == "DaemonSet" {
			at = i
		} else {
			c.started++
		}
		c.run(pod, at%len(nodes))
		if kind == "StatefulSet" {
			c.claim(namespace, "data-"+podName, nodes[at%len(nodes)])
		}
	}
}

// run gives the pod the status of a running pod on that node.
func (c *cluster) run(pod *corev1.Pod, node int) {
	pod.Spec.NodeName = nodes[node]
	started, yes := c.ago(9*day), true
	pod.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, QOSClass: corev1.PodQOSBurstable, StartTime: &started,
		HostIP: fmt.Sprintf("127.1.0.%d", node+4), PodIP: fmt.Sprintf("10.64.%d.%d", node, len(c.objects)%250+1),
		ContainerStatuses: []corev1.ContainerStatus{{
			Name: "app", Ready: true, Started: &yes, Image: "registry.example.com/app:1", ImageID: "registry.example.com/app@sha256:" + fmt.Sprintf("%064d", 7),
			ContainerID: "containerd://" + fmt.Sprintf("%064d", len(c.objects)), State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}},
		}},
	}
	pod.Status.HostIPs, pod.Status.PodIPs = []corev1.HostIP{{IP: pod.Status.HostIP}}, []corev1.PodIP{{IP: pod.Status.PodIP}}
	for _, kind := range []corev1.PodConditionType{corev1.PodReadyToStartContainers, corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady, corev1.PodScheduled} {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: started})
	}
}

// template returns the template of a small application.
func template(app string) (corev1.PodTemplateSpec, *metav1.LabelSelector) {
	grace, seconds, zero := int64(5), int64(300), int32(0)
	labels := map[string]string{"app": app}
	t := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyAlways, DNSPolicy: corev1.DNSClusterFirst, SchedulerName: corev1.DefaultSchedulerName,
		TerminationGracePeriodSeconds: &grace, ServiceAccountName: "default", SecurityContext: &corev1.PodSecurityContext{}, Priority: &zero,
		Containers: []corev1.Container{{
			Name: "app", Image: "registry.example.com/app:1", ImagePullPolicy: corev1.PullIfNotPresent,
			TerminationMessagePath: corev1.TerminationMessagePathDefault, TerminationMessagePolicy: corev1.TerminationMessageReadFile,
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("50m"), corev1.ResourceMemory: resource.MustParse("64Mi")}},
		}},
	}}
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		t.Spec.Tolerations = append(t.Spec.Tolerations, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds})
	}
	return t, &metav1.LabelSelector{MatchLabels: labels}
}

const replicas = 3

func (c *cluster) deployment(namespace, name string) {
	n, t, selector := int32(replicas), corev1.PodTemplateSpec{}, &metav1.LabelSelector{}
	t, selector = template(name)
	quarter := intstr.FromString("25%")
	d := &appsv1.Deployment{
		Spec: appsv1.DeploymentSpec{Replicas: &n, Selector: selector, Template: t, Strategy: appsv1.DeploymentStrategy{
			Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &quarter, MaxUnavailable: &quarter}}},
		Status: appsv1.DeploymentStatus{ObservedGeneration: 1, Replicas: n, UpdatedReplicas: n, ReadyReplicas: n, AvailableReplicas: n, Conditions: []appsv1.DeploymentCondition{
			{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue, Reason: "MinimumReplicasAvailable", LastUpdateTime: c.ago(9 * day), LastTransitionTime: c.ago(9 * day)},
		}},
	}
	c.put(d, namespace, name)
	s := &appsv1.ReplicaSet{
		Spec:   appsv1.ReplicaSetSpec{Replicas: &n, Selector: selector, Template: t},
		Status: appsv1.ReplicaSetStatus{ObservedGeneration: 1, Replicas: n, FullyLabeledReplicas: n, ReadyReplicas: n, AvailableReplicas: n},
	}
	c.put(s, namespace, name+"-7d9c8b6f5")
	yes := true
	s.Labels = t.Labels
	s.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: name, UID: d.UID, Controller: &yes, BlockOwnerDeletion: &yes}}
	c.pods(replicas, appsv1.DeploymentSpec{Template: t}, s, "ReplicaSet", namespace, name+"-7d9c8b6f5")
	one := intstr.FromInt32(1)
	c.put(&policyv1.PodDisruptionBudget{
		Spec: policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &one, Selector: selector},
		Status: policyv1.PodDisruptionBudgetStatus{ObservedGeneration: 1, DisruptionsAllowed: 1, CurrentHealthy: n, DesiredHealthy: n - 1, ExpectedPods: n,
			Conditions: []metav1.Condition{{Type: policyv1.DisruptionAllowedCondition, Status: metav1.ConditionTrue, Reason: policyv1.SufficientPodsReason, LastTransitionTime: c.ago(9 * day)}}},
	}, namespace, name)
}

func (c *cluster) daemonSet(name string) {
	n := int32(len(nodes))
	t, selector := template(name)
	critical := int32(2000001000)
	t.Spec.PriorityClassName, t.Spec.Priority = "system-node-critical", &critical
	t.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	one := intstr.FromInt32(1)
	d := &appsv1.DaemonSet{
		Spec: appsv1.DaemonSetSpec{Selector: selector, Template: t, UpdateStrategy: appsv1.DaemonSetUpdateStrategy{
			Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &one}}},
		Status: appsv1.DaemonSetStatus{ObservedGeneration: 1, DesiredNumberScheduled: n, CurrentNumberScheduled: n, NumberReady: n, NumberAvailable: n, UpdatedNumberScheduled: n},
	}
	c.put(d, metav1.NamespaceSystem, name)
	c.pods(len(nodes), appsv1.DeploymentSpec{Template: t}, d, "DaemonSet", metav1.NamespaceSystem, name)
}

func (c *cluster) statefulSet(name string) {
	n := int32(replicas)
	t, selector := template(name)
	s := &appsv1.StatefulSet{
		Spec: appsv1.StatefulSetSpec{Replicas: &n, Selector: selector, Template: t, ServiceName: name, PodManagementPolicy: appsv1.OrderedReadyPodManagement,
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}, Spec: c.claimSpec()}}},
		Status: appsv1.StatefulSetStatus{ObservedGeneration: 1, Replicas: n, ReadyReplicas: n, CurrentReplicas: n, UpdatedReplicas: n, AvailableReplicas: n},
	}
	c.put(s, "shop", name)
	c.pods(replicas, appsv1.DeploymentSpec{Template: t}, s, "StatefulSet", "shop", name)
}

func (c *cluster) replicationController(name string) {
	n := int32(replicas)
	t, selector := template(name)
	r := &corev1.ReplicationController{
		Spec:   corev1.ReplicationControllerSpec{Replicas: &n, Selector: selector.MatchLabels, Template: &t},
		Status: corev1.ReplicationControllerStatus{ObservedGeneration: 1, Replicas: n, FullyLabeledReplicas: n, ReadyReplicas: n, AvailableReplicas: n},
	}
	c.put(r, "shop", name)
	c.pods(replicas, appsv1.DeploymentSpec{Template: t}, r, "ReplicationController", "shop", name)
}

func (c *cluster) job(name string) {
	one, started := int32(1), c.ago(time.Hour)
	t, selector := template(name)
	t.Spec.RestartPolicy = corev1.RestartPolicyOnFailure
	j := &batchv1.Job{
		Spec:   batchv1.JobSpec{Parallelism: &one, Completions: &one, BackoffLimit: &one, Selector: selector, Template: t},
		Status: batchv1.JobStatus{Active: 1, Ready: &one, StartTime: &started},
	}
	c.put(j, "shop", name)
	c.pods(1, appsv1.DeploymentSpec{Template: t}, j, "Job", "shop", name)
}

// write stores the cluster and renews its heartbeats until the context ends.
func write(ctx context.Context) (wait func(), err error) {
	if err := store.Put(ctx, newCluster(time.Now())...); err != nil {
		return nil, err
	}
	if err := store.Put(ctx, heartbeats(time.Now())...); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for tick := time.NewTicker(2 * time.Second); ; {
			select {
			case <-tick.C:
				_ = store.Put(context.WithoutCancel(ctx), heartbeats(time.Now())...) // the next one compensates for a failure
			case <-ctx.Done():
				tick.Stop()
				return
			}
		}
	}()
	return func() { <-done }, nil
}
