package ask

import (
	"errors"
	"regexp"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// A name that is not in the evidence gives the same words for each kind and from each question.
func TestNotFound(t *testing.T) {
	from, ctx := fromFiles(t), t.Context()
	diagnose := func(f triage.Filter) error { return second(Diagnose(ctx, from, DiagnoseOptions{Filter: &f})) }
	words := regexp.MustCompile(`^(node|node pool|namespace|pod|deployment|PodDisruptionBudget) "xyz" not found in the evidence \(\d+ (node|node pool|namespace|pod|deployment|PodDisruptionBudget)s?\)$`)
	for name, err := range map[string]error{
		"node":          second(Node(ctx, from, NodeOptions{Name: "xyz"})),
		"node of pods":  second(Pods(ctx, from, PodsOptions{ListOptions: ListOptions{Node: "xyz"}})),
		"node to drain": second(Drain(ctx, from, DrainOptions{Nodes: []string{"xyz"}})),
		"pool":          second(Pools(ctx, from, PoolsOptions{Pool: "xyz"})),
		"pool to check": second(Check(ctx, from, CheckOptions{Pools: []string{"xyz"}})),
		"pool upgrade":  second(Upgrade(ctx, from, UpgradeOptions{Pool: "xyz"})),
		"pool filter":   diagnose(triage.Filter{Pools: []string{"xyz"}}),
		"namespace":     second(Pods(ctx, from, PodsOptions{ListOptions: ListOptions{Namespace: "xyz"}})),
		"of findings":   diagnose(triage.Filter{Namespace: "xyz"}),
		"pod":           second(Why(ctx, from, WhyOptions{Subject: "xyz"})),
		"workload":      second(Why(ctx, from, WhyOptions{Subject: "deploy/xyz"})),
		"budget":        second(Drain(ctx, from, DrainOptions{Nodes: []string{"n1"}, Suspend: []string{"xyz"}})),
	} {
		if usage := (*UsageError)(nil); !errors.As(err, &usage) || !words.MatchString(err.Error()) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A pool without nodes exists.
func TestPoolWithoutNodes(t *testing.T) {
	from := From{Knowledge: knowing(t), Source: Held{evidence.New(evidence.Data{
		Nodes: []*evidence.Node{evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1", Labels: map[string]string{"agentpool": "a"}}})}, Coverage: map[evidence.Kind]evidence.Coverage{evidence.Nodes: evidence.Complete},
		CloudResources: []evidence.CloudResource{&evidence.CloudPool{CloudItem: evidence.CloudItem{Name: "empty"}}},
	})}}
	for want, err := range map[string]error{
		`node pool "empty" has no nodes`:            second(Diagnose(t.Context(), from, DiagnoseOptions{Filter: &triage.Filter{Pools: []string{"empty"}}})),
		`node pool "empty" has no nodes to upgrade`: second(Upgrade(t.Context(), from, UpgradeOptions{Pool: "empty"})),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
