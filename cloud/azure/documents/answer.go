package documents

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// These are fields that no document has: a command tells the cluster of a pool, the security group of a rule, and that somebody was
// asked about who has no role.
const (
	clusterOfRow = "azCluster"
	groupOfRule  = "azSecurityGroup"
	noRole       = "azNoRole"
	leftOver     = "azAnswer" // what --query left, of something that is not known
)

// azAnswers are the types of what commands of az print: a table, or what --query left of an answer, does not say it.
var azAnswers = []struct{ command, typ string }{
	{"az aks nodepool show ", "Microsoft.ContainerService/managedClusters/agentPools"},
	{"az aks nodepool list ", "Microsoft.ContainerService/managedClusters/agentPools"},
	{"az aks show ", "Microsoft.ContainerService/managedClusters"},
	{"az aks list ", "Microsoft.ContainerService/managedClusters"},
	{"az vmss show ", "Microsoft.Compute/virtualMachineScaleSets"},
	{"az vmss list ", "Microsoft.Compute/virtualMachineScaleSets"},
	{"az vmss list-instances ", "Microsoft.Compute/virtualMachineScaleSets/virtualMachines"},
	{"az vmss get-instance-view ", "Microsoft.Compute/virtualMachineScaleSets"},
	{"az vm get-instance-view ", "Microsoft.Compute/virtualMachines"},
	{"az account show ", "Microsoft.Resources/subscriptions"},
	{"az vm availability-set ", "Microsoft.Compute/availabilitySets"},
	{"az vm show ", "Microsoft.Compute/virtualMachines"},
	{"az vm list ", "Microsoft.Compute/virtualMachines"},
	{"az network vnet subnet ", "Microsoft.Network/virtualNetworks/subnets"},
	{"az network nsg rule ", "Microsoft.Network/networkSecurityGroups/securityRules"},
	{"az network nsg ", "Microsoft.Network/networkSecurityGroups"},
	{"az network route-table show ", "Microsoft.Network/routeTables"},
	{"az network route-table list ", "Microsoft.Network/routeTables"},
	{"az lock ", "Microsoft.Authorization/locks"},
	{"az role assignment ", "Microsoft.Authorization/roleAssignments"},
	{"az policy assignment ", "Microsoft.Authorization/policyAssignments"},
	{"az policy state ", "Microsoft.PolicyInsights/policyStates"},
	{"az monitor diagnostic-settings ", "Microsoft.Insights/diagnosticSettings"},
}

// answerType is the type of what the command prints; "" if that is not known, or what it prints says it itself.
func answerType(command string) string {
	if strings.HasPrefix(command, "az vmss get-instance-view ") && strings.Contains(command, " --instance-id") { // a star is all of them
		return "Microsoft.Compute/virtualMachineScaleSets/virtualMachines"
	}
	for _, a := range azAnswers {
		if strings.HasPrefix(command+" ", a.command) {
			return a.typ
		}
	}
	return ""
}

// compliance is the state that --filter leaves.
var compliance = lazyregexp.New(`(?i)\bcomplianceState eq '(\w+)'`)

// complete adds to a resource what the command tells of it that printed it.
func complete(tree map[string]any, command string) map[string]any {
	set := func(key, value string) {
		if value != "" && text(tree, key) == "" {
			tree[key] = value
		}
	}
	if cloudType(tree) == "other" && text(tree, "type") == "" {
		set("type", answerType(command))
	}
	id, option, given := askedOf(azAsked, command), options(command), namesGiven(command)
	shows := strings.Contains(command+" ", " show ") || strings.Contains(command, " get-instance-view ")
	named := func(names ...string) string { // of what the command shows
		if !shows {
			return ""
		}
		return option(names...)
	}
	if shows && resourceTypes[typeOfID(id)] == cloudType(tree) {
		set("id", id)
		set("name", id[strings.LastIndexByte(id, '/')+1:])
	}
	switch cloudType(tree) {
	case "role-assignment":
		if who := askedOf(azAssignee, command); who != "" { // a table has the name of an application, and of a group that it is in
			tree["principalId"] = who
		}
	case "provider":
		set("namespace", named("--namespace", "-n"))
	case "lock":
		set("scope", option("--resource-group", "-g"))
	case "policy":
		if asked := compliance.FindStringSubmatch(command); asked != nil {
			set("complianceState", asked[1])
		}
	case "security-rule":
		set(groupOfRule, option("--nsg-name"))
		set("name", named("--name", "-n"))
	}
	if text(tree, "id") != "" {
		return tree
	}
	switch cloudType(tree) {
	case "pool":
		set("resourceGroup", given["cluster-group"])
		set(clusterOfRow, given["cluster-name"])
		set("name", named("--nodepool-name", "--name", "-n"))
	case "instance":
		set("instanceId", option("--instance-id"))
		if number := text(tree, "instanceId"); given["scale-set"] != "" && number != "" {
			set("name", given["scale-set"]+"_"+number)
		}
		set("resourceGroup", option("--resource-group", "-g"))
		if given["scale-set"] == "" {
			set("name", named("--name", "-n"))
		}
	case "cluster", "scale-set", "availability-set", "security-group", "route-table", "subnet":
		set("resourceGroup", option("--resource-group", "-g"))
		set("name", named("--name", "-n"))
	}
	return tree
}

// azStates are the words of states as they end and stand, and azState asks for nothing but such a word.
var (
	azStates = lazyregexp.New(`^(?:Succeeded|Failed|Canceled|Creating|Updating|Upgrading\w*|Scaling|Deleting|Starting|Stopping)$`)
	azState  = lazyregexp.New(`--query[ =]["']?(?:properties\.)?provisioningState["']?(?: |$)`)
)

// stateAlone is the resource whose state alone was printed, as the query of the command asked; nil if the line is none.
func stateAlone(command, line string) map[string]any {
	state := strings.Trim(strings.TrimSpace(line), `"`)
	if !azState.MatchString(command) || !azStates.MatchString(state) || answerType(command) == "" {
		return nil
	}
	return complete(map[string]any{"provisioningState": state}, command)
}

// answered are the resources of an answer, as they were before the query of the command; none where that cannot be told.
func answered(command string, answer any) (out []map[string]any) {
	q, asked := queried(command)
	if asked && q == nil {
		return nil
	}
	answer = q.back(nil, answer)
	if one, ok := answer.(map[string]any); ok && (len(one) > 1 || text(one, "name") == "") { // a name alone was given in the command
		if listed, ok := one["value"].([]any); ok {
			answer = listed
		} else {
			answer = []any{one}
		}
	}
	list, _ := answer.([]any)
	for _, item := range list {
		tree, ok := item.(map[string]any)
		if !ok {
			return nil
		}
		if tree = complete(tree, command); !cloudLike(tree, 0) {
			return nil
		}
		out = append(out, tree)
	}
	return out
}

// azWord is a value that az prints alone in its line.
var azWord = lazyregexp.New(`^[\w./:()-]+$`)

// value is what a line is that holds a value alone, or with tabs between those that the query chose; nil: it is none.
func (q *query) value(line string) any {
	line = strings.TrimSpace(line)
	if !strings.Contains(line, "\t") {
		if !azWord.MatchString(line) || line == "None" {
			return nil
		}
		return line
	}
	members := q.last().members
	var cells []any
	for cell := range strings.SplitSeq(line, "\t") {
		if cell == "None" {
			cells = append(cells, nil)
			continue
		}
		cells = append(cells, cell)
	}
	switch {
	case len(cells) != len(members):
		return nil
	case members[0].name == "":
		return cells
	}
	row := map[string]any{} // the values stand in the order of the query (knack, output.py and query.py)
	for i, m := range members {
		row[m.name] = cells[i]
	}
	return row
}

// azCell is a value in a line of its own that may have spaces.
var azCell = lazyregexp.New(`^[\w./:() -]{1,400}$`)

// sideBySide is how many values without names the query takes from one object, each of which az prints in a line of its own; 0: it
// takes none so.
func (q *query) sideBySide() int {
	members := q.last().members
	if q.lists() || slices.ContainsFunc(members, func(m member) bool { return m.name != "" }) {
		return 0
	}
	return len(members)
}

// line reads one that az printed with -o tsv after a query, and reports whether it is one.
func (a *azText) line(line string) bool {
	q, _ := queried(a.command)
	if q == nil || !strings.Contains(azOutput.FindString(a.command), "tsv") {
		return false
	}
	value := q.value(line)
	if n := q.sideBySide(); n > 0 && !strings.Contains(line, "\t") {
		if !azCell.MatchString(line) {
			return false
		}
		if text := strings.TrimSpace(line); value == nil && text != "None" {
			value = text
		}
		if a.cells = append(a.cells, value); len(a.cells) < n {
			return true
		}
		value, a.cells = a.cells, nil
	}
	if value == nil {
		return false
	}
	if q.lists() {
		value = []any{value}
	}
	objects := answered(a.command, value)
	for _, tree := range objects {
		a.to.Object(tree)
	}
	return len(objects) > 0
}

// azAside is what az says before its answer.
var azAside = lazyregexp.New(`^(?:\s*$|WARNING|The behavior of this command|Command group|This command|Argument )`)

// JSON reads a document, if it is the answer to the command before it.
func (a *azText) JSON(doc []byte) bool {
	if !a.awaits || !json.Valid(doc) {
		return false
	}
	a.awaits = false
	return a.answer(cloud.Tree(string(doc)))
}

// answer hands on the resources of an answer, and reports whether there are any.
func (a *azText) answer(answer any) bool {
	objects := answered(a.command, answer)
	for _, tree := range objects {
		a.to.Object(tree)
	}
	if len(objects) == 0 && strings.Contains(a.command, "--query") && !plain(answer) {
		a.to.Gap("what --query left of an answer of az does not tell what it is", "print it again: "+again(azOutput.ReplaceAllString(azQuery.ReplaceAllString(a.command, ""), "")))
	}
	return len(objects) > 0
}
