package load

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func (p plan) pods(yield func(record) bool) bool {
	for i := range p.Pods {
		pod := p.pod(i)
		if !yield(record{"/registry/pods/" + pod.Namespace + "/" + pod.Name, pod}) {
			return false
		}
	}
	return true
}

// pod returns the i-th pod. Pod i runs on node i modulo the number of nodes, so every node has the same number.
func (p plan) pod(i int) *corev1.Pod {
	onNode := i % max(p.Nodes, 1)
	var pod *corev1.Pod
	if i < p.Pods/podsPerDaemon {
		which := i / max(p.Nodes, 1)
		pod = p.running(p.daemonTemplate(which), metav1.NamespaceSystem, fmt.Sprintf("%s-%05x", daemon(which), i), onNode)
		pod.OwnerReferences = owner("apps/v1", "DaemonSet", metav1.NamespaceSystem, daemon(which))
		return pod
	}
	set := (i - p.Pods/podsPerDaemon) / podsPerSet
	ns, name := p.set(set)
	pod = p.running(p.template(set), ns, fmt.Sprintf("%s-%05x", name, i), onNode)
	pod.OwnerReferences = owner("apps/v1", "ReplicaSet", ns, name)
	return pod
}

// running returns a running and ready pod of the template, with the fields that admission and kubelet add.
func (p plan) running(template corev1.PodTemplateSpec, ns, name string, onNode int) *corev1.Pod {
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: meta(ns, name, p.time(5*day)), Spec: template.Spec}
	pod.Labels, pod.ManagedFields = template.Labels, managed(p.now, podFields)
	pod.Spec.NodeName = p.node(onNode)
	token := "kube-api-access-" + name[len(name)-5:]
	pod.Spec.Volumes = append(append([]corev1.Volume{}, pod.Spec.Volumes...), corev1.Volume{Name: token, VolumeSource: tokenSource()})
	pod.Spec.Containers = append([]corev1.Container{}, pod.Spec.Containers...)
	started := p.time(5 * day)
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		c.VolumeMounts = append(append([]corev1.VolumeMount{}, c.VolumeMounts...),
			corev1.VolumeMount{Name: token, ReadOnly: true, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount"})
		yes := true
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Ready: true, Started: &yes, Image: c.Image, ImageID: c.Image + "@sha256:" + strings.Repeat("cd", 32),
			ContainerID: "containerd://" + strings.Repeat("ef", 32), State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}},
		})
	}
	pod.Status.Phase, pod.Status.QOSClass, pod.Status.StartTime = corev1.PodRunning, corev1.PodQOSBurstable, &started
	pod.Status.HostIP, pod.Status.PodIP = address(onNode), fmt.Sprintf("10.%d.%d.7", 64+onNode/256, onNode%256)
	pod.Status.HostIPs, pod.Status.PodIPs = []corev1.HostIP{{IP: pod.Status.HostIP}}, []corev1.PodIP{{IP: pod.Status.PodIP}}
	for _, typ := range []corev1.PodConditionType{"PodReadyToStartContainers", corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady, corev1.PodScheduled} {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: typ, Status: corev1.ConditionTrue, LastTransitionTime: started})
	}
	return pod
}

// template returns the template of a web service: one container with a probe and environment variables, and a sidecar
// in every third.
func (p plan) template(set int) corev1.PodTemplateSpec {
	app := fmt.Sprintf("service-%05d", set)
	c := corev1.Container{
		Name: "app", Image: "registry.example.com/team/" + app + ":1.14.2", ImagePullPolicy: corev1.PullIfNotPresent,
		Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}},
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("128Mi")},
			Limits:   corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("256Mi")},
		},
		ReadinessProbe: &corev1.Probe{
			ProbeHandler:  corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/ready", Port: intstr.FromString("http"), Scheme: corev1.URISchemeHTTP}},
			PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3,
		},
		TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: corev1.TerminationMessageReadFile,
	}
	for k := range 8 {
		c.Env = append(c.Env, corev1.EnvVar{Name: fmt.Sprintf("SETTING_%d", k), Value: fmt.Sprintf("value-%d-of-%s", k, app)})
	}
	containers := []corev1.Container{c}
	if set%3 == 0 {
		containers = append(containers, corev1.Container{
			Name: "proxy", Image: "registry.example.com/mesh/proxy:1.22", ImagePullPolicy: corev1.PullIfNotPresent,
			TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		})
	}
	return podTemplate(map[string]string{"app": app, "pod-template-hash": "6d4b75cb6d", "team": namespace(set)}, containers)
}

func (p plan) daemonTemplate(i int) corev1.PodTemplateSpec {
	t := podTemplate(map[string]string{"k8s-app": daemon(i)}, []corev1.Container{{
		Name: "agent", Image: "registry.example.com/oss/" + daemon(i) + ":v1", ImagePullPolicy: corev1.PullIfNotPresent,
		TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: corev1.TerminationMessageReadFile,
	}})
	t.Spec.HostNetwork, t.Spec.PriorityClassName = true, "system-node-critical"
	critical := int32(2000001000)
	t.Spec.Priority = &critical
	t.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	return t
}

func podTemplate(labels map[string]string, containers []corev1.Container) corev1.PodTemplateSpec {
	grace, seconds, zero, yes := int64(30), int64(300), int32(0), true
	preempt := corev1.PreemptLowerPriority
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: labels},
		Spec: corev1.PodSpec{
			Containers: containers, RestartPolicy: corev1.RestartPolicyAlways, DNSPolicy: corev1.DNSClusterFirst, SchedulerName: "default-scheduler",
			TerminationGracePeriodSeconds: &grace, ServiceAccountName: "default", DeprecatedServiceAccount: "default",
			SecurityContext: &corev1.PodSecurityContext{}, Priority: &zero, EnableServiceLinks: &yes, PreemptionPolicy: &preempt,
			Tolerations: []corev1.Toleration{
				{Key: "node.kubernetes.io/not-ready", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds},
				{Key: "node.kubernetes.io/unreachable", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds},
			},
		},
	}
}

func tokenSource() corev1.VolumeSource {
	seconds, mode := int64(3607), int32(0o644)
	return corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{DefaultMode: &mode, Sources: []corev1.VolumeProjection{
		{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{ExpirationSeconds: &seconds, Path: "token"}},
		{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"},
			Items: []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}}}},
		{DownwardAPI: &corev1.DownwardAPIProjection{Items: []corev1.DownwardAPIVolumeFile{
			{Path: "namespace", FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.namespace"}}}}},
	}}}
}
