package facts

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// Untolerated returns the first taint that keeps a pod away permanently. Taints that the control plane sets and removes itself do
// not count.
func Untolerated(n *evidence.Node, tolerations []corev1.Toleration) *corev1.Taint {
	return mechanics.Untolerated(tolerations, slices.DeleteFunc(slices.Clone(n.Spec.Taints), func(t corev1.Taint) bool {
		return strings.HasPrefix(t.Key, "node.kubernetes.io/")
	}))
}

// PrintRequired prints the node selector and node affinity of a pod.
func PrintRequired(selector map[string]string, affinity *corev1.NodeSelector) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(selector)) {
		out = append(out, k+"="+selector[k])
	}
	if affinity != nil {
		var terms []string
		for _, t := range affinity.NodeSelectorTerms {
			var all []string
			for _, e := range append(slices.Clone(t.MatchExpressions), t.MatchFields...) {
				all = append(all, strings.TrimSpace(e.Key+" "+string(e.Operator)+" "+strings.Join(e.Values, ",")))
			}
			terms = append(terms, strings.Join(all, " and "))
		}
		out = append(out, strings.Join(terms, " or "))
	}
	return strings.Join(out, ", ")
}
