package collect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
)

// Tables of az give the state that their columns contain, and a gap names the command for the rest.
func TestAzTables(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // resources
		gap        string   // in its why or how
	}{
		{"az aks nodepool list", `$ az aks nodepool list -g rg --cluster-name aks -o table
Name    OsType    KubernetesVersion    VmSize           Count    MaxPods    ProvisioningState    Mode
------  --------  -------------------  ---------------  -------  ---------  -------------------  ------
np1     Linux     1.33                 Standard_D4s_v5  6        30         Failed               User
sys     Linux     1.33                 Standard_D4s_v5  3        30         Succeeded            System
`, []string{"pool np1 Failed/ Count={6 true} Mode=User System=Linux Size=Standard_D4s_v5 Family=dsv5 Cores={4 true} Group=rg MachineGroup=MC_rg_aks_ Version=1.33 MaxPods={30 true}",
			"pool sys Succeeded/ Count={3 true} Mode=System System=Linux Size=Standard_D4s_v5 Family=dsv5 Cores={4 true} Group=rg MachineGroup=MC_rg_aks_ Version=1.33 MaxPods={30 true}"}, "az aks nodepool list -g rg --cluster-name aks -o json"},
		{"a state alone", "$ az aks nodepool show -g rg --cluster-name aks -n np1 --query provisioningState\n\"Failed\"\n",
			[]string{"pool np1 Failed/ Group=rg MachineGroup=MC_rg_aks_"}, ""},
		{"a state alone, over lines", "$ az aks nodepool show \\\n>   -g rg --cluster-name aks \\\n>   -n np1 --query provisioningState -o tsv\nFailed\n",
			[]string{"pool np1 Failed/ Group=rg MachineGroup=MC_rg_aks_"}, ""},
		{"the state of a scale set alone", "$ az vmss show -g MC_rg -n aks-np1-12345678-vmss --query provisioningState\n\"Failed\"\n",
			[]string{"scale-set aks-np1-12345678-vmss Failed/ Pool=np1 Group=MC_rg"}, ""},
		{"another word alone", "$ az aks nodepool show -g rg --cluster-name aks -n np1 --query name\n\"Failed\"\n", nil, ""},
		{"no diagnostic settings", "$ az monitor diagnostic-settings list --resource /subscriptions/0/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks\n[]\n",
			nil, "the logs of aks were not stored"},
		{"no diagnostic settings of a scale set", "$ az monitor diagnostic-settings list --resource aks-np1-12345678-vmss -g MC_rg --resource-type Microsoft.Compute/virtualMachineScaleSets\n[]\n",
			nil, "the metrics of aks-np1-12345678-vmss were not stored"},
		{"what to set of it", "$ az monitor diagnostic-settings list --resource aks-np1-12345678-vmss -g MC_rg --resource-type Microsoft.Compute/virtualMachineScaleSets\n[]\n",
			nil, "create --resource aks-np1-12345678-vmss -g MC_rg --resource-type Microsoft.Compute/virtualMachineScaleSets -n "},
		{"no diagnostic settings of a machine", "$ az monitor diagnostic-settings list --resource /subscriptions/0/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/aks-np1-0\n[]\n",
			nil, "AllMetrics"},
		{"no activities of a group", "$ az monitor activity-log list -g MC_rg\n[]\n", nil, "az monitor activity-log list -g MC_rg --offset 7d"},
		{"no activities", "$ az monitor activity-log list -g MC_rg\n[]\n", nil, "--offset 7d"},
		{"a cluster by a query", "$ az aks show -g rg -n aks --query '{state:provisioningState,region:location,identity:identity,pools:agentPoolProfiles[].[name,provisioningState]}'\nWARNING: this is a preview\n" +
			"{\n  \"identity\": {\n    \"principalId\": \"7c1\"\n  },\n  \"pools\": [\n    [\n      \"sys\",\n      \"Succeeded\"\n    ],\n    [\n      \"np1\",\n      \"Failed\"\n    ]\n  ],\n  \"region\": \"region\",\n  \"state\": \"Succeeded\"\n}\n",
			[]string{"cluster aks Succeeded/ Identity=7c1", "pool sys Succeeded/ Group=rg MachineGroup=MC_rg_aks_", "pool np1 Failed/ Group=rg MachineGroup=MC_rg_aks_"}, ""},
		{"a scale set by a query, in one line", "$ az vmss show -g MC_rg -n aks-np1-12345678-vmss --query '{state:provisioningState,sku:sku,zones:zones}' | jq -c .\n{\"sku\":{\"capacity\":3,\"name\":\"Standard_D4s_v5\"},\"state\":\"Failed\",\"zones\":[\"1\"]}\n",
			[]string{"scale-set aks-np1-12345678-vmss Failed/ Pool=np1 Group=MC_rg Capacity={3 true} Size=Standard_D4s_v5 Family=dsv5 Cores={4 true}"}, ""},
		{"a subnet by a query", "$ az network vnet subnet show --ids /subscriptions/0/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/aks --query '{range:addressPrefix,ranges:addressPrefixes,used:length(ipConfigurations || `[]`)}'\n{\n  \"range\": \"10.1.0.0/27\",\n  \"ranges\": null,\n  \"used\": 27\n}\n",
			[]string{"subnet aks / Used={27 true} Limit={27 true}"}, ""},
		{"instances by a query", "$ az vmss list-instances -g MC_rg -n aks-np1-12345678-vmss --query '[].{id:instanceId,state:provisioningState}' -o table\nId    State\n----  ---------\n0     Succeeded\n35    Failed\n",
			[]string{"instance aks-np1-12345678-vmss_0 Succeeded/ Host=aks-np1-12345678-vmss000000 Number=0 Joins=true Group=MC_rg", "instance aks-np1-12345678-vmss_35 Failed/ Host=aks-np1-12345678-vmss00000z Number=35 Joins=true Group=MC_rg"}, ""},
		{"machines by a query without names", "$ az vm list -g MC_rg -d -o table --query \"[].[name,provisioningState,powerState]\"\nColumn1                 Column2    Column3\n----------------------  ---------  ----------\naks-np1-12345678-0      Failed     VM running\n",
			[]string{"instance aks-np1-12345678-0 Failed/running Host=aks-np1-12345678-0 Joins=true Group=MC_rg"}, ""},
		{"an availability set's state alone", "$ az vm availability-set show -g MC_rg -n aks-np1-avset --query provisioningState\n\"Failed\"\n", []string{"availability-set aks-np1-avset Failed/"}, ""},
		{"a lock in one line", "$ az lock list -g rg -o json\n[{\"id\":\"/subscriptions/1/resourceGroups/rg/providers/Microsoft.Authorization/locks/freeze\",\"level\":\"ReadOnly\",\"name\":\"freeze\",\"type\":\"Microsoft.Authorization/locks\"}]\n",
			[]string{"lock freeze / Level=ReadOnly Scope=/subscriptions/1/resourceGroups/rg Account=1 Group=rg"}, ""},
		{"az network nsg rule list", "$ az network nsg rule list -g net --nsg-name n -o table\nName      ResourceGroup    Priority    SourcePortRanges    SourceAddressPrefixes    SourceASG    Access    Protocol    Direction    DestinationPortRanges    DestinationAddressPrefixes             DestinationASG\n--------  ---------------  ----------  ------------------  -----------------------  -----------  --------  ----------  -----------  -----------------------  -------------------------------------  ----------------\ndeny-all  net              100         *                   *                        None         Deny      *           Outbound     *                        Internet                               None\nweb       net              110         *                   *                        None         Allow     Tcp         Outbound     80 443                   MicrosoftContainerRegistry AzureCloud  None\n",
			[]string{"security-group n / Part=true Out=[{deny-all 100 true []}]", "security-group n / Part=true Out=[{web 110 false [MicrosoftContainerRegistry AzureCloud]}]"}, ""},
		{"az role assignment list", "$ az role assignment list --assignee 7c1 --all -o table\nPrincipal    Role                 Scope\n-----------  -------------------  -----------------------------------\nthe-app      Reader               /subscriptions/1/resourceGroups/a\n             Network Contributor  /subscriptions/1/resourceGroups/b\n",
			[]string{"role-assignment  / Principal=7c1 Role=Reader OnlyReads=true Scope=/subscriptions/1/resourceGroups/a", "role-assignment  / Principal=7c1 Role=Network Contributor Scope=/subscriptions/1/resourceGroups/b"}, ""},
		{"az policy assignment list", "$ az policy assignment list -o table\nDisplayName      Name     EnforcementMode    Scope\n---------------  -------  -----------------  ----------------\nAllowed VM SKUs  skus     Default            /subscriptions/1\nASC Default      asc      DoNotEnforce       /subscriptions/1\n",
			[]string{"policy-assignment skus / Title=Allowed VM SKUs Enforced=true Scope=/subscriptions/1", "policy-assignment asc / Title=ASC Default Enforced=false Scope=/subscriptions/1"}, ""},
		{"names alone, with -o tsv", "$ az vmss list -g MC_rg --query '[].name' -o tsv\naks-np1-12345678-vmss\naks-sys-12345678-vmss\n",
			[]string{"scale-set aks-np1-12345678-vmss / Pool=np1 Group=MC_rg", "scale-set aks-sys-12345678-vmss / Pool=sys Group=MC_rg"}, ""},
		{"the view of an instance by a query", "$ az vmss get-instance-view -g MC_rg -n aks-np1-12345678-vmss --instance-id 3 --query 'statuses[].code'\n[\n  \"ProvisioningState/failed/VMExtensionProvisioningError\",\n  \"PowerState/running\"\n]\n",
			[]string{"instance aks-np1-12345678-vmss_3 failed/VMExtensionProvisioningError/running Host=aks-np1-12345678-vmss000003 Number=3 Joins=true Group=MC_rg"}, ""},
		{"the state of an account", "$ az account show --query state -o tsv\nDisabled\n", []string{"subscription  / Standing=Disabled May=no"}, ""},
		{"the state of a provider", "$ az provider show -n Microsoft.Compute --query registrationState\n\"NotRegistered\"\n", []string{"provider  / Service=Microsoft.Compute Standing=NotRegistered Disabled=true Needed=true"}, ""},
		{"locks by their ids", "$ az lock list -g MC_rg --query '[].id' -o tsv\n/subscriptions/1/resourceGroups/MC_rg/providers/Microsoft.Authorization/locks/keep\n", []string{"lock  / Scope=/subscriptions/1/resourceGroups/MC_rg Account=1 Group=MC_rg"}, ""},
		{"a table of nothing", "me@jump:~$ az lock list -g MC_rg -o table\nme@jump:~$ date\n", nil, "nothing was printed: if the command ran, there is no lock"},
		{"commands of a page, none of which ran", "Then run\naz lock list -g MC_rg -o table\naz lock list -g rg -o table\n", nil, ""},
		{"a table without its dashes", "$ az lock list -o table\nLevel     Name    ResourceGroup\nReadOnly  Keep    Shop\n", []string{"lock Keep / Level=ReadOnly Scope=Shop Group=Shop"}, ""},
		{"names alone", "$ az vmss list -g MC_rg --query '[].name'\n[\n  \"aks-np1-12345678-vmss\"\n]\n", []string{"scale-set aks-np1-12345678-vmss / Pool=np1 Group=MC_rg"}, ""},
		{"chosen values with tabs", "$ az vmss list-instances -g MC_rg -n aks-np1-12345678-vmss --query '[].[instanceId,provisioningState]' -o tsv\n0\tSucceeded\n3\tFailed\n",
			[]string{"instance aks-np1-12345678-vmss_0 Succeeded/ Host=aks-np1-12345678-vmss000000 Number=0 Joins=true Group=MC_rg", "instance aks-np1-12345678-vmss_3 Failed/ Host=aks-np1-12345678-vmss000003 Number=3 Joins=true Group=MC_rg"}, ""},
		{"power alone", "$ az aks show -g rg -n aks --query powerState.code\n\"Running\"\n", []string{"cluster aks /Running"}, ""},
		{"an error in place of names", "$ az vmss list -g MC_rg --query '[].name' -o tsv\nERROR: (AuthorizationFailed) no\n", nil, ""},
		{"nothing, and another prompt", "$ az vmss list -g MC_rg --query '[].name' -o tsv\nme@host:~$ date\n", nil, ""},
		{"a query that is not understood", "$ az aks show -g rg -n aks --query \"{a:join(',', names)}\"\n{\n  \"a\": \"b\"\n}\n", nil, "az aks show -g rg -n aks -o json"},
		{"JSON after another command", "$ az lock list -g rg\n$ kubectl get x -o json\n{\"level\": \"info\", \"name\": \"a\"}\n", nil, ""},
		{"az aks list", `Name    Location    ResourceGroup    KubernetesVersion    CurrentKubernetesVersion    ProvisioningState    Fqdn
------  ----------  ---------------  -------------------  --------------------------  -------------------  ---------------------
aks     region      rg               1.33                 1.33.3                      Failed               aks.example.com
`, []string{"cluster aks Failed/ Version=1.33.3"}, "why one failed"},
		{"az vmss list-instances", `PS> az vmss list-instances -g MC_rg -n aks-np1-12345678-vmss -o table
InstanceId    LatestModelApplied    Location    Name                      ProvisioningState    ResourceGroup
------------  --------------------  ----------  ------------------------  -------------------  ---------------
3             True                  region      aks-np1-12345678-vmss_3   Failed               MC_RG
`, []string{"instance aks-np1-12345678-vmss_3 Failed/ Host=aks-np1-12345678-vmss000003 Number=3 Joins=true Latest=true Group=MC_RG"}, "--expand instanceView"},
		{"az vmss list", `Name                   ResourceGroup    Location    Zones    Capacity    Overprovision    UpgradePolicy
---------------------  ---------------  ----------  -------  ----------  ---------------  ---------------
aks-np1-12345678-vmss  MC_RG            region      1 2 3    5           False            Manual
`, []string{"scale-set aks-np1-12345678-vmss / Pool=np1 Group=MC_RG Capacity={5 true}"}, "how its machines are"},
		{"az vm list -d", `Name                   ResourceGroup    PowerState      PublicIps    Location
---------------------  ---------------  --------------  -----------  ----------
aks-np1-12345678-vms2  MC_RG            VM deallocated               region
`, []string{"instance aks-np1-12345678-vms2 /deallocated Host=aks-np1-12345678-vms2 Joins=true Group=MC_RG"}, "whether one failed, nor why"},
		{"az vm list-usage", `CurrentValue    Limit    LocalName
--------------  -------  -------------------
98              100      Total Regional vCPUs
`, []string{"quota Total Regional vCPUs / Used={98 true} Limit={100 true} AllCores=true"}, ""},
		{"az network list-usages", `CurrentValue    Limit    Name
--------------  -------  -------------------
20              20       Public IP Addresses
`, []string{"quota PublicIPAddresses / Used={20 true} Limit={20 true} PublicAddresses=true"}, ""},
		{"az lock list", `Level         Name    ResourceGroup
------------  ------  ---------------
CanNotDelete  keep    MC_rg
`, []string{"lock keep / Level=CanNotDelete Scope=MC_rg Group=MC_rg"}, ""},
		{"az monitor activity-log list", `$ az monitor activity-log list -g MC_rg --offset 2h -o table
Caller             CorrelationId                         EventTimestamp                Level    ResourceGroup
-----------------  ------------------------------------  ----------------------------  -------  ---------------
ops@example.com    8a6b2c1e-0000-4f7d-8c55-0d8f3b0a9e21  2026-06-02T00:31:44.1180000Z  Error    MC_rg
`, nil, "az monitor activity-log list -g MC_rg --offset 2h -o json"},
		{"a table of az that is not known", "$ az aks get-versions -l region -o table\nKubernetesVersion    Upgrades\n-------------------  ----------\n1.33.3               1.34.1\n", nil, "az aks get-versions -l region -o json"},
		{"a table of something else", "ProcessName    Id\n-----------    --\nkubelet        12\n", nil, ""},
		{"pools with tabs", "$ az aks nodepool list -g rg --cluster-name aks -o tsv\n\t1\t\t30\tLinux\tAKSUbuntu-2204gen2containerd-202605.18.0\t3\t\tFalse\t/subscriptions/0/resourcegroups/rg/providers/Microsoft.ContainerService/managedClusters/aks/agentPools/np1\tManaged\t30\tUser\tnp1\t1.33\tFailed\tStandard_D4s_v5\t/subscriptions/0/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes\n",
			[]string{"pool np1 Failed/ Size=Standard_D4s_v5 Family=dsv5 Cores={4 true} Account=0 Group=rg MachineGroup=MC_rg_aks_ Image=AKSUbuntu-2204gen2containerd-202605.18.0"}, "az aks nodepool list -g rg --cluster-name aks -o json"},
		{"instances with tabs", "$ az vmss list-instances -g MC_rg -n aks-np1-12345678-vmss -o tsv\n\t\t\t/subscriptions/0/resourceGroups/MC_RG/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-12345678-vmss/virtualMachines/12\t\t12\tTrue\tregion\taks-np1-12345678-vmss_12\t\tSucceeded\tMC_RG\t\tx\n",
			[]string{"instance aks-np1-12345678-vmss_12 Succeeded/ Host=aks-np1-12345678-vmss00000c Number=12 Joins=true Group=MC_RG"}, "-n aks-np1-12345678-vmss -o json"},
		{"pools with tabs, chosen by a query", "$ az aks nodepool list -g rg --cluster-name aks -o tsv --query [].x\n\t1\t\t30\tLinux\tAKSUbuntu-2204gen2containerd-202605.18.0\t3\t\tFalse\t/subscriptions/0/resourcegroups/rg/providers/Microsoft.ContainerService/managedClusters/aks/agentPools/np1\tManaged\t30\tUser\tnp1\t1.33\tFailed\tStandard_D4s_v5\t/subscriptions/0/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes\n", nil, "-o json"},
		{"two states in a line", "$ az aks nodepool list -g rg --cluster-name aks -o tsv\n\t1\t\t30\tLinux\tAKSUbuntu-2204gen2containerd-202605.18.0\t3\t\tFalse\t/subscriptions/0/resourcegroups/rg/providers/Microsoft.ContainerService/managedClusters/aks/agentPools/np1\tManaged\t30\tUser\tnp1\t1.33\tFailed\tStandard_D4s_v5\t/subscriptions/0/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes\tSucceeded\n", nil, "-o json"},
		{"two pools in a line", "$ az aks nodepool list -g rg --cluster-name aks -o tsv\n\t1\t\t30\tLinux\tAKSUbuntu-2204gen2containerd-202605.18.0\t3\t\tFalse\t/subscriptions/0/resourcegroups/rg/providers/Microsoft.ContainerService/managedClusters/aks/agentPools/np1\tManaged\t30\tUser\tnp1\t1.33\tFailed\tStandard_D4s_v5\t/subscriptions/0/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes\t/subscriptions/0/resourcegroups/rg/providers/Microsoft.ContainerService/managedClusters/aks/agentPools/np2\n", nil, "-o json"},
		{"lines with tabs", "$ az vm list-usage -l region -o tsv\n98\t100\tTotal Regional vCPUs\n", nil, "az vm list-usage -l region -o json"},
		{"lines with tabs and an id", "some words\nnp1\t3\t/subscriptions/0/resourcegroups/rg/providers/Microsoft.ContainerService/managedClusters/aks/agentPools/np1\tFailed\n", nil, "-o json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, text := range []string{c.text, strings.ReplaceAll(c.text, "\n", "\r\n"), "see:\n" + c.text + "\nand that is all\n"} {
				d := read(t, "standard input", []byte(text))
				var got, gaps []string
				for _, r := range d.CloudResources {
					got = append(got, words(r))
				}
				for _, g := range d.Gaps {
					gaps = append(gaps, g.Why+"; "+string(g.How))
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("got  %q\nwant %q", got, c.want)
				}
				if all := strings.Join(gaps, "\n"); (c.gap == "") != (all == "") || !strings.Contains(all, c.gap) {
					t.Errorf("gaps %q", gaps)
				}
			}
		})
	}
}

// YAML output of az is read like its JSON: a resource or a list, alone or in a paste.
func TestAzYAML(t *testing.T) {
	const cluster = `agentPoolProfiles:
- count: 3
  name: np1
  nodeImageVersion: AKSUbuntu-2204gen2containerd-202605.18.0
  provisioningState: Failed
id: /subscriptions/0/resourcegroups/rg/providers/Microsoft.ContainerService/managedClusters/aks
kubernetesVersion: '1.33'
name: aks
nodeResourceGroup: MC_rg
provisioningState: Failed
status:
  provisioningError:
    code: SubnetIsFull
    message: 'Subnet nodes does not have enough capacity for 31 IP addresses.'
`
	known := builtin(t)
	for _, c := range []struct{ name, text, want string }{
		{"a cluster", cluster, "cluster aks pool np1"},
		{"a list", "- " + strings.TrimSuffix(strings.ReplaceAll(cluster, "\n", "\n  "), "  "), "cluster aks pool np1"},
		{"in a paste", "$ az aks show -g rg -n aks -o yaml\n" + cluster + "$ kubectl get nodes\nNAME   STATUS     ROLES   AGE   VERSION\nw1     NotReady   <none>  5d    v1.33.3\n", "cluster aks pool np1 node w1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := read(t, "standard input", []byte(c.text))
			var got []string
			for _, r := range d.CloudResources {
				got = append(got, r.Item().Type+" "+r.Item().Name)
			}
			for _, n := range d.Nodes {
				got = append(got, "node "+n.Name)
			}
			if strings.Join(got, " ") != c.want || len(d.Gaps) > 0 {
				t.Errorf("got %q, gaps %v", got, d.Gaps)
			}
			if !slices.ContainsFunc(d.Matches, func(m *evidence.Match) bool { return known.Lookup(m.Signature).Says == "cloud-subnet-full" }) {
				t.Error("the error in it was not found")
			}
		})
	}
}

// Truncated YAML causes no crash and no guessed state.
func TestAzYAMLDamaged(t *testing.T) {
	for _, text := range []string{
		"$ az aks show -o yaml\nname: [aks\nprovisioningState: Failed\n",
		"$ az aks show -o yaml\nERROR: (ResourceNotFound) The Resource was not found.\n",
		"name: {{\nprovisioningState: Failed\n",
	} {
		if d := read(t, "standard input", []byte(text)); len(d.CloudResources) > 0 {
			t.Errorf("%q became %v", text, words(d.CloudResources[0]))
		}
	}
}

// Everything in one paste: tables of az and kubectl, JSON, an error.
func TestAzMixedTables(t *testing.T) {
	d := read(t, "standard input", []byte(`$ kubectl get nodes
NAME                          STATUS     ROLES    AGE   VERSION
aks-np1-12345678-vmss000003   NotReady   <none>   5d    v1.33.3
$ az aks nodepool list -g rg --cluster-name aks -o table
Name    OsType    VmSize           Count    ProvisioningState    Mode
------  --------  ---------------  -------  -------------------  ------
np1     Linux     Standard_D4s_v5  6        Failed               User
$ az lock list -g MC_rg -o table
Level         Name    ResourceGroup
------------  ------  ---------------
CanNotDelete  keep    MC_rg
$ kubectl get pods -n shop
NAME    READY   STATUS    RESTARTS   AGE
web-0   0/1     Pending   0          5m
$ az aks nodepool scale -g rg --cluster-name aks -n np1 -c 9
(ScopeLocked) The scope cannot perform write operation because following scope(s) are locked.
`))
	var got []string
	for _, r := range d.CloudResources {
		got = append(got, r.Item().Type+" "+r.Item().Name)
	}
	if !slices.Equal(got, []string{"pool np1", "lock keep"}) || len(d.Nodes) != 1 || len(d.Pods) != 1 {
		t.Errorf("resources %q, %d nodes, %d pods, gaps %v", got, len(d.Nodes), len(d.Pods), d.Gaps)
	}
	known := builtin(t)
	if !slices.ContainsFunc(d.Matches, func(m *evidence.Match) bool { return known.Lookup(m.Signature).Says == "cloud-resource-locked" }) {
		t.Error("the error was not found")
	}
}
