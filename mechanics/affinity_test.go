package mechanics

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

func node(name string, labels map[string]string) *evidence.Node {
	return &evidence.Node{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}}
}

func term(fields bool, key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
	r := []corev1.NodeSelectorRequirement{{Key: key, Operator: op, Values: values}}
	if fields {
		return corev1.NodeSelectorTerm{MatchFields: r}
	}
	return corev1.NodeSelectorTerm{MatchExpressions: r}
}

func affine(terms ...corev1.NodeSelectorTerm) *corev1.PodSpec {
	return &corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms}}}}
}

func TestAllows(t *testing.T) {
	n := node("a", map[string]string{"zone": "1", "cores": "8"})
	for _, c := range []struct {
		name string
		spec *corev1.PodSpec
		want bool
	}{
		{"nothing asked", &corev1.PodSpec{}, true},
		{"a label that it has", &corev1.PodSpec{NodeSelector: map[string]string{"zone": "1"}}, true},
		{"a label that it lacks", &corev1.PodSpec{NodeSelector: map[string]string{"disk": ""}}, false},
		{"one of two terms", affine(term(false, "zone", corev1.NodeSelectorOpIn, "2"), term(false, "zone", corev1.NodeSelectorOpIn, "1")), true},
		{"more than", affine(term(false, "cores", corev1.NodeSelectorOpGt, "4")), true},
		{"not more than", affine(term(false, "cores", corev1.NodeSelectorOpGt, "8")), false},
		{"less than what is no number", affine(term(false, "zone", corev1.NodeSelectorOpLt, "two")), false},
		{"its name", affine(term(true, "metadata.name", corev1.NodeSelectorOpIn, "a")), true},
		{"another name", affine(term(true, "metadata.name", corev1.NodeSelectorOpIn, "b")), false},
		{"an empty term", affine(corev1.NodeSelectorTerm{}), false},
		{"without a label", affine(term(false, "gpu", corev1.NodeSelectorOpDoesNotExist)), true},
	} {
		if got := Allows(c.spec, n.Node); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestOnlyNode(t *testing.T) {
	if got := OnlyNode(affine(term(true, "metadata.name", corev1.NodeSelectorOpIn, "a"))); got != "a" {
		t.Errorf("its node: %q", got)
	}
	if got := OnlyNode(affine(term(false, "zone", corev1.NodeSelectorOpIn, "1"))); got != "" {
		t.Errorf("a zone: %q", got)
	}
	a, b := term(true, "metadata.name", corev1.NodeSelectorOpIn, "a"), term(true, "metadata.name", corev1.NodeSelectorOpIn, "b")
	if got := OnlyNode(affine(a, b)); got != "" {
		t.Errorf("either of two: %q", got)
	}
	if got := OnlyNode(affine(a, a)); got != "a" {
		t.Errorf("the same twice: %q", got)
	}
	if got := OnlyNode(nil); got != "" {
		t.Errorf("nothing known: %q", got)
	}
}

func TestVolumes(t *testing.T) {
	pv := func(terms ...corev1.NodeSelectorTerm) *corev1.PersistentVolume {
		return &corev1.PersistentVolume{Spec: corev1.PersistentVolumeSpec{NodeAffinity: &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: terms}}}}
	}
	a, b := node("a", map[string]string{"kubernetes.io/hostname": "host-a", "zone": "1"}), node("b", map[string]string{"kubernetes.io/hostname": "host-b", "zone": "1"})
	host := func(names ...string) corev1.NodeSelectorTerm {
		return term(false, "kubernetes.io/hostname", corev1.NodeSelectorOpIn, names...)
	}
	for _, c := range []struct {
		name          string
		pv            *corev1.PersistentVolume
		allows, bound bool // on node a; only on node a
	}{
		{"no affinity", &corev1.PersistentVolume{}, true, false},
		{"its host", pv(host("host-a")), true, true},
		{"two hosts", pv(host("host-a", "host-b")), true, false},
		{"two terms of one host each", pv(host("host-a"), host("host-b")), true, false},
		{"another host", pv(host("host-b")), false, false},
		{"its zone", pv(term(false, "zone", corev1.NodeSelectorOpIn, "1")), true, false},
		{"another name as a field", pv(term(true, "metadata.name", corev1.NodeSelectorOpIn, "b")), true, false},
		{"no terms", pv(), false, false},
	} {
		if got := VolumeAllows(c.pv, a.Labels); got != c.allows {
			t.Errorf("%s: allows %v, want %v", c.name, got, c.allows)
		}
		if got := VolumeBoundTo(c.pv, a); got != c.bound {
			t.Errorf("%s: bound to a: %v, want %v", c.name, got, c.bound)
		}
	}
	if !VolumeBoundTo(pv(host("host-a"), host("host-b")), a, b) {
		t.Error("two hosts are not bound to both")
	}
}
