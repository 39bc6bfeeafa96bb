package azure

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cloud"
)

const clusterAt = "/subscriptions/0/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks"

// The command that adds a pool has all properties of the copied pool, and names those without an az option.
func TestAddLike(t *testing.T) {
	for name, test := range map[string]struct {
		properties string
		own        cloud.Own
		want       string // after the count
		lacks      []string
	}{
		"a plain pool": {`"vmSize":"Standard_D4s_v5","mode":"User","osType":"Linux","osSKU":"Ubuntu","osDiskSizeGB":128,"osDiskType":"Ephemeral","kubeletDiskType":"OS","maxPods":30,
			"type":"VirtualMachineScaleSets","orchestratorVersion":"1.33","enableAutoScaling":false,"enableFIPS":false,"nodeTaints":null,"scaleDownMode":"Delete","scaleSetEvictionPolicy":"Delete","spotMaxPrice":-1,"minCount":1,
			"upgradeSettings":{"maxSurge":"10%","drainTimeoutInMinutes":30,"nodeSoakDurationInMinutes":0},"securityProfile":{"enableVTPM":false,"enableSecureBoot":false}`, cloud.Own{},
			"--mode User --node-vm-size Standard_D4s_v5 --vm-set-type VirtualMachineScaleSets --os-type Linux --os-sku Ubuntu --kubernetes-version 1.33 --node-osdisk-size 128 " +
				"--node-osdisk-type Ephemeral --max-pods 30 --scale-down-mode Delete --drain-timeout 30 --max-surge '10%' --node-soak-duration 0", nil},
		"spot, autoscaled, in zones": {`"scaleSetPriority":"Spot","scaleSetEvictionPolicy":"Delete","spotMaxPrice":-1,"availabilityZones":["1","2"],"enableAutoScaling":true,"minCount":0,"maxCount":5,
			"nodeTaints":["kubernetes.azure.com/scalesetpriority=spot:NoSchedule","a=b:NoExecute"],"nodeLabels":{"team":"shop","empty":""},"tags":{"cost center":"a b"}`, cloud.Own{},
			"--zones 1 2 --enable-cluster-autoscaler --min-count 0 --max-count 5 --priority Spot --eviction-policy Delete --spot-max-price=-1 --labels empty= team=shop " +
				"--node-taints kubernetes.azure.com/scalesetpriority=spot:NoSchedule,a=b:NoExecute --tags 'cost center=a b'", nil},
		"network and security": {`"vnetSubnetID":"/subscriptions/0/subnets/nodes","podSubnetID":"/subscriptions/0/subnets/pods","podIPAllocationMode":"StaticBlock","enableNodePublicIP":true,"nodePublicIPPrefixID":"/p",
			"enableEncryptionAtHost":true,"enableUltraSSD":true,"enableFIPS":true,"securityProfile":{"enableVTPM":true,"enableSecureBoot":true,"sshAccess":"Disabled"},
			"networkProfile":{"allowedHostPorts":[{"portStart":80,"portEnd":80,"protocol":"TCP"},{"portStart":4000,"portEnd":5000,"protocol":"UDP"}],"applicationSecurityGroups":["/a"],"nodePublicIPTags":[{"ipTagType":"RoutingPreference","tag":"Internet"}]}`, cloud.Own{},
			"--vnet-subnet-id /subscriptions/0/subnets/nodes --pod-subnet-id /subscriptions/0/subnets/pods --pod-ip-allocation-mode StaticBlock --enable-node-public-ip --node-public-ip-prefix-id /p " +
				"--enable-encryption-at-host --enable-ultra-ssd --enable-fips-image --enable-secure-boot --enable-vtpm --allowed-host-ports 80/tcp 4000-5000/udp --asg-ids /a --node-public-ip-tags RoutingPreference=Internet",
			[]string{"securityProfile.sshAccess"}},
		"hardware": {`"gpuInstanceProfile":"MIG1g","gpuProfile":{"driver":"None"},"proximityPlacementGroupID":"/p","hostGroupID":"/h","capacityReservationGroupID":"/c","creationData":{"sourceResourceId":"/s"},"workloadRuntime":"OCIContainer",
			"kubeletDiskType":"Temporary","messageOfTheDay":"aGk=","windowsProfile":{"disableOutboundNat":true},"gatewayProfile":{"publicIPPrefixSize":31},"newThing":{"a":1}`, cloud.Own{},
			"--gpu-instance-profile MIG1g --gpu-driver None --ppg /p --host-group-id /h --crg-id /c --snapshot-id /s --workload-runtime OCIContainer --disable-windows-outbound-nat --gateway-prefix-size 31",
			[]string{"kubeletDiskType", "messageOfTheDay", "newThing"}},
		"of its own": {`"vmSize":"Standard_D4s_v5","nodeLabels":{"team":"shop"},"nodeTaints":["a=b:NoSchedule"]`,
			cloud.Own{Size: "Standard_D8s_v5", Labels: "team=ops,x=y", Taints: "a=c:NoSchedule,a=c:NoExecute"},
			"--node-vm-size Standard_D8s_v5 --labels team=ops x=y --node-taints a=c:NoSchedule,a=c:NoExecute", nil},
		"hostile": {`"vmSize":"a'; reboot","nodeLabels":{"k":"$(reboot)'"},"tags":{"-k":"v","ok":"v"},"availabilityZones":["1 --x"]`, cloud.Own{}, "--tags ok=v",
			[]string{"availabilityZones", "nodeLabels.k", "tags.-k", "vmSize"}},
	} {
		raw := []byte(`{"id":"` + clusterAt + `/agentPools/np1","name":"np1","properties":{"count":3,"provisioningState":"Succeeded","powerState":{"code":"Running"},"nodeImageVersion":"x","currentOrchestratorVersion":"1.33.3","eTag":"e",` + test.properties + `}}`)
		target, ok := parseTarget(clusterAt + "/agentPools/np2")
		if !ok || !json.Valid(raw) {
			t.Fatalf("%s: bad input", name)
		}
		got, lacks, err := target.addLike(cloud.Change{Verb: cloud.AddPool, Like: clusterAt + "/agentPools/np1", Count: 2, Own: test.own}, raw)
		rest, begins := strings.CutPrefix(string(got), "az aks nodepool add -g rg --cluster-name aks -n np2 --node-count 2 ")
		if err != nil || !begins || rest != test.want || !slices.Equal(lacks, test.lacks) {
			t.Errorf("%s: %v\n%s\nwant\n%s\nlacks %q, want %q", name, err, got, test.want, lacks, test.lacks)
		}
	}
}

// Files for az are written first, in the API format: az prints some names differently than it reads them.
func TestAddLikeFiles(t *testing.T) {
	raw := []byte(`{"properties":{"kubeletConfig":{"cpuManagerPolicy":"static","containerLogMaxSizeMB":20},"linuxOSConfig":{"sysctls":null}}}`)
	target, _ := parseTarget(clusterAt + "/agentPools/np2")
	got, lacks, err := target.addLike(cloud.Change{Verb: cloud.AddPool, Like: clusterAt + "/agentPools/np1", Count: 1}, raw)
	want := "az rest --method get --url '" + clusterAt + "/agentPools/np1?api-version=" + aksVersion + "' --query properties.kubeletConfig > np1-kubeletConfig.json && " +
		"az aks nodepool add -g rg --cluster-name aks -n np2 --node-count 1 --kubelet-config np1-kubeletConfig.json"
	if string(got) != want || err != nil || len(lacks) > 0 {
		t.Errorf("%s, %q, %v; want\n%s", got, lacks, err, want)
	}
}
