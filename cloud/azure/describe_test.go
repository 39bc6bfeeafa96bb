package azure

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// Every change has its command without a query to Azure, with placeholders only for names that the evidence does not contain.
func TestDescribe(t *testing.T) {
	const (
		vm      = "azure:///subscriptions/s/resourceGroups/mc/providers/Microsoft.Compute/virtualMachineScaleSets/set/virtualMachines/3"
		cluster = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/shop"
	)
	known := &evidence.Data{CloudResources: []evidence.CloudResource{
		&evidence.CloudPool{CloudItem: evidence.CloudItem{ID: cluster + "/agentPools/np1", Name: "np1"}, Size: "Standard_D4s_v5", Mode: "User"},
	}}
	for _, test := range []struct {
		data  *evidence.Data
		about cloud.About
		want  string
	}{
		{&evidence.Data{}, cloud.About{Verb: cloud.Start, ProviderID: vm, Node: "n"}, "az vmss start -g mc -n set --instance-ids 3"},
		{&evidence.Data{}, cloud.About{Verb: cloud.ScalePool, ProviderID: vm, Pool: "np1", Count: 4}, "az aks nodepool scale -g <group> --cluster-name <cluster> -n np1 --node-count 4"},
		{known, cloud.About{Verb: cloud.ScalePool, ProviderID: vm, Pool: "np1", Count: 4}, "az aks nodepool scale -g rg --cluster-name shop -n np1 --node-count 4"},
		{known, cloud.About{Verb: cloud.DeleteMachine, ProviderID: vm, Node: "n", Pool: "np1"}, "az aks nodepool delete-machines -g rg --cluster-name shop -n np1 --machine-names n"},
		{&evidence.Data{}, cloud.About{Verb: cloud.Reconcile, ProviderID: vm}, "az resource update --ids <resource-id>"},
		{known, cloud.About{Verb: cloud.Reconcile}, "az resource update --ids " + cluster},
		{known, cloud.About{Verb: cloud.AddPool, Pool: "np2", Like: "np1", Count: 1}, "az aks nodepool add -g rg --cluster-name shop -n np2 --node-count 1 --mode User --node-vm-size Standard_D4s_v5"},
		{&evidence.Data{}, cloud.About{Verb: cloud.Reconcile}, ""},
		{&evidence.Data{}, cloud.About{Verb: cloud.Start, ProviderID: "aws:///zone/i-0", Node: "n"}, ""},
	} {
		got := Describe(test.data, test.about)
		if string(got.Command) != test.want {
			t.Errorf("%s: %q, want %q", test.about.Verb, got.Command, test.want)
		}
		if strings.Contains(string(got.Command), "<") && got.Path != "" {
			t.Errorf("%s: path %q of an unknown target", test.about.Verb, got.Path)
		}
	}
}
