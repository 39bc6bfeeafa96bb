package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// pinnedPods finds pending pods that select nodes which do not exist, or only nodes whose taints they do
// not tolerate.
var pinnedPods = &triage.Rule{
	ID:    "pinned-pods",
	Doc:   "Compares the node selectors and tolerations of pending pods with the nodes that there are.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Check: func(p *triage.Pass) {
		if p.Snapshot.Covers(evidence.Nodes) != evidence.Complete {
			return // nodes that were not seen may match
		}
		for _, pod := range p.Snapshot.PodsOn("") {
			if pod.Phase != corev1.PodPending || pod.Spec == nil || pod.Deleting() || len(pod.Spec.NodeSelector) == 0 {
				continue
			}
			selector := pod.Spec.NodeSelector
			var matching, tainted []string
			for _, n := range p.Snapshot.Data().Nodes {
				if !selects(selector, n.Labels) {
					continue
				}
				matching = append(matching, n.Name)
				if t := untolerated(n, pod.Spec.Tolerations); t != nil {
					tainted = append(tainted, t.Key)
				}
			}
			ref := podRef(pod, ".spec.nodeSelector", "%s", printSelector(selector))
			switch {
			case len(matching) == 0:
				p.Found(triage.Claim{
					Says: "pod-pinned-to-missing-pool", Subject: pod.Subject(), Confidence: triage.Certain, Evidence: []evidence.Ref{ref},
					Summary: fmt.Sprintf("pod %s wants nodes with %s; none of the %d nodes has that", pod.Key(), printSelector(selector),
						len(p.Snapshot.Data().Nodes)),
				})
			case len(tainted) == len(matching):
				p.Found(triage.Claim{
					Says: "scheduling-constraints", Subject: pod.Subject(), Confidence: triage.Certain, Evidence: []evidence.Ref{ref},
					Summary: fmt.Sprintf("pod %s selects %d nodes (%s), all with the taint %s, which it does not tolerate", pod.Key(), len(matching),
						printSelector(selector), tainted[0]),
				})
			}
		}
	},
}

func selects(selector, labels map[string]string) bool {
	for k, v := range selector {
		if got, ok := labels[k]; !ok || got != v {
			return false
		}
	}
	return true
}

// untolerated returns the first taint that keeps a pod away for good; what the control plane sets and takes
// back by itself does not count.
func untolerated(n *evidence.Node, tolerations []corev1.Toleration) *corev1.Taint {
	for i := range n.Spec.Taints {
		t := &n.Spec.Taints[i]
		if t.Effect == corev1.TaintEffectPreferNoSchedule || strings.HasPrefix(t.Key, "node.kubernetes.io/") {
			continue
		}
		if !slices.ContainsFunc(tolerations, func(tol corev1.Toleration) bool { return tolerates(tol, t) }) {
			return t
		}
	}
	return nil
}

// tolerates mirrors ToleratesTaint of k8s.io/api/core/v1 toleration.go, without the alpha operators.
func tolerates(tol corev1.Toleration, t *corev1.Taint) bool {
	if tol.Effect != "" && tol.Effect != t.Effect || tol.Key != "" && tol.Key != t.Key {
		return false
	}
	return tol.Operator == corev1.TolerationOpExists || tol.Value == t.Value
}

func printSelector(selector map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(selector)) {
		out = append(out, k+"="+selector[k])
	}
	return strings.Join(out, ",")
}
