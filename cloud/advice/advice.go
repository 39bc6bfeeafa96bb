// Package advice maps actions in a cloud to the commands of its command line tool.
package advice

import (
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Action is something to check or to do in a cloud. Its text is shown if the cloud has no command for it.
type Action = shell.Text

// Actions that read.
const (
	SignIn            Action = "sign in with the tool of your cloud"
	ShowState         Action = "show the cluster and the pool with your cloud's CLI"
	ShowCluster       Action = "show the cluster with your cloud's CLI"
	FindCluster       Action = "find the cluster with your cloud's CLI"
	ShowPower         Action = "show the power state of the cluster"
	ShowPool          Action = "show the pool with your cloud's CLI"
	ShowZones         Action = "show the zones of pool {pool}"
	ShowAccount       Action = "show the state of the account"
	ShowIdentity      Action = "show the identity of the cluster"
	ShowResource      Action = "show the resource in the error, <id>"
	ShowLog           Action = "the cloud's activity log of {resource-id}"
	ShowLogJSON       Action = "the cloud's activity log of {resource-id}, as JSON"
	ShowLogTargets    Action = "show the log destinations of {cluster-id}"
	ShowProblems      Action = "the cloud's diagnostics of {cluster-id}"
	ShowRequiredHosts Action = "the required outbound endpoints of {cluster-id}"
	ShowAnnounced     Action = "the cloud's scheduled events of cluster {cluster}"
	ShowMachine       Action = "show VM {instance} with your cloud's CLI"
	ShowNamedMachine  Action = "show VM {machine-name} of group {group} with your cloud's CLI"
	ShowOtherMachine  Action = "show VM {machine-id}, which is in no group, with your cloud's CLI"
	ShowMachines      Action = "list the VMs and their state"
	ShowFailed        Action = "list the failed VMs of {set}"
	ShowUnfinished    Action = "list the VMs of {set} with operations in progress"
	ShowQuota         Action = "show the quotas of the region"
	ShowAddressQuota  Action = "show the IP address quota of the region"
	ShowSizes         Action = "show the VM sizes of the region"
	ShowSizesAndQuota Action = "show the VM sizes and quotas of the region"
	ShowSubnet        Action = "show subnet {subnet}"
	ShowSubnetUse     Action = "show the IP address usage of the subnet"
	ShowLocks         Action = "list the locks"
	ShowPolicies      Action = "list the policies that deny changes"
	ShowRights        Action = "list the role assignments of the cluster's identity"
	ShowNetworkRules  Action = "show the security groups and routes of the subnet"
	ShowRulesInForce  Action = "show the effective rules of the network interface"
)

// Actions that change.
const (
	StartMachine         Action = "start the VM"
	StartOtherMachine    Action = "start the VM that is in no group"
	RestartMachine       Action = "restart the VM"
	ReimageMachine       Action = "reimage the VM"
	AllowActions         Action = "remove the scale set protection of the VM"
	AdmitAddresses       Action = "let <all-ranges> reach the API server of {cluster-id}"
	StartCluster         Action = "start the cluster"
	StartPool            Action = "start the pool"
	UpgradeImage         Action = "upgrade the node image of pool {pool}"
	ScalePool            Action = "scale pool {pool} to {count} nodes with your cloud's CLI"
	SetMaintenanceWindow Action = "set a weekly window for image upgrades"
	DeleteLock           Action = "remove lock {lock}"
)

// Cloud is the name of a cloud, as in evidence.ProviderOf.
type Cloud string

// Command returns the cloud's command for the action, or the text of the action if there is none. It replaces the
// placeholders with the values in order, each quoted as one word.
func (c Cloud) Command(a Action, values ...string) shell.Text {
	if command, known := commands[c][a]; known {
		return shell.Format(command, values...)
	}
	return shell.Format(a, values...)
}

// Translate returns the command of this cloud for a command in the catalog, with placeholders in braces. It returns
// the command unchanged if it maps to no action or the cloud has no command for it.
func (c Cloud) Translate(command shell.Text) shell.Text {
	if c == Default {
		return command
	}
	for action, of := range commands[Default] {
		if own := commands[c][action]; own != "" && form(of) == form(command) {
			return own.Open()
		}
	}
	return command
}

// place matches a placeholder.
var place = lazyregexp.New(`[<{]([a-z][a-z0-9-]*)[>}]`)

// form is a command without the names of its placeholders, because catalog and rules name them differently.
func form(command shell.Text) string { return place.ReplaceAllString(string(command), "<>") }

// Or returns the cloud, or the first of the list if it is empty.
func (c Cloud) Or() Cloud {
	if c == "" {
		return Default
	}
	return c
}
