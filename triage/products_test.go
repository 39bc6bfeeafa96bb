package triage

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// A text about products is advice only if one of them is there: by the provider or the runtime of the nodes, or by the evidence.
func TestConcernsHere(t *testing.T) {
	for _, c := range []struct {
		name, line, provider, runtime, text string
		want                                bool
	}{
		{"no product is named", "", "", "", "Restart the kubelet.", true},
		{"the cloud of the nodes", "", "azure", "", "On AKS, reimage the node.", true},
		{"another cloud", "", "aws", "", "On AKS, reimage the node.", false},
		{"an unknown cloud", "", "", "", "On AKS, reimage the node.", false},
		{"one of two clouds", "", "aws", "", "EKS and AKS replace the node.", true},
		{"the runtime of the node", "", "", "crio", "CRI-O reads its configuration at the start.", true},
		{"another runtime", "", "", "crio", "Restart containerd.", false},
		{"the usual runtime if none is known", "", "", "", "Restart containerd.", true},
		{"the evidence names it", "longhorn-manager: volume is degraded", "", "", "Longhorn rebuilds the replica.", true},
		{"the evidence names another", "longhorn-manager: volume is degraded", "", "", "Ceph rebalances.", false},
	} {
		x := adviserOf(c.line)
		x.around.provider = catalog.ProviderNamed(c.provider)
		if runtime := components.Named(c.runtime); runtime != nil {
			x.here.parts.runtimes = []*components.Component{runtime}
		}
		if got := x.concernsHere(c.text); got != c.want {
			t.Errorf("%s: %q is for this cluster: %v, want %v", c.name, c.text, got, c.want)
		}
	}
}

// Texts of the whole evidence show a product too, not only those of the finding.
func TestProductInOtherEvidence(t *testing.T) {
	x := adviserOf()
	x.around.text = func() string { return "karpenter: could not launch node" }
	if !x.concernsHere("Karpenter replaces the node.") || x.concernsHere("Rancher replaces the node.") {
		t.Error("the product that the evidence names is not there, or another one is")
	}
}

// Of a text, the sentences and brackets about absent products are removed. Without its first sentence it says nothing.
func TestRelevant(t *testing.T) {
	x := adviserOf()
	for text, want := range map[shell.Text]shell.Text{
		"Restart the kubelet (on Talos: reboot). Longhorn rebuilds then.": "Restart the kubelet.",
		"Drain the node (its pods move).":                                 "Drain the node (its pods move).",
		"Longhorn rebuilds the replica. Then restart the kubelet.":        "",
	} {
		if got, ok := x.relevant(text); got != want || ok != (want != "") {
			t.Errorf("%q becomes %q, %v, want %q", text, got, ok, want)
		}
	}
}

// A remedy that the evidence selects keeps its title, even if the title names a product that nothing else shows.
func TestChosen(t *testing.T) {
	x := adviserOf("rke2-agent: node password rejected")
	x.variants = []string{"password"}
	for _, c := range []struct {
		name string
		of   catalog.Remedy
		want bool
	}{
		{"nothing selects it", catalog.Remedy{}, false},
		{"its words are in the evidence", catalog.Remedy{Said: []string{"password rejected"}}, true},
		{"other words are not", catalog.Remedy{Said: []string{"token expired"}}, false},
		{"it is for a platform, which was checked", catalog.Remedy{Fit: catalog.Fit{Platforms: []string{"rke2"}}}, true},
		{"it is for the variant", catalog.Remedy{Fit: catalog.Fit{Variants: []string{"password"}}}, true},
		{"it is for another variant", catalog.Remedy{Fit: catalog.Fit{Variants: []string{"token"}}}, false},
	} {
		if got := x.chosen(c.of); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
