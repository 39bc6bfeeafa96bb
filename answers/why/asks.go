package why

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// asks lists the node requirements of the pod, each with the nodes that match, so that the expression that excludes a node is
// visible.
func asks(c placement.Board, p *evidence.Pod, scarce, short []string) []string {
	var nodes []*corev1.Node
	for _, name := range c.Nodes() {
		nodes = append(nodes, c.Node(name))
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(p.Spec.NodeSelector)) {
		alone := &corev1.PodSpec{NodeSelector: map[string]string{k: p.Spec.NodeSelector[k]}}
		out = append(out, fmt.Sprintf("label %s=%s (nodeSelector): %s", k, p.Spec.NodeSelector[k], having(alone, nodes)))
	}
	if required := mechanics.RequiredAffinity(p.Spec); required != nil {
		for i, t := range required.NodeSelectorTerms {
			which := "required node affinity"
			if len(required.NodeSelectorTerms) > 1 {
				which = fmt.Sprintf("required node affinity, term %d of %d", i+1, len(required.NodeSelectorTerms))
			}
			for _, e := range t.MatchExpressions {
				out = append(out, fmt.Sprintf("%s (%s): %s", printed(e), which, having(requiring(corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{e}}), nodes)))
			}
			for _, e := range t.MatchFields {
				out = append(out, fmt.Sprintf("%s (%s): %s", printed(e), which, having(requiring(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{e}}), nodes)))
			}
		}
	}
	for _, t := range p.Spec.TopologySpreadConstraints {
		if t.WhenUnsatisfiable == corev1.DoNotSchedule {
			out = append(out, fmt.Sprintf("topology spread over %s with maxSkew %d", t.TopologyKey, t.MaxSkew))
		}
	}
	if x := p.Spec.Affinity; x != nil {
		if x.PodAffinity != nil {
			out = append(out, neighbours("beside", x.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution)...)
		}
		if x.PodAntiAffinity != nil {
			out = append(out, neighbours("apart from", x.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution)...)
		}
	}
	return append(append(out, sizes(c, p, scarce, short)...), borne(p.Spec)...)
}

// borne lists the taints that the pod tolerates on purpose, without the default tolerations of pods and DaemonSets.
func borne(spec *corev1.PodSpec) []string {
	var own []string
	for _, t := range mechanics.WrittenTolerations(spec.Tolerations) {
		if slices.Contains(machineTaints, t.Key) || t.Key == corev1.TaintNodeUnschedulable {
			continue
		}
		taint := corev1.Taint{Key: cmp.Or(t.Key, "all taints"), Value: t.Value, Effect: t.Effect}
		own = append(own, taint.ToString())
	}
	if len(own) == 0 {
		return nil
	}
	return []string{"tolerates " + strings.Join(own, ", ")}
}

// neighbours describes pod affinity and anti-affinity terms.
func neighbours(how string, terms []corev1.PodAffinityTerm) (out []string) {
	for _, t := range terms {
		var what []string
		if t.LabelSelector != nil {
			for _, k := range slices.Sorted(maps.Keys(t.LabelSelector.MatchLabels)) {
				what = append(what, k+"="+t.LabelSelector.MatchLabels[k])
			}
			for _, e := range t.LabelSelector.MatchExpressions {
				what = append(what, strings.TrimSpace(e.Key+" "+string(e.Operator)+" "+strings.Join(e.Values, ",")))
			}
		}
		out = append(out, fmt.Sprintf("%s pods with %s, by %s", how, strings.Join(what, " and "), t.TopologyKey))
	}
	return out
}

// having returns which nodes match a spec.
func having(spec *corev1.PodSpec, nodes []*corev1.Node) string {
	var names []string
	for _, n := range nodes {
		if mechanics.Allows(spec, n) {
			names = append(names, n.Name)
		}
	}
	switch {
	case len(names) == 0:
		return fmt.Sprintf("none of %s", wording.Count(len(nodes), "node"))
	case len(nodes) == 1:
		return "the only node, " + names[0]
	case len(names) == len(nodes):
		return "all " + wording.Count(len(nodes), "node")
	}
	return fmt.Sprintf("%d of %s: %s", len(names), wording.Count(len(nodes), "node"), wording.Some(names))
}

// requiring returns a pod that requires only the term.
func requiring(t corev1.NodeSelectorTerm) *corev1.PodSpec {
	return &corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{t}},
	}}}
}

func printed(e corev1.NodeSelectorRequirement) string {
	return strings.TrimSpace(e.Key + " " + string(e.Operator) + " " + strings.Join(e.Values, ","))
}

// unkept returns the preferences of a running pod that its node does not satisfy. The scheduler reports nothing about them.
func (a *asker) unkept(p *evidence.Pod) []Fact {
	n := a.s.Node(p.Node)
	if p.Spec == nil || n == nil || n.Partial {
		return nil
	}
	var all []*corev1.Node
	for _, other := range a.s.Nodes() {
		if !other.Partial {
			all = append(all, other.Node)
		}
	}
	var out []Fact
	if x := p.Spec.Affinity; x != nil && x.NodeAffinity != nil {
		for _, t := range x.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution {
			spec := requiring(t.Preference)
			if mechanics.Allows(spec, n.Node) {
				continue
			}
			var wish []string
			for _, e := range slices.Concat(t.Preference.MatchExpressions, t.Preference.MatchFields) {
				wish = append(wish, printed(e))
			}
			out = append(out, Fact{Source: "preferred node affinity", Text: fmt.Sprintf("the preference %s (weight %d) is not met on %s; it would be on %s", strings.Join(wish, " and "), t.Weight, p.Node, having(spec, all))})
		}
	}
	for i := range n.Spec.Taints {
		t := &n.Spec.Taints[i]
		if mechanics.Discourages(t) && mechanics.TolerationOf(p.Spec.Tolerations, t) == nil {
			out = append(out, Fact{Source: "node/" + p.Node, Text: fmt.Sprintf("PreferNoSchedule is a soft rule; the scheduler placed the pod there anyway (taint %s)", t.ToString())})
		}
	}
	return out
}
