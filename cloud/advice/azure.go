package advice

import "github.com/nodetriage/nodetriage/knowledge/shell"

// Azure is the cloud with the command line tool az.
const Azure Cloud = "azure"

// azure are the az commands.
var azure = map[Action]shell.Text{
	SignIn:            "az login",
	ShowState:         "az aks show, az aks nodepool list and az vm list-usage",
	ShowCluster:       "az aks show",
	FindCluster:       `az aks list --query "[].[resourceGroup,name,nodeResourceGroup]" -o tsv # prints <cluster-group> and <cluster-name>`,
	ShowPower:         "az aks show -g <cluster-group> -n <cluster-name> --query powerState",
	ShowPool:          "az aks nodepool show -g <cluster-group> --cluster-name <cluster-name> -n <pool>",
	ShowZones:         "az aks nodepool show -g <cluster-group> --cluster-name <cluster-name> -n {pool} -o json",
	ShowAccount:       "az account show --query state",
	ShowIdentity:      "az aks show -g <cluster-group> -n <cluster-name> --query servicePrincipalProfile",
	ShowResource:      "az resource show --ids <id of what the error names>",
	ShowLog:           "az monitor activity-log list --resource-id {resource-id} --offset 7d",
	ShowLogJSON:       "az monitor activity-log list --resource-id {resource-id} --offset 7d -o json",
	ShowLogTargets:    "az monitor diagnostic-settings list --resource {cluster-id}",
	ShowProblems:      "az rest --method get --url {cluster-id}/detectors?api-version=2024-08-01",
	ShowRequiredHosts: "az rest --method get --url {cluster-id}/outboundNetworkDependenciesEndpoints?api-version=2025-10-01",
	ShowAnnounced:     `az graph query -q "containerserviceeventresources | where type == 'microsoft.containerservice/managedclusters/scheduledevents' | where id contains '{cluster}'"`,
	ShowMachine:       "az vmss get-instance-view -g <node-resource-group> -n <scale-set> --instance-id {instance}",
	ShowNamedMachine:  "az vm get-instance-view -n {machine-name} -g {group}",
	ShowOtherMachine:  "az vm get-instance-view --ids {machine-id}",
	ShowMachines:      "az vmss list-instances and get-instance-view",
	ShowFailed:        `az vmss list-instances --expand instanceView -g <node-resource-group> -n {set} --query "[?provisioningState=='Failed']"`,
	ShowUnfinished:    `az vmss list-instances -g <node-resource-group> -n {set} --query "[?provisioningState!='Succeeded'].instanceId"`,
	ShowQuota:         "az vm list-usage -l <region>",
	ShowAddressQuota:  "az network list-usages -l <region>",
	ShowSizes:         "az vm list-skus -l <region> --size <size>",
	ShowSizesAndQuota: "az vm list-skus and az vm list-usage",
	ShowSubnet:        "az network vnet subnet show --ids {subnet}",
	ShowSubnetUse:     "az rest --method get --url <virtual-network-id>/usages?api-version=2024-05-01",
	ShowLocks:         "az lock list -g <node-resource-group> -o table; az lock list -g <cluster-group> -o table",
	ShowPolicies:      "az policy state list -g <node-resource-group>",
	ShowRights:        "az role assignment list --all --assignee <object-id>",
	ShowNetworkRules:  "az network nsg show and az network route-table show of the subnet",
	ShowRulesInForce:  "az network nic list-effective-nsg --ids <nic-id>",

	StartMachine:         "az vmss start -g <node-resource-group> -n <scale-set> --instance-ids <id>",
	StartOtherMachine:    "az vm start -g <node-resource-group> -n <machine-without-scale-set>",
	RestartMachine:       "az vmss restart -g <node-resource-group> -n <scale-set> --instance-ids <id>",
	ReimageMachine:       "az vmss reimage -g <node-resource-group> -n <scale-set> --instance-ids <id>",
	AllowActions:         "az vmss update --protect-from-scale-set-actions false",
	AdmitAddresses:       "az aks update --ids {cluster-id} --api-server-authorized-ip-ranges <all-ranges>",
	StartCluster:         "az aks start",
	StartPool:            "az aks nodepool start",
	UpgradeImage:         "az aks nodepool upgrade -g <group> --cluster-name <cluster> -n {pool} --node-image-only",
	ScalePool:            "az aks nodepool scale -g <cluster-group> --cluster-name <cluster-name> -n {pool} --node-count {count}",
	SetMaintenanceWindow: "az aks maintenanceconfiguration add -g <group> --cluster-name <cluster> -n aksManagedNodeOSUpgradeSchedule --schedule-type Weekly --day-of-week <day> --interval-weeks 1 --start-time <hh:mm> --duration 4",
	DeleteLock:           "az lock delete --ids {lock}",
}
