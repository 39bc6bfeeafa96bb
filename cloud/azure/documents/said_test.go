package documents

import (
	"maps"
	"testing"
)

// Users name cluster, group and pool in many ways. Ordinary words after these words are not names.
func TestNamesInWords(t *testing.T) {
	for line, want := range map[string]map[string]string{
		`our node pool "backend" (cluster aks-b2b, group rg-b2b)`:        {"pool": "backend", "cluster-name": "aks-b2b", "cluster-group": "rg-b2b"},
		"cluster name: prod1, resource group = prod-rg":                  {"cluster-name": "prod1", "cluster-group": "prod-rg"},
		"the cluster `shop` in resource group `shop` fails":              {"cluster-name": "shop", "cluster-group": "shop"},
		"machines are in resource group MC_shop_aks-shop_uksouth":        {"node-resource-group": "MC_shop_aks-shop_uksouth", "cluster-group": "shop", "cluster-name": "aks-shop", "region": "uksouth"},
		"the cluster is in a group of nodes that cannot scale":           nil,
		"cluster autoscaler: group limits reached":                       nil,
		"every pool of the cluster went down, the group too":             nil,
		"this resource group was deleted yesterday by the cluster admin": nil,
	} {
		if got := namesOfWords(namesSaid(line)); !maps.Equal(got, want) {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// A size is recognised with or without its prefix.
func TestSizeInWords(t *testing.T) {
	for line, want := range map[string]string{
		"scaling pool batch from 12 to 14 nodes (D8s_v5) failed": "Standard_D8s_v5",
		"pool of Standard_NC24ads_A100_v4 is Failed":             "Standard_NC24ads_A100_v4",
		"kube-proxy v1.33 on node e2e_v2":                        "",
		"node pool np1 failed":                                   "",
	} {
		if got := sizeSaid(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
