package rules

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// selects tells whether the labels fit a node selector.
func selects(selector, labels map[string]string) bool {
	for k, v := range selector {
		if got, ok := labels[k]; !ok || got != v {
			return false
		}
	}
	return true
}

// affine tells whether the node fits a required node affinity: one of the terms holds.
func affine(n *evidence.Node, required *corev1.NodeSelector) bool {
	if required == nil {
		return true
	}
	return slices.ContainsFunc(required.NodeSelectorTerms, func(t corev1.NodeSelectorTerm) bool {
		if len(t.MatchExpressions)+len(t.MatchFields) == 0 {
			return false // an empty term fits nothing
		}
		for _, e := range t.MatchExpressions {
			value, ok := n.Labels[e.Key]
			if !holdsFor(e, value, ok) {
				return false
			}
		}
		for _, e := range t.MatchFields { // metadata.name is the only one there is
			if !holdsFor(e, n.Name, true) {
				return false
			}
		}
		return true
	})
}

func holdsFor(e corev1.NodeSelectorRequirement, value string, ok bool) bool {
	switch e.Operator {
	case corev1.NodeSelectorOpIn:
		return ok && slices.Contains(e.Values, value)
	case corev1.NodeSelectorOpNotIn:
		return !ok || !slices.Contains(e.Values, value)
	case corev1.NodeSelectorOpExists:
		return ok
	case corev1.NodeSelectorOpDoesNotExist:
		return !ok
	}
	if len(e.Values) != 1 {
		return false
	}
	got, err := strconv.ParseInt(value, 10, 64)
	want, err2 := strconv.ParseInt(e.Values[0], 10, 64)
	if !ok || err != nil || err2 != nil {
		return false
	}
	return e.Operator == corev1.NodeSelectorOpGt && got > want || e.Operator == corev1.NodeSelectorOpLt && got < want
}

// required is the node affinity that a pod insists on, or nil.
func required(spec *corev1.PodSpec) *corev1.NodeSelector {
	if spec == nil || spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return nil
	}
	return spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

// untolerated returns the first taint that keeps a pod away for good; what the control plane sets and takes
// back by itself does not count.
func untolerated(n *evidence.Node, tolerations []corev1.Toleration) *corev1.Taint {
	return mechanics.Untolerated(tolerations, slices.DeleteFunc(slices.Clone(n.Spec.Taints), func(t corev1.Taint) bool {
		return strings.HasPrefix(t.Key, "node.kubernetes.io/")
	}))
}

// printRequired prints what a pod asks of its node.
func printRequired(selector map[string]string, affinity *corev1.NodeSelector) string {
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
