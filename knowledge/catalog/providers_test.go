package catalog_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Each expression is valid, each name in an id is a placeholder of a page, and each command that shows a name is one that may
// be shown.
func TestProviders(t *testing.T) {
	all := ""
	for _, c := range pageCommands(t) {
		all += c.text + "\n"
	}
	list := catalog.Providers()
	if len(list) < 3 {
		t.Fatalf("%d providers were read", len(list))
	}
	for _, p := range list {
		for _, expr := range slices.Concat(p.Machines, p.Clusters, p.Texts, p.Nodes) {
			re, err := regexp.Compile(expr)
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
				continue
			}
			for _, name := range re.SubexpNames() {
				if name = strings.ReplaceAll(name, "_", "-"); name != "" && !strings.Contains(all, "{"+name+"}") {
					t.Errorf("%s: no page uses {%s}", p.Name, name)
				}
			}
		}
		for _, a := range p.Asks {
			if err := (command{p.Name, string(a.Run), "cloud-cli"}).check(); err != nil {
				t.Errorf("%s: %s: %v", p.Name, a.Run, err)
			}
		}
	}
}

func TestProviderNames(t *testing.T) {
	for id, want := range map[string]string{
		"azure:///subscriptions/0/resourceGroups/mc_rg_c_we/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-1-vmss/virtualMachines/3": "instance-id=3 node-resource-group=mc_rg_c_we scale-set=aks-np1-1-vmss",
		"azure:///subscriptions/0/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/aks-np1-1-0":                                       "machine-name=aks-np1-1-0 node-resource-group=g",
		"aws:///us-east-1b/i-0abc": "instance-id=i-0abc",
		"gce://p/z/gke-1":          "machine-name=gke-1 machine-zone=z",
		"azure://else":             "",
	} {
		p := catalog.ProviderOf(id)
		if p == nil {
			t.Errorf("%s: no provider", id)
			continue
		}
		var got []string
		for k, v := range p.Names(id) {
			got = append(got, k+"="+v)
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", id, got, want)
		}
	}
	if catalog.ProviderOf("kind://docker/x/y") != nil || catalog.ProviderOfCommand("azcopy x") != nil || catalog.ProviderOfCommand("nodetriage repair start n") == nil {
		t.Error("a provider of what has none, or none of what has one")
	}
}

// The name of a node or the version of its kubelet shows its provider; names that people choose show nothing.
func TestProviderOfNode(t *testing.T) {
	for node, want := range map[[2]string]string{
		{"aks-nodepool1-38412791-vmss00000a", ""}: "azure", {"akswin000001", ""}: "azure", {"ip-10-35-97-12.ec2.internal", ""}: "aws", {"ip-10-0-1-2.eu-west-1.compute.internal", ""}: "aws", {"i-0123456789abcdef0.eu-west-1.compute.internal", ""}: "aws",
		{"gke-prod-default-pool-1a2b3c4d-x9z8", ""}: "gcp", {"n1", "v1.29.1-eks-508b6b3"}: "aws", {"n1", "v1.30.5-gke.1443001"}: "gcp",
		{"n1", "v1.33.3"}: "", {"aks-worker", ""}: "", {"worker.internal", ""}: "", {"gke-test", ""}: "", {"n1", "v1.31.1+rke2r1"}: "",
	} {
		got := ""
		if p := catalog.ProviderOfNode(node[0], node[1]); p != nil {
			got = p.Name
		}
		if got != want {
			t.Errorf("%q is of %q, want %q", node, got, want)
		}
	}
}
