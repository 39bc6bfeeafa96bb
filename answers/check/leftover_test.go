package check_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Changes of a killed drain are a weakness with the command that restores them. A running drain, and later changes, are not.
func TestLeftovers(t *testing.T) {
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name    string
		renewed time.Duration // before now
		changed bool
		want    bool
	}{{"killed", time.Hour, false, true}, {"runs", 10 * time.Second, false, false}, {"changed since", time.Hour, true, false}} {
		m := evidence.Mark{By: "op@laptop", Run: "r", State: evidence.Draining, At: now.Add(-2 * time.Hour), Renewed: now.Add(-c.renewed)}.String()
		meta := func(key string) metav1.ObjectMeta {
			return metav1.ObjectMeta{Namespace: "shop", Name: "web", Annotations: map[string]string{key: m}}
		}
		label, replicas := evidence.MarkSuspend, evidence.Surged
		if c.changed {
			label, replicas = "app", 3
		}
		node := meta(evidence.MarkCordon)
		node.Namespace = ""
		d := evidence.Data{TakenAt: now, Coverage: map[evidence.Kind]evidence.Coverage{
			evidence.Nodes: evidence.Complete, evidence.Workloads: evidence.Complete, evidence.PDBs: evidence.Complete,
		}}
		d.Nodes = []*evidence.Node{{Node: &corev1.Node{ObjectMeta: node, Spec: corev1.NodeSpec{Unschedulable: !c.changed}}}}
		d.PDBs = []*evidence.PDB{{PodDisruptionBudget: &policyv1.PodDisruptionBudget{ObjectMeta: meta(evidence.MarkSuspend),
			Spec: policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{label: "true"}}}}}}
		d.Workloads = []*evidence.Workload{{Kind: "Deployment", Namespace: "shop", Name: "web", Replicas: replicas, Annotations: map[string]string{evidence.MarkSurge: m}}}
		r := check.New(evidence.New(d), time.Time{}, nil)
		for id, command := range map[string]string{
			"budget-suspended": "nodetriage drain --restore", "surge-left": "nodetriage drain --restore", "drain-unfinished": "kubectl uncordon web",
		} {
			found := slices.ContainsFunc(r.Weaknesses, func(w check.Weakness) bool {
				return w.Check == id && slices.Contains(shell.Strings(w.Commands), command) && w.Details[0] == "by a drain by op@laptop at 2026-03-01 08:00Z, last active 60m ago"
			})
			if passed := slices.Contains(r.Passed, id); found != c.want || passed == c.want {
				t.Errorf("%s: %s found %v, passed %v: %+v", c.name, id, found, passed, r.Weaknesses)
			}
		}
	}
}
