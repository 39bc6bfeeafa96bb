package paste

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// affinityTerm matches one requirement of a volume's node affinity: "kubernetes.io/hostname in [node-1]".
var affinityTerm = lazyregexp.New(`^(?:Term \d+:\s+)?(\S+) (in|not in) \[([^\]]*)\]$`)

// buildVolume builds a PersistentVolume.
func (d *description) buildVolume() evidence.Subject {
	v := &corev1.PersistentVolume{}
	v.Name = d.name("PersistentVolume")
	phase, _ := nextWord(d.value("Status"))
	v.Status.Phase = corev1.PersistentVolumePhase(phase)
	v.Labels, v.Annotations = pairs(d.find("Labels")), pairs(d.find("Annotations"))
	v.Spec.StorageClassName = d.value("StorageClass")
	v.Spec.PersistentVolumeReclaimPolicy = corev1.PersistentVolumeReclaimPolicy(d.value("Reclaim Policy"))
	v.Spec.Capacity = storage(d.value("Capacity"))
	v.Spec.AccessModes = parseAccessModes(d.value("Access Modes"))
	if namespace, name, ok := strings.Cut(d.value("Claim"), "/"); ok {
		v.Spec.ClaimRef = &corev1.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: namespace, Name: name}
	}
	v.Spec.NodeAffinity = nodeAffinity(d.find("Node Affinity"))
	if v.Name != "" && d.p.text.room("persistentvolumes", d.sections[0].at) {
		d.p.text.volumes = append(d.p.text.volumes, v)
	}
	return evidence.Subject{Kind: "PersistentVolume", Name: v.Name}
}

// nodeAffinity parses the required terms. The requirements of a term follow each other.
func nodeAffinity(s *section) *corev1.VolumeNodeAffinity {
	if s == nil {
		return nil
	}
	var terms []corev1.NodeSelectorTerm
	for _, text := range s.all() {
		m := affinityTerm.FindStringSubmatch(text)
		if m == nil || len(terms) > 100 {
			continue
		}
		if len(terms) == 0 || strings.HasPrefix(text, "Term ") {
			terms = append(terms, corev1.NodeSelectorTerm{})
		}
		op := corev1.NodeSelectorOpIn
		if m[2] == "not in" {
			op = corev1.NodeSelectorOpNotIn
		}
		values := strings.FieldsFunc(m[3], func(c rune) bool { return c == ',' || c == ' ' })
		term := &terms[len(terms)-1]
		term.MatchExpressions = append(term.MatchExpressions, corev1.NodeSelectorRequirement{Key: m[1], Operator: op, Values: values})
	}
	if len(terms) == 0 {
		return nil
	}
	return &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: terms}}
}
