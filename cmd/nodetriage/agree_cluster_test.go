package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// noon is when the evidence of random clusters is taken.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// maker generates one random cluster with complete evidence.
type maker struct {
	*rand.Rand
	d evidence.Data
}

// randomCluster is small, and has some of everything that commands must agree about: nodes that are unreachable, NotReady,
// cordoned or tainted, pods of every kind of owner, tolerations of every kind, and PodDisruptionBudgets whose status matches
// their pods.
func randomCluster(seed uint64) *evidence.Snapshot {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 1))}
	m.d.TakenAt, m.d.Source, m.d.Server.Version = noon, evidence.Source{Kind: "file"}, "v1.36.3"
	m.d.Coverage = map[evidence.Kind]evidence.Coverage{}
	for _, k := range []evidence.Kind{evidence.Nodes, evidence.Leases, evidence.Pods, evidence.Events, evidence.PDBs, evidence.Workloads, evidence.Webhooks, evidence.Policies, evidence.Mutations} {
		m.d.Coverage[k] = evidence.Complete
	}
	for i := range 1 + m.IntN(4) {
		m.node(i)
	}
	for i := range 1 + m.IntN(4) {
		m.workload(i)
	}
	for i := range m.IntN(3) {
		m.budget(i)
	}
	return evidence.New(m.d)
}

// one returns true once in n times.
func (m *maker) one(n int) bool { return m.IntN(n) == 0 }

func (m *maker) node(i int) {
	name := fmt.Sprintf("w%d", i)
	room := corev1.ResourceList{"cpu": *resource.NewQuantity(1+m.Int64N(4), resource.DecimalSI), "memory": resource.MustParse("8Gi"), "pods": resource.MustParse("10")}
	n := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(noon.Add(-240 * time.Hour)), Labels: map[string]string{
			corev1.LabelHostname: name, corev1.LabelTopologyZone: fmt.Sprint("z", m.IntN(2)), "agentpool": "p"}},
		Status: corev1.NodeStatus{Allocatable: room, Capacity: room, NodeInfo: corev1.NodeSystemInfo{KubeletVersion: "v1.36.3"}},
	}
	if m.one(3) {
		n.Labels["disk"] = "ssd"
	}
	if m.one(6) {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: "gpu", Value: "5", Effect: corev1.TaintEffectNoSchedule})
	}
	if m.one(8) {
		n.Spec.Unschedulable = true
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
	}
	ready, since, beat := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue}, noon.Add(-100*time.Hour), noon.Add(-time.Duration(m.IntN(10))*time.Second)
	switch m.IntN(8) {
	case 0:
		ready.Status, ready.Reason, since = corev1.ConditionUnknown, "NodeStatusUnknown", noon.Add(-time.Duration(60+m.IntN(600))*time.Second)
		beat = since.Add(-50 * time.Second)
		down(n, corev1.TaintNodeUnreachable, since)
	case 1:
		ready.Status, ready.Reason, since = corev1.ConditionFalse, "KubeletNotReady", noon.Add(-time.Duration(60+m.IntN(600))*time.Second)
		ready.Message = []string{"container runtime is down", "container runtime network not ready: NetworkReady=false"}[m.IntN(2)]
		down(n, corev1.TaintNodeNotReady, since)
	}
	ready.LastTransitionTime, ready.LastHeartbeatTime = metav1.NewTime(since), metav1.NewTime(beat)
	n.Status.Conditions = []corev1.NodeCondition{ready}
	m.d.Nodes = append(m.d.Nodes, &evidence.Node{Node: n})
	m.d.Leases = append(m.d.Leases, &evidence.Lease{Namespace: corev1.NamespaceNodeLease, Name: name, Renewed: beat, Duration: 40 * time.Second})
}

// down gives the node the taints of a dead node.
func down(n *corev1.Node, key string, since time.Time) {
	added := metav1.NewTime(since)
	n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule, TimeAdded: &added},
		corev1.Taint{Key: key, Effect: corev1.TaintEffectNoExecute, TimeAdded: &added})
}

func (m *maker) spec() *corev1.PodSpec {
	s := &corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "app", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{"cpu": *resource.NewMilliQuantity(100*(1+m.Int64N(12)), resource.DecimalSI)}}}}}
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		t := corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}
		switch m.IntN(8) {
		case 0: // forever
		case 1:
			t.TolerationSeconds = new(int64)
		default:
			seconds := int64(300)
			t.TolerationSeconds = &seconds
		}
		if !m.one(10) {
			s.Tolerations = append(s.Tolerations, t)
		}
	}
	switch m.IntN(12) {
	case 0:
		s.Tolerations = append(s.Tolerations, corev1.Toleration{Operator: corev1.TolerationOpExists})
	case 1:
		s.Tolerations = append(s.Tolerations, corev1.Toleration{Key: "gpu", Operator: corev1.TolerationOpGt, Value: fmt.Sprint(4 + m.IntN(2))})
	}
	if m.one(6) {
		s.NodeSelector = map[string]string{"disk": "ssd"}
	}
	if m.one(10) {
		s.Volumes = []corev1.Volume{{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}
	}
	if m.one(6) {
		grace := []int64{0, 600, 10_000_000_000}[m.IntN(3)]
		s.TerminationGracePeriodSeconds = &grace
	}
	return s
}

var owners = []string{"ReplicaSet", "ReplicaSet", "ReplicaSet", "StatefulSet", "Job", "DaemonSet", "Cluster", ""}

func (m *maker) workload(i int) {
	name, kind, spec := fmt.Sprintf("app%d", i), owners[m.IntN(len(owners))], m.spec()
	w := &evidence.Workload{Kind: kind, Namespace: "shop", Name: name, UID: name, Replicas: 1 + m.IntN(3), Template: spec, TemplateLabels: map[string]string{"app": name}}
	owner := evidence.Owner{Kind: kind, Name: name, UID: name}
	switch kind {
	case "":
		owner = evidence.Owner{}
	case "Cluster": // an operator's, which was not read
	default:
		m.d.Workloads = append(m.d.Workloads, w)
	}
	if kind == "DaemonSet" {
		spec.Tolerations = mechanics.DaemonTolerations(spec)
		w.Replicas = len(m.d.Nodes)
	}
	for n := range w.Replicas {
		on := m.d.Nodes[m.IntN(len(m.d.Nodes))]
		if kind == "DaemonSet" {
			on = m.d.Nodes[n]
		}
		p := &evidence.Pod{
			Namespace: "shop", Name: fmt.Sprintf("%s-%d", name, n), UID: fmt.Sprintf("%s-%d", name, n), Node: on.Name, Labels: map[string]string{"app": name}, Owner: owner, Spec: spec,
			Phase: corev1.PodRunning, Status: "Running", Ready: evidence.Known(!on.NotReady() && !m.one(8)), ReadyCount: 1, Total: 1,
			Created: noon.Add(-time.Duration(1+m.IntN(100_000)) * time.Second),
		}
		if p.Ready == evidence.False {
			p.ReadyCount = 0
		}
		p.ReadySince = p.Created.Add(5 * time.Second)
		m.d.Pods = append(m.d.Pods, p)
	}
}

// budget selects the pods of one workload. Two may select the same.
func (m *maker) budget(i int) {
	if len(m.d.Workloads) == 0 {
		return
	}
	w := m.d.Workloads[m.IntN(len(m.d.Workloads))]
	if !mechanics.Scales(w.Kind) {
		return
	}
	b := &evidence.PDB{PodDisruptionBudget: &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("budget", i), Generation: 1}}}
	b.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": w.Name}}
	bound := []intstr.IntOrString{intstr.FromInt32(0), intstr.FromInt32(1), intstr.FromInt32(2), intstr.FromString("50%")}[m.IntN(4)]
	if m.one(2) {
		b.Spec.MinAvailable = &bound
	} else {
		b.Spec.MaxUnavailable = &bound
	}
	st := &b.Status
	st.ObservedGeneration, st.ExpectedPods, st.DesiredHealthy = 1, int32(w.Replicas), int32(mechanics.DesiredHealthy(b, w.Replicas))
	for _, p := range m.d.Pods {
		if p.Owner.Name == w.Name && mechanics.Healthy(b, p) {
			st.CurrentHealthy++
		}
	}
	st.DisruptionsAllowed = max(0, st.CurrentHealthy-st.DesiredHealthy)
	m.d.PDBs = append(m.d.PDBs, b)
}
