package providers_test

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/providers"
)

const (
	azureID = "azure:///subscriptions/0/resourceGroups/mc_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-1-vmss/virtualMachines/3"
	awsID   = "aws:///us-east-1b/i-0abc"
	kindID  = "kind://docker/kind/kind-worker"
)

// A machine is located by the cloud that its ID belongs to. An ID of no supported cloud has no place.
func TestPlace(t *testing.T) {
	for id, want := range map[string]cloud.Place{
		azureID: {Group: "mc_rg", Set: "aks-np1-1-vmss", Number: "3"},
		awsID:   {Number: "i-0abc", Zone: "us-east-1b"},
		kindID:  {},
		"":      {},
	} {
		if got := providers.Place(id); got != want {
			t.Errorf("%s: %+v, want %+v", id, got, want)
		}
	}
}

// The commands that show resources are those of the cloud of the nodes.
func TestAsking(t *testing.T) {
	for id, program := range map[string]string{azureID: "az ", awsID: "aws "} {
		if ask := providers.Asking(cloud.Scope{ProviderIDs: []string{id}}); !strings.HasPrefix(string(ask.Machines), program) {
			t.Errorf("%s: %+v", id, ask)
		}
	}
	if ask := providers.Asking(cloud.Scope{ProviderIDs: []string{kindID}}); ask != (cloud.Asking{}) {
		t.Errorf("a node without a cloud: %+v", ask)
	}
}

// A document belongs to one cloud, so the order of the decoders does not matter. A Kubernetes object belongs to none.
func TestDecoders(t *testing.T) {
	for text, want := range map[string]int{
		`{"Reservations": [{"Instances": []}]}`:                                                    1,
		`{"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "Machine", "metadata": {"name": "m"}}`: 1,
		`{"id": "/subscriptions/0/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/s", "name": "s", "type": "Microsoft.Compute/virtualMachineScaleSets", "provisioningState": "Succeeded"}`: 1,
		`{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}`: 0,
		`{}`: 0,
	} {
		object, _ := cloud.Tree(text).(map[string]any)
		known := 0
		for _, d := range providers.Decoders() {
			if d.Knows(object) {
				known++
			}
		}
		if known != want {
			t.Errorf("%d decoders know %s, want %d", known, text, want)
		}
	}
}
