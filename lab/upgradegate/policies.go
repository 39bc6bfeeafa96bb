package upgradegate

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// gates returns the providers that gate the nodes of a pool, with the time that each has: within a policy the rule for the pool overrides
// the rule for the cluster, and no time is longer than Longest.
func (a *Asker) gates(ctx context.Context, pool string) (map[string]time.Duration, error) {
	list, err := a.client.Resource(Policies).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list policies: %w", err)
	}
	out := map[string]time.Duration{}
	for _, p := range list.Items {
		provider, _, _ := unstructured.NestedString(p.Object, "spec", "provider")
		rules, _, _ := unstructured.NestedSlice(p.Object, "spec", "rules")
		limit, ofPool := time.Duration(-1), false
		for _, r := range rules {
			rule, _ := r.(map[string]any)
			scope, _, _ := unstructured.NestedString(rule, "target", "scope")
			name, _, _ := unstructured.NestedString(rule, "target", "name")
			switch {
			case scope == "NodePool" && name == pool:
				limit, ofPool = timeout(rule), true
			case scope == "Cluster" && !ofPool:
				limit = timeout(rule)
			}
		}
		if before, twice := out[provider]; limit >= 0 && (!twice || limit < before) {
			out[provider] = limit
		}
	}
	return out, nil
}

func timeout(rule map[string]any) time.Duration {
	text, found, _ := unstructured.NestedString(rule, "nodeTimeout")
	d, err := time.ParseDuration(text)
	if !found || err != nil {
		return Longest
	}
	return min(d, Longest)
}
