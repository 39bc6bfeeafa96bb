//go:build unix

package conformance

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/lab/hollow"
)

// Load is a workload of a scenario.
type Load struct {
	Kind kind
	Name string
	N    int32 // replicas, or the pods of a Job
	// Everywhere lets the scheduler choose among all nodes; otherwise the pods start on the nodes that go down.
	Everywhere bool

	Tolerations []corev1.Toleration
	Grace       int64  // terminationGracePeriodSeconds; 0: the default
	Stops       string // time that its processes take to stop
	Finalizer   bool
	Parallel    bool                         // a StatefulSet
	Class       string                       // the priority class of the pods
	InZone      bool                         // the pods select the first zone
	Together    bool                         // the pods have zone affinity to each other
	Spread      string                       // topology key of a spread with maxSkew 1; "": none
	Unplaced    int32                        // pods that are Pending from the start
	Replacement batchv1.PodReplacementPolicy // of a Job
	Backoff     int32                        // of a Job; -1: none is left
	MinHealthy  int32                        // minAvailable of a PodDisruptionBudget; 0: none
	Alone       bool                         // at most one pod per node
	Volume      volume
	Done        bool // its pods ended before the event
}

type kind string

const (
	deployment  kind = "Deployment"
	replicaSet  kind = "ReplicaSet"
	statefulSet kind = "StatefulSet"
	daemonSet   kind = "DaemonSet"
	job         kind = "Job"
	naked       kind = "Pod"
	static      kind = "static Pod"
)

const (
	scenarioLabel = "lab.nodetriage.dev/scenario"
	finalizer     = "lab.nodetriage.dev/hold"
	image         = "registry.example.com/app"
)

// tolerate returns a toleration of NoExecute taints; seconds below 0: unlimited. An empty key: all taints.
func tolerate(key string, seconds int64) corev1.Toleration {
	t := corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}
	if seconds >= 0 {
		t.TolerationSeconds = &seconds
	}
	return t
}

// lost returns the tolerations of both taints of a failed node.
func lost(seconds int64) []corev1.Toleration {
	return []corev1.Toleration{tolerate(corev1.TaintNodeNotReady, seconds), tolerate(corev1.TaintNodeUnreachable, seconds)}
}

// template returns the pod template.
func (l *Load) template(s *stage) corev1.PodTemplateSpec {
	labels := map[string]string{"app": l.Name}
	t := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{
		Containers:   []corev1.Container{{Name: "app", Image: image}},
		NodeSelector: map[string]string{scenarioLabel: s.Name}, Tolerations: l.Tolerations,
	}}
	if l.Grace > 0 {
		t.Spec.TerminationGracePeriodSeconds = &l.Grace
	}
	if l.Stops != "" {
		t.Annotations = map[string]string{hollow.StopsAfter: l.Stops}
	}
	if l.Finalizer {
		t.Finalizers = []string{finalizer}
	}
	if l.Volume.Name != "" {
		t.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: l.Volume.Name},
		}}}
	}
	term := corev1.PodAffinityTerm{LabelSelector: &metav1.LabelSelector{MatchLabels: labels}, TopologyKey: corev1.LabelHostname}
	apart := &corev1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{Weight: 100, PodAffinityTerm: term}}}
	if l.Alone {
		apart = &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term}}
	}
	t.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: apart}
	t.Spec.PriorityClassName = l.Class
	l.constrain(&t.Spec, s.Name)
	return t
}

// constrain adds the zone and spread constraints of the pods.
func (l *Load) constrain(spec *corev1.PodSpec, zone string) {
	own := &metav1.LabelSelector{MatchLabels: map[string]string{"app": l.Name}}
	if l.InZone {
		spec.NodeSelector[corev1.LabelTopologyZone] = zone
	}
	if l.Together {
		spec.Affinity.PodAffinity = &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
			{LabelSelector: own, TopologyKey: corev1.LabelTopologyZone},
		}}
	}
	if l.Spread != "" {
		spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: l.Spread, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: own,
		}}
	}
}

// create creates the objects of the load.
func (l *Load) create(ctx context.Context, s *stage) error {
	if err := l.Volume.create(ctx, s); err != nil {
		return err
	}
	if l.MinHealthy > 0 {
		least := intstr.FromInt32(l.MinHealthy)
		_, err := s.client.PolicyV1().PodDisruptionBudgets(s.Name).Create(ctx, &policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Name: l.Name},
			Spec:       policyv1.PodDisruptionBudgetSpec{MinAvailable: &least, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": l.Name}}},
		}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
	}
	meta, template := metav1.ObjectMeta{Name: l.Name, Namespace: s.Name}, l.template(s)
	selector := &metav1.LabelSelector{MatchLabels: template.Labels}
	opt := metav1.CreateOptions{}
	var err error
	switch l.Kind {
	case deployment:
		_, err = s.client.AppsV1().Deployments(s.Name).Create(ctx, &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{
			Replicas: &l.N, Selector: selector, Template: template,
		}}, opt)
	case replicaSet:
		_, err = s.client.AppsV1().ReplicaSets(s.Name).Create(ctx, &appsv1.ReplicaSet{ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{
			Replicas: &l.N, Selector: selector, Template: template,
		}}, opt)
	case statefulSet:
		set := &appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Replicas: &l.N, Selector: selector, Template: template}}
		if l.Parallel {
			set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
		}
		_, err = s.client.AppsV1().StatefulSets(s.Name).Create(ctx, set, opt)
	case daemonSet:
		_, err = s.client.AppsV1().DaemonSets(s.Name).Create(ctx, &appsv1.DaemonSet{ObjectMeta: meta, Spec: appsv1.DaemonSetSpec{
			Selector: selector, Template: template,
		}}, opt)
	case job:
		template.Spec.RestartPolicy = corev1.RestartPolicyNever
		j := &batchv1.Job{ObjectMeta: meta, Spec: batchv1.JobSpec{Parallelism: &l.N, Completions: &l.N, Template: template}}
		if l.Replacement != "" {
			j.Spec.PodReplacementPolicy = &l.Replacement
		}
		if l.Backoff != 0 {
			left := max(l.Backoff, 0)
			j.Spec.BackoffLimit = &left
		}
		_, err = s.client.BatchV1().Jobs(s.Name).Create(ctx, j, opt)
	default:
		for i, node := range s.down {
			err = errors.Join(err, l.single(ctx, s, fmt.Sprintf("%s-%d", l.Name, i), node))
		}
	}
	if err != nil {
		return fmt.Errorf("create %s %s/%s: %w", l.Kind, s.Name, l.Name, err)
	}
	return nil
}

// single creates a pod without a workload on the node.
func (l *Load) single(ctx context.Context, s *stage, name, node string) error {
	template := l.template(s)
	pod := &corev1.Pod{ObjectMeta: template.ObjectMeta, Spec: template.Spec}
	pod.Name, pod.Spec.NodeName, pod.Spec.RestartPolicy = name, node, corev1.RestartPolicyNever
	if l.Kind == static {
		n, err := s.client.CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
		if err != nil {
			return err
		}
		yes := true
		pod.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "1"}
		pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: node, UID: n.UID, Controller: &yes}}
		pod.Spec.Tolerations = []corev1.Toleration{tolerate("", -1)}
	}
	_, err := s.client.CoreV1().Pods(s.Name).Create(ctx, pod, metav1.CreateOptions{})
	return err
}
