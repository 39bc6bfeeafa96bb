// Package advice is what people are told to run: actions in our words, and the command of each cloud's own tool for them.
package advice

import (
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Action is something to look at or to do in a cloud. Its text is what a person reads where no command is known.
type Action = shell.Text

// What is looked at.
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

// What is done.
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

// Cloud names a cloud, as evidence.ProviderOf does.
type Cloud string

// Command returns the command for the action by the cloud's own tool, or the action in words where it has none. Values go
// into the places of the command in their order, each as one word.
func (c Cloud) Command(a Action, values ...string) shell.Text {
	if command, known := commands[c][a]; known {
		return shell.Format(command, values...)
	}
	return shell.Format(a, values...)
}

// Translate returns the action that a command of the catalogue stands for, as this cloud does it, with names in braces; the
// command itself where it stands for none, or this cloud has no command for it.
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

// place is where a value goes.
var place = lazyregexp.New(`[<{]([a-z][a-z0-9-]*)[>}]`)

// form is a command without the names of its places, which the catalogue and the rules choose each for themselves.
func form(command shell.Text) string { return place.ReplaceAllString(string(command), "<>") }

// Or returns the cloud, or the first of the list where none is told.
func (c Cloud) Or() Cloud {
	if c == "" {
		return Default
	}
	return c
}
