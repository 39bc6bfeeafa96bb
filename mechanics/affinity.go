package mechanics

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/component-helpers/storage/volume"

	"github.com/nodetriage/nodetriage/evidence"
)

// Allows reports whether the nodeSelector and the required node affinity of a pod match the node:
//   - the node has each label of the nodeSelector
//   - one term of the affinity matches, or it has none; all label and field expressions of a term must match, and an empty term
//     matches no node
//
// A term with a parse error matches no node (RequiredNodeAffinity.Match of k8s.io/component-helpers
// scheduling/corev1/nodeaffinity/nodeaffinity.go, v0.36.3; the scheduler's NodeAffinity.Filter and the DaemonSet
// controller ignore its error, v1.36.3).
func Allows(spec *corev1.PodSpec, node *corev1.Node) bool {
	ok, _ := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: *spec}).Match(node)
	return ok
}

// RequiredAffinity returns the required node affinity of a pod, or nil.
func RequiredAffinity(spec *corev1.PodSpec) *corev1.NodeSelector {
	if spec == nil || spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return nil
	}
	return spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

// OnlyNode returns the one node that each term of the required affinity names, or "". The DaemonSet controller sets
// this on its pods (GetTargetNodeName of pkg/controller/daemon/util/daemonset_util.go, v1.36.3).
func OnlyNode(spec *corev1.PodSpec) string {
	required := RequiredAffinity(spec)
	if required == nil {
		return ""
	}
	only := ""
	for _, t := range required.NodeSelectorTerms {
		i := slices.IndexFunc(t.MatchFields, func(f corev1.NodeSelectorRequirement) bool {
			return f.Key == metav1.ObjectNameField && f.Operator == corev1.NodeSelectorOpIn && len(f.Values) == 1
		})
		if i < 0 || only != "" && t.MatchFields[i].Values[0] != only {
			return ""
		}
		only = t.MatchFields[i].Values[0]
	}
	return only
}

// VolumeAllows reports whether the volume can be used on a node with those labels. Unlike for pods, a requirement on
// metadata.name always matches because only labels are compared (CheckNodeAffinity of k8s.io/component-helpers
// storage/volume/helpers.go, v0.36.3).
func VolumeAllows(pv *corev1.PersistentVolume, labels map[string]string) bool {
	return volume.CheckNodeAffinity(pv, labels) == nil
}

// VolumeOf returns the volume that a claim is bound to, or nil.
func VolumeOf(d *evidence.Data, namespace, claim string) *corev1.PersistentVolume {
	for _, pvc := range d.Claims {
		if pvc.Namespace != namespace || pvc.Name != claim {
			continue
		}
		for _, pv := range d.Volumes {
			if pv.Name == pvc.Spec.VolumeName {
				return pv
			}
		}
	}
	return nil
}

// VolumeBoundTo reports whether the volume can be used only on these nodes: each term of its affinity requires one of
// their hostnames. Provisioners of local volumes set this affinity.
func VolumeBoundTo(pv *corev1.PersistentVolume, nodes ...*evidence.Node) bool {
	if pv.Spec.NodeAffinity == nil || pv.Spec.NodeAffinity.Required == nil {
		return false
	}
	var hosts []string
	for _, n := range nodes {
		hosts = append(hosts, n.Name) // if the label is not in the evidence
		if h := n.Labels[corev1.LabelHostname]; h != "" {
			hosts = append(hosts, h)
		}
	}
	terms := pv.Spec.NodeAffinity.Required.NodeSelectorTerms
	elsewhere := func(host string) bool { return !slices.Contains(hosts, host) }
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(t corev1.NodeSelectorTerm) bool {
		return !slices.ContainsFunc(t.MatchExpressions, func(r corev1.NodeSelectorRequirement) bool {
			return r.Key == corev1.LabelHostname && r.Operator == corev1.NodeSelectorOpIn && !slices.ContainsFunc(r.Values, elsewhere)
		})
	})
}
