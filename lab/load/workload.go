package load

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const daemons = 2 // DaemonSets in kube-system

func (p plan) set(i int) (namespaceName, name string) {
	return namespace(i), fmt.Sprintf("service-%05d-6d4b75cb6d", i)
}

func daemon(i int) string { return fmt.Sprintf("agent-%d", i%daemons) }

func (p plan) workloads(yield func(record) bool) bool {
	for i := range p.sets + p.old {
		if !yield(p.replicaSet(i)) {
			return false
		}
	}
	for i := range daemons {
		if !yield(p.daemonSet(i)) {
			return false
		}
	}
	return true
}

func (p plan) replicaSet(i int) record {
	ns, name := p.set(i)
	replicas := int32(podsPerSet)
	if i >= p.sets {
		replicas = 0
	}
	template := p.template(i)
	rs := &appsv1.ReplicaSet{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "ReplicaSet"}, ObjectMeta: meta(ns, name, p.time(10*day)),
		Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: template.Labels}, Template: template},
		Status: appsv1.ReplicaSetStatus{Replicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas, FullyLabeledReplicas: replicas,
			ObservedGeneration: 1},
	}
	rs.Generation, rs.Labels = 1, template.Labels
	rs.Annotations = map[string]string{"deployment.kubernetes.io/desired-replicas": "10", "deployment.kubernetes.io/revision": "3"}
	rs.ManagedFields = managed(p.now, setFields)
	return record{"/registry/replicasets/" + ns + "/" + name, rs}
}

func (p plan) daemonSet(i int) record {
	template := p.daemonTemplate(i)
	n := int32(p.Nodes)
	ds := &appsv1.DaemonSet{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"}, ObjectMeta: meta(metav1.NamespaceSystem, daemon(i), p.time(20*day)),
		Spec: appsv1.DaemonSetSpec{Selector: &metav1.LabelSelector{MatchLabels: template.Labels}, Template: template,
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}},
		Status: appsv1.DaemonSetStatus{DesiredNumberScheduled: n, CurrentNumberScheduled: n, NumberReady: n, NumberAvailable: n,
			UpdatedNumberScheduled: n, ObservedGeneration: 1},
	}
	ds.Generation = 1
	return record{"/registry/daemonsets/" + ds.Namespace + "/" + ds.Name, ds}
}

// budgets creates PodDisruptionBudgets for ReplicaSets, one for each, as many as there are nodes.
func (p plan) budgets(yield func(record) bool) bool {
	for i := range min(p.Nodes, p.sets) {
		ns, name := p.set(i)
		one := intstr.FromInt32(1)
		b := &policyv1.PodDisruptionBudget{
			TypeMeta: metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"}, ObjectMeta: meta(ns, name, p.time(10*day)),
			Spec: policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &one, Selector: &metav1.LabelSelector{MatchLabels: p.template(i).Labels}},
			Status: policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: 1, CurrentHealthy: podsPerSet, DesiredHealthy: podsPerSet - 1,
				ExpectedPods: podsPerSet, ObservedGeneration: 1},
		}
		b.Generation = 1
		b.ManagedFields = managed(p.now, budgetFields)
		if !yield(record{"/registry/poddisruptionbudgets/" + ns + "/" + name, b}) {
			return false
		}
	}
	return true
}

func owner(apiVersion, kind, namespace, name string) []metav1.OwnerReference {
	yes := true
	return []metav1.OwnerReference{{APIVersion: apiVersion, Kind: kind, Name: name, UID: uid(namespace + "/" + name), Controller: &yes, BlockOwnerDeletion: &yes}}
}
