package clusterview

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// HealthyOf counts the healthy pods of the PodDisruptionBudget in the evidence. If not all pods were read, it returns at most
// the budget's own count.
func (v *View) HealthyOf(pdb *evidence.PDB) (n int32) {
	if v.Covers(evidence.Pods) != evidence.Complete {
		return pdb.Status.CurrentHealthy
	}
	for _, p := range PodsOf(v.Snapshot, pdb) {
		if mechanics.Healthy(pdb, p) {
			n++
		}
	}
	return n
}

// WhyRefused returns the rule of the eviction API that rejects the eviction.
func WhyRefused(pdb *evidence.PDB, pod *evidence.Pod) string {
	st := pdb.Status
	switch failed := mechanics.SyncFailed(pdb); {
	case failed != "":
		return "the PodDisruptionBudget cannot be computed, so it allows no eviction: " + failed
	case mechanics.Stale(pdb):
		return "the disruption controller has not processed the PodDisruptionBudget's last change yet"
	case pod.Ready == evidence.False && st.DesiredHealthy == 0:
		return "the pod is NotReady, and a PodDisruptionBudget that requires 0 healthy pods protects NotReady pods while none is healthy"
	case pod.Ready == evidence.False:
		return fmt.Sprintf("the pod is NotReady; NotReady pods can be evicted only while %d pods are healthy (now %d)", st.DesiredHealthy, st.CurrentHealthy)
	case st.ExpectedPods == 0:
		return "the PodDisruptionBudget selects only pods without a controller, so it allows no eviction"
	case mechanics.NeverAllows(pdb):
		return fmt.Sprintf("the PodDisruptionBudget requires %d of %d pods (%s), so it never allows an eviction", st.DesiredHealthy, st.ExpectedPods, mechanics.Bound(pdb))
	}
	return fmt.Sprintf("%d healthy, %d required (%s)", st.CurrentHealthy, st.DesiredHealthy, mechanics.Bound(pdb))
}

// Lacking names the pods that a PodDisruptionBudget counts as unhealthy, with the reason; "" if all are healthy.
func Lacking(s *evidence.Snapshot, pdb *evidence.PDB) string {
	if pdb.Status.CurrentHealthy >= pdb.Status.ExpectedPods {
		return ""
	}
	var names []string
	for _, p := range PodsOf(s, pdb) {
		if why := ailment(s, p); why != "" {
			names = append(names, p.Name+" "+why)
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("%d of %d pods are missing", pdb.Status.ExpectedPods-pdb.Status.CurrentHealthy, pdb.Status.ExpectedPods)
	}
	return "not healthy: " + wording.Some(names)
}

// PodsOf lists the pods that the PodDisruptionBudget selects.
func PodsOf(s *evidence.Snapshot, pdb *evidence.PDB) []*evidence.Pod {
	selector, err := metav1.LabelSelectorAsSelector(pdb.Spec.Selector)
	if err != nil {
		return nil
	}
	var out []*evidence.Pod
	for _, p := range s.Data().Pods {
		if p.Namespace == pdb.Namespace && selector.Matches(labels.Set(p.Labels)) {
			out = append(out, p)
		}
	}
	return out
}

// SilentNodeOf names an unreachable node with pods of the PodDisruptionBudget; "" if there is none.
func (v *View) SilentNodeOf(pdb *evidence.PDB) string {
	for _, p := range PodsOf(v.Snapshot, pdb) {
		if n := v.Node(p.Node); n != nil && n.Silent() && !p.Finished() {
			return p.Node
		}
	}
	return ""
}

// ailment returns why a PodDisruptionBudget does not count the pod; "" if it does.
func ailment(s *evidence.Snapshot, p *evidence.Pod) string {
	switch n := s.Node(p.Node); {
	case p.Deleting():
		return "is Terminating"
	case p.Ready == evidence.True:
		return ""
	case p.Node == "":
		if c := p.Condition("PodScheduled"); c != nil && c.Message != "" {
			return "is Pending (" + wording.Cut(c.Message, 100) + ")"
		}
		return "is Pending"
	case n != nil && n.Silent():
		return "is on unreachable node " + p.Node
	case p.Status != "" && p.Status != "Running":
		return "is " + p.Status
	}
	return "is NotReady"
}

// OwnedBy names the creator of the PodDisruptionBudget, so that users know whom to contact.
func OwnedBy(pdb *evidence.PDB) string {
	for _, o := range pdb.OwnerReferences {
		return fmt.Sprintf("the PodDisruptionBudget belongs to %s %s", o.Kind, o.Name)
	}
	var signs []string
	for _, k := range []string{"meta.helm.sh/release-name", "argocd.argoproj.io/tracking-id", "kustomize.toolkit.fluxcd.io/name"} {
		if v := pdb.Annotations[k]; v != "" {
			signs = append(signs, k[:strings.IndexByte(k, '/')]+" "+v)
		}
	}
	for _, k := range []string{"app.kubernetes.io/managed-by", "app.kubernetes.io/instance", "helm.sh/chart"} {
		if v := pdb.Labels[k]; v != "" && len(signs) == 0 {
			signs = append(signs, k[strings.IndexByte(k, '/')+1:]+" "+v)
		}
	}
	if len(signs) == 0 {
		return ""
	}
	return "the PodDisruptionBudget comes from " + strings.Join(signs, ", ")
}
