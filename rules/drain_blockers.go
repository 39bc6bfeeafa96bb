package rules

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// drainBlockers looks at cordoned nodes that still hold pods: which of them cannot be evicted, and why.
var drainBlockers = &triage.Rule{
	ID:    "drain-blockers",
	Doc:   "On cordoned nodes, finds pods whose eviction a budget forbids, several budgets confuse, or nobody would replace.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Check: func(p *triage.Pass) {
		budgets := newBudgets(p.Snapshot)
		for _, n := range p.Snapshot.Data().Nodes {
			if !n.Spec.Unschedulable {
				continue
			}
			for _, pod := range p.Snapshot.PodsOn(n.Name) {
				if pod.Partial || pod.Finished() || pod.Deleting() || pod.Mirror || pod.Owner.Kind == "DaemonSet" {
					continue
				}
				blockedByBudget(p, n, pod, budgets.of(pod))
				if pod.Owner == (evidence.Owner{}) {
					p.Found(triage.Claim{
						Says: "drain-blocked-unmanaged-pod", Subject: pod.Subject(), Confidence: triage.Possible,
						Evidence: []evidence.Ref{podRef(pod, ".metadata.ownerReferences", "none; on cordoned node %s", n.Name)},
						Summary:  fmt.Sprintf("pod %s has no controller: a drain of %s stops at it or loses it", pod.Key(), n.Name),
					})
				}
			}
		}
	},
}

func blockedByBudget(p *triage.Pass, n *evidence.Node, pod *evidence.Pod, pdbs []*evidence.PDB) {
	if len(pdbs) > 1 {
		p.Found(triage.Claim{
			Says: "drain-blocked-pdb", Subject: pod.Subject(), Confidence: triage.Certain,
			Fill:     map[string]string{"pdb": pdbs[0].Name, "namespace": pod.Namespace, "pod": pod.Name, "node": n.Name},
			Summary:  fmt.Sprintf("pod %s is under %d budgets; the eviction API refuses such pods", pod.Key(), len(pdbs)),
			Evidence: []evidence.Ref{pdbRef(pdbs[0]), pdbRef(pdbs[1])},
		})
		return
	}
	for _, b := range pdbs {
		if b.Status.DisruptionsAllowed > 0 {
			continue
		}
		if pod.Ready == evidence.False && b.Status.CurrentHealthy >= b.Status.DesiredHealthy && b.Status.DesiredHealthy > 0 {
			continue // an unready pod may go
		}
		p.Found(triage.Claim{
			Says: "drain-blocked-pdb", Subject: pod.Subject(), Confidence: triage.Likely,
			Fill: map[string]string{"pdb": b.Name, "namespace": b.Namespace, "pod": pod.Name, "node": n.Name},
			Summary: fmt.Sprintf("budget %s/%s forbids the eviction of %s from cordoned node %s: %d healthy, %d needed",
				b.Namespace, b.Name, pod.Name, n.Name, b.Status.CurrentHealthy, b.Status.DesiredHealthy),
			Evidence: []evidence.Ref{pdbRef(b)},
		})
	}
}

func pdbRef(b *evidence.PDB) evidence.Ref {
	return evidence.Ref{
		Source: "poddisruptionbudget/" + b.Namespace + "/" + b.Name, Locator: ".status",
		Text: fmt.Sprintf("disruptionsAllowed=%d currentHealthy=%d desiredHealthy=%d expectedPods=%d",
			b.Status.DisruptionsAllowed, b.Status.CurrentHealthy, b.Status.DesiredHealthy, b.Status.ExpectedPods),
	}
}

// budgets finds the disruption budgets of a pod.
type budgets map[string][]budget

type budget struct {
	pdb      *evidence.PDB
	selector labels.Selector
}

func newBudgets(s *evidence.Snapshot) budgets {
	out := budgets{}
	for _, b := range s.Data().PDBs {
		selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
		if b.Partial || err != nil || b.Spec.Selector == nil {
			continue // the API server ignores an invalid selector too
		}
		out[b.Namespace] = append(out[b.Namespace], budget{b, selector})
	}
	return out
}

func (b budgets) of(pod *evidence.Pod) []*evidence.PDB {
	if pod.Phase == corev1.PodPending {
		return nil // evicted without asking the budget
	}
	var out []*evidence.PDB
	for _, x := range b[pod.Namespace] {
		if x.selector.Matches(labels.Set(pod.Labels)) {
			out = append(out, x.pdb)
		}
	}
	return out
}
