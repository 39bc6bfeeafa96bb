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
	ShowState         Action = "show the cluster and the pool with the tool of your cloud"
	ShowCluster       Action = "show the cluster with the tool of your cloud"
	ShowPower         Action = "show whether the cluster is started"
	ShowPool          Action = "show the pool with the tool of your cloud"
	ShowZones         Action = "show the zones of pool {pool}"
	ShowAccount       Action = "show the state of the account"
	ShowIdentity      Action = "show as whom the cluster acts"
	ShowResource      Action = "show what the error names, <id>"
	ShowLog           Action = "the cloud's log of changes of {resource-id}"
	ShowLogJSON       Action = "the cloud's log of changes of {resource-id}, as JSON"
	ShowLogTargets    Action = "show where the logs of {cluster-id} go"
	ShowProblems      Action = "the cloud's own checks of {cluster-id}"
	ShowRequiredHosts Action = "the hosts that {cluster-id} must reach"
	ShowAnnounced     Action = "the cloud's announcements for cluster {cluster}"
	ShowMachine       Action = "show machine {instance} with the tool of your cloud"
	ShowNamedMachine  Action = "show machine {machine-name} of group {group} with the tool of your cloud"
	ShowOtherMachine  Action = "show machine {machine-id}, which is in no group, with the tool of your cloud"
	ShowMachines      Action = "list the machines, and show the state of each"
	ShowFailed        Action = "list the machines of {set} that failed"
	ShowUnfinished    Action = "list the machines of {set} that are not done"
	ShowQuota         Action = "show the quotas of the region"
	ShowAddressQuota  Action = "show how many addresses the region has left"
	ShowSizes         Action = "show the sizes of machines that the region has"
	ShowSizesAndQuota Action = "show the sizes of machines and the quotas of the region"
	ShowSubnet        Action = "show subnet {subnet}"
	ShowSubnetUse     Action = "show how many addresses of the subnet are used"
	ShowLocks         Action = "list what forbids changes"
	ShowPolicies      Action = "list the policies that refuse changes"
	ShowRights        Action = "list the rights of the cluster's identity"
	ShowNetworkRules  Action = "show the security groups and routes of the subnet"
	ShowRulesInForce  Action = "show the rules of the network card"
)

// Actions that change.
const (
	StartMachine         Action = "start the machine"
	StartOtherMachine    Action = "start the machine that is in no group"
	RestartMachine       Action = "restart the machine"
	ReimageMachine       Action = "give the machine a new system disk"
	AllowActions         Action = "allow actions on the machine"
	AdmitAddresses       Action = "let <all-ranges> reach the API server of {cluster-id}"
	StartCluster         Action = "start the cluster"
	StartPool            Action = "start the pool"
	UpgradeImage         Action = "bring pool {pool} to its newest image"
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

// Translate returns the command of this cloud for a command in the catalogue, with placeholders in braces. It returns
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

// form is a command without the names of its placeholders, because catalogue and rules name them differently.
func form(command shell.Text) string { return place.ReplaceAllString(string(command), "<>") }

// Or returns the cloud, or the first of the list if it is empty.
func (c Cloud) Or() Cloud {
	if c == "" {
		return Default
	}
	return c
}
