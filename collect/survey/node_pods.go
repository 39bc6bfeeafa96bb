package survey

import (
	"context"
	"fmt"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// pods reads the pods of the nodes, then their controllers, PodDisruptionBudgets and volumes, and the events of unhealthy pods.
func (n *nodeSurvey) pods(ctx context.Context, attached map[string][]corev1.AttachedVolume) {
	for _, name := range n.names {
		o := list(ctx, n.survey, evidence.Pods, kube.Pods, kube.Query{
			Fields: fields.OneTermEqualSelector("spec.nodeName", name).String(), FromCache: true,
		}, nil)
		n.note(o)
		if o.err != nil {
			return // dependencies of unread pods are unknown
		}
	}
	var pods []*evidence.Pod
	n.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		for _, p := range d.Pods {
			if slices.Contains(n.names, p.Node) {
				pods = append(pods, p)
			}
		}
	})
	var wait sync.WaitGroup
	wait.Go(func() { n.owners(ctx, pods) })
	wait.Go(func() { n.budgets(ctx, pods) })
	wait.Go(func() { n.volumes(ctx, pods, attached) })
	wait.Go(func() { n.podEvents(ctx, pods) })
	wait.Wait()
}

// each runs f for the items concurrently, up to the bound. The rest becomes a gap of the kind, or of none if a sample is enough.
func each[T any](n *nodeSurvey, kind evidence.Kind, items []T, most int, what string, f func(T)) {
	if len(items) > most {
		n.builder.Incomplete(kind, fmt.Sprintf("%d further %s", len(items)-most, what), fmt.Sprintf("at most %d are read in a run for named nodes", most),
			"nodetriage diagnose without a node reads all")
		items = items[:most]
	}
	var wait sync.WaitGroup
	for _, item := range items {
		wait.Go(func() { f(item) })
	}
	wait.Wait()
}

// controllerRef is a controller and its namespace.
type controllerRef struct{ kind, namespace, name string }

// owners reads the controllers of the pods, and the Deployments of ReplicaSets. Those in kube-system are read as a list.
func (n *nodeSurvey) owners(ctx context.Context, pods []*evidence.Pod) {
	refs := map[controllerRef]bool{}
	for _, p := range pods {
		if p.Owner.Name != "" {
			refs[controllerRef{p.Owner.Kind, p.Namespace, p.Owner.Name}] = true
		}
	}
	var mu sync.Mutex
	above := map[controllerRef]bool{}
	each(n, evidence.Workloads, ordered(refs), maxOwners, "controllers of its pods", func(ref controllerRef) {
		if up := n.owner(ctx, ref); up != nil {
			mu.Lock()
			above[controllerRef{up.Kind, ref.namespace, up.Name}] = true
			mu.Unlock()
		}
	})
	each(n, evidence.Workloads, ordered(above), maxOwners, "Deployments of its pods", func(ref controllerRef) { n.owner(ctx, ref) })
}

// owner reads one controller and returns its controller. It skips kinds that no rule uses.
func (n *nodeSurvey) owner(ctx context.Context, ref controllerRef) *metav1.OwnerReference {
	if ref.namespace == metav1.NamespaceSystem && (ref.kind == "DaemonSet" || ref.kind == "Deployment") {
		return nil
	}
	switch ref.kind {
	case "ReplicaSet":
		return readOwner(ctx, n.survey, kube.ReplicaSets, ref)
	case "Deployment":
		return readOwner(ctx, n.survey, kube.Deployments, ref)
	case "StatefulSet":
		return readOwner(ctx, n.survey, kube.StatefulSets, ref)
	case "DaemonSet":
		return readOwner(ctx, n.survey, kube.DaemonSets, ref)
	case "Job":
		return readOwner(ctx, n.survey, kube.Jobs, ref)
	case "ReplicationController":
		return readOwner(ctx, n.survey, kube.ReplicationControllers, ref)
	}
	return nil
}

func readOwner[T any](ctx context.Context, s *survey, res kube.Resource[T], ref controllerRef) *metav1.OwnerReference {
	obj := readOne(ctx, s, evidence.Workloads, res, ref.namespace, ref.name)
	if obj == nil {
		return nil
	}
	var up *metav1.OwnerReference
	if m, ok := any(obj).(metav1.Object); ok {
		up = metav1.GetControllerOf(m)
	}
	add(s, evidence.Workloads, obj)
	return up
}

// budgets reads the PodDisruptionBudgets of the pods' namespaces. The API has no query for those of one pod.
func (n *nodeSurvey) budgets(ctx context.Context, pods []*evidence.Pod) {
	namespaces := map[string]bool{}
	for _, p := range pods {
		namespaces[p.Namespace] = true
	}
	var list []string
	for ns := range namespaces {
		list = append(list, ns)
	}
	slices.Sort(list)
	each(n, evidence.PDBs, list, maxNamespaces, "namespaces whose budgets concern its pods", func(ns string) {
		readList(ctx, n.survey, evidence.PDBs, kube.PDBs, kube.Query{Namespace: ns, MaxPages: maxPages}, nil)
	})
}

// podEvents reads the events of unhealthy pods.
func (n *nodeSurvey) podEvents(ctx context.Context, pods []*evidence.Pod) {
	var troubled []*evidence.Pod
	for _, p := range pods {
		if p.Deleting() || !p.Finished() && p.Ready != evidence.True {
			troubled = append(troubled, p)
		}
	}
	each(n, "", troubled, troubledPods, "pods in trouble whose events are not read", func(p *evidence.Pod) {
		n.events(ctx, p.Namespace, about("Pod", p.Name))
	})
}

func ordered(refs map[controllerRef]bool) []controllerRef {
	var out []controllerRef
	for r := range refs {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b controllerRef) int {
		return slices.Compare([]string{a.namespace, a.kind, a.name}, []string{b.namespace, b.kind, b.name})
	})
	return out
}
