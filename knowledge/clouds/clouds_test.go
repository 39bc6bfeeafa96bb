package clouds

import (
	"slices"
	"testing"
)

// Each way to recognise a cloud gives the same name, and what belongs to no cloud gives none.
func TestCloudOf(t *testing.T) {
	for _, c := range []struct {
		what, want string
		got        Cloud
	}{
		{"an AKS machine", "azure", OfMachine("azure:///subscriptions/0/resourceGroups/g")},
		{"a GKE machine", "gcp", OfMachine("gce://p/z/m")},
		{"a dedicated server of Hetzner", "hetzner", OfMachine("hrobot://1")},
		{"a kind node", "", OfMachine("kind://docker/a/b")},
		{"a machine without an ID", "", OfMachine("")},
		{"a word that is not an ID", "", OfMachine("azure")},
		{"the labels of AKS", "azure", OfLabels(map[string]string{"kubernetes.azure.com/cluster": "mc_g_c_we"})},
		{"the labels of an EKS node group", "aws", OfLabels(map[string]string{"eks.amazonaws.com/nodegroup": "ng"})},
		{"labels of people", "", OfLabels(map[string]string{"pool": "p", "": "x"})},
		{"no labels", "", OfLabels(nil)},
		{"the label of a node group", "aws", OfPoolLabel("eks.amazonaws.com/nodegroup")},
		{"a label of people", "", OfPoolLabel("pool")},
		{"no label", "", OfPoolLabel("")},
		{"a kubelet of EKS", "aws", OfVersion("v1.31.2-eks-94953ac")},
		{"a kubelet of GKE", "gcp", OfVersion("v1.30.5-gke.1443001")},
		{"a kubelet of RKE2", "", OfVersion("v1.31.1+rke2r1")},
		{"no version", "", OfVersion("")},
	} {
		if c.got.Name != c.want {
			t.Errorf("%s: cloud %q, want %q", c.what, c.got.Name, c.want)
		}
	}
}

// A machine of an unknown cloud is in a cloud; a machine of a local cluster is not.
func TestInCloud(t *testing.T) {
	for id, want := range map[string]bool{"aws:///us-east-1a/i-0": true, "newcloud://1": true, "kind://docker/a/b": false, "": false, "metal3://x": false} {
		if InCloud(id) != want {
			t.Errorf("InCloud(%q) is %v", id, !want)
		}
	}
}

func TestLabelsAndHosts(t *testing.T) {
	if !Reserved("kubernetes.azure.com/mode") || !Reserved("karpenter.k8s.aws/instance-ami-id") || Reserved("team") || Reserved("") {
		t.Error("labels that clouds reserve")
	}
	if got := PoolLabels(); !slices.Contains(got, "cloud.google.com/gke-nodepool") || slices.Contains(got, "") {
		t.Errorf("labels of pools: %q", got)
	}
	if !ManagedHost("dial tcp: lookup c-dns-1.hcp.westeurope.azmk8s.io: no such host") || ManagedHost("apiserver.example.com") {
		t.Error("names of API servers of managed services")
	}
}

// A scheme, a version or a label of two clouds would make the answer depend on their order.
func TestCloudsAreDistinct(t *testing.T) {
	seen := map[string]string{}
	for _, c := range clouds {
		for _, mark := range slices.Concat([]string{c.Name + " as a name"}, c.Schemes, c.Versions, c.Hosts, c.Reserved) {
			if seen[mark] != "" {
				t.Errorf("%q is of %s and of %s", mark, seen[mark], c.Name)
			}
			seen[mark] = c.Name
		}
	}
}
