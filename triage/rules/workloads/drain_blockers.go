package workloads

import (
	"fmt"
	"time"

	policyv1 "k8s.io/api/policy/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// DrainBlockers finds, on cordoned nodes, the pods that cannot be evicted, and why.
var DrainBlockers = &triage.Rule{
	ID:    "drain-blockers",
	Doc:   "On cordoned nodes, finds pods that a PodDisruptionBudget protects from eviction, that match several PodDisruptionBudgets, or that have no controller.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Reads: []evidence.Kind{evidence.Events, evidence.PDBs},
	Check: func(p *triage.Pass) {
		budgets := mechanics.NewBudgets(p.Snapshot.PDBs())
		for _, n := range p.Snapshot.Nodes() {
			if !n.Spec.Unschedulable {
				continue
			}
			if p.Snapshot.Covers(evidence.PDBs) == evidence.NotRead {
				p.Unknown("which PodDisruptionBudgets block the eviction of pods from cordoned node "+n.Name, "no PodDisruptionBudget was read", "kubectl get pdb -A -o json")
			}
			blocked, left := false, 0
			for _, pod := range p.Snapshot.PodsOn(n.Name) {
				if !facts.Evictable(pod) {
					continue
				}
				left++
				blocked = blockedByBudget(p, n, pod, budgets.Of(pod)) || blocked
				if pod.Owner == (evidence.Owner{}) && facts.Busy(p, n) {
					p.Found(triage.Claim{
						Says: "drain-blocked-unmanaged-pod", Subject: pod.Subject(), Certainty: triage.Possible,
						Evidence: []evidence.Ref{facts.PodRef(pod, ".metadata.ownerReferences", "none; on cordoned node %s", n.Name)},
						Summary:  fmt.Sprintf("pod %s has no controller: a drain of %s stops at it, or deletes it for good", pod.Key(), n.Name),
					})
				}
			}
			if !blocked && p.Snapshot.Covers(evidence.PDBs) != evidence.NotRead {
				p.RuleOut("drain-blocked-pdb", n.Subject(), fmt.Sprintf("no PodDisruptionBudget blocks any of its %s that a drain would evict", wording.Count(left, "pod")))
			}
		}
	},
}

func blockedByBudget(p *triage.Pass, n *evidence.Node, pod *evidence.Pod, pdbs []*evidence.PDB) bool {
	if len(pdbs) > 1 {
		p.Found(triage.Claim{
			Says: "drain-blocked-pdb", Subject: pod.Subject(), Certainty: triage.Certain,
			Fill:     map[string]string{"pdb": pdbs[0].Name, "namespace": pod.Namespace, "pod": pod.Name, "node": n.Name},
			Summary:  fmt.Sprintf("pod %s matches %d PodDisruptionBudgets; the eviction API rejects such pods", pod.Key(), len(pdbs)),
			Evidence: []evidence.Ref{facts.PDBRef(pdbs[0]), facts.PDBRef(pdbs[1])},
		})
		return true
	}
	for _, b := range pdbs {
		if mechanics.Answer(b, pod.Ready) != mechanics.Refused {
			continue
		}
		c := triage.Claim{
			Says: "drain-blocked-pdb", Subject: pod.Subject(), Certainty: triage.Possible, Evidence: []evidence.Ref{facts.PDBRef(b)},
			Fill: map[string]string{"pdb": b.Name, "namespace": b.Namespace, "pod": pod.Name, "node": n.Name},
			Summary: fmt.Sprintf("PodDisruptionBudget %s/%s blocks the eviction of %s from cordoned node %s: %d healthy, %d required",
				b.Namespace, b.Name, pod.Name, n.Name, b.Status.CurrentHealthy, b.Status.DesiredHealthy),
		}
		if mechanics.NeverAllows(b) {
			c.Certainty = triage.Likely
			c.Summary += fmt.Sprintf(" of %d, so no eviction is ever allowed", b.Status.ExpectedPods)
		} else if exhausted := sinceExhausted(b); !exhausted.IsZero() {
			age, known := p.Age(exhausted)
			switch {
			case known && age < facts.Patience:
				continue // a replacement is starting
			case known:
				c.Certainty, c.Since = triage.Likely, exhausted
				c.Summary += ", for " + wording.Duration(age)
			}
		}
		if c.Certainty == triage.Likely && !facts.Busy(p, n) {
			c.Certainty = triage.Possible // nothing shows that the node is being drained
		}
		p.Found(c)
		return true
	}
	return false
}

// sinceExhausted returns since when the PodDisruptionBudget allows no disruption; zero: unknown.
func sinceExhausted(b *evidence.PDB) time.Time {
	for _, c := range b.Status.Conditions {
		if c.Type == policyv1.DisruptionAllowedCondition && c.Status == "False" {
			return c.LastTransitionTime.UTC()
		}
	}
	return time.Time{}
}
