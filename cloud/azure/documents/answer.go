package documents

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Fields that no Azure document has. They carry facts from the command: the cluster of a pool, the security group of a
// rule, and a principal without roles.
const (
	clusterOfRow = "azCluster"
	groupOfRule  = "azSecurityGroup"
	noRole       = "azNoRole"
	leftOver     = "azAnswer" // what --query left, of unknown type
)

// azAnswers are the types of the output of az commands. Tables and --query output do not contain the type.
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

// answerType returns the type of the output of the command; "" if it is unknown or in the output.
func answerType(command string) string {
	if strings.HasPrefix(command, "az vmss get-instance-view ") && strings.Contains(command, " --instance-id") { // a star selects all instances
		return "Microsoft.Compute/virtualMachineScaleSets/virtualMachines"
	}
	for _, a := range azAnswers {
		if strings.HasPrefix(command+" ", a.command) {
			return a.typ
		}
	}
	return ""
}

// compliance matches the state that --filter selects.
var compliance = lazyregexp.New(`(?i)\bcomplianceState eq '(\w+)'`)

// complete adds to a resource the facts from the command that printed it.
func complete(tree map[string]any, command string) map[string]any {
	r := printed{tree: tree, command: command, option: options(command)}
	r.shows = strings.Contains(command+" ", " show ") || strings.Contains(command, " get-instance-view ")
	if cloudType(tree) == "other" && text(tree, "type") == "" {
		r.set("type", answerType(command))
	}
	if id := askedOf(azAsked, command); r.shows && resourceTypes[typeOfID(id)] == cloudType(tree) {
		r.set("id", id)
		r.set("name", id[strings.LastIndexByte(id, '/')+1:])
	}
	r.addFacts()
	if text(tree, "id") == "" {
		r.addNames(namesGiven(command))
	}
	return tree
}

// printed is a resource with the command that printed it.
type printed struct {
	tree    map[string]any
	command string
	option  func(names ...string) string
	shows   bool // the command prints one resource, so its options name this one
}

// set adds a fact that was not printed.
func (r *printed) set(key, value string) {
	if value != "" && text(r.tree, key) == "" {
		r.tree[key] = value
	}
}

// named returns the option with the name of the resource.
func (r *printed) named(options ...string) string {
	if !r.shows {
		return ""
	}
	return r.option(options...)
}

// addFacts adds what resources of one type lack, even with an ID.
func (r *printed) addFacts() {
	switch cloudType(r.tree) {
	case "role-assignment":
		if who := askedOf(azAssignee, r.command); who != "" { // a table has the name of an application or of its group
			r.tree["principalId"] = who
		}
	case "provider":
		r.set("namespace", r.named("--namespace", "-n"))
	case "lock":
		r.set("scope", r.option("--resource-group", "-g"))
	case "policy":
		if asked := compliance.FindStringSubmatch(r.command); asked != nil {
			r.set("complianceState", asked[1])
		}
	case "security-rule":
		r.set(groupOfRule, r.option("--nsg-name"))
		r.set("name", r.named("--name", "-n"))
	}
}

// addNames adds the names of a resource without an ID; given are the names of the cluster and the scale set in the command.
func (r *printed) addNames(given map[string]string) {
	switch cloudType(r.tree) {
	case "pool":
		r.set("resourceGroup", given["cluster-group"])
		r.set(clusterOfRow, given["cluster-name"])
		r.set("name", r.named("--nodepool-name", "--name", "-n"))
	case "instance":
		r.set("instanceId", r.option("--instance-id"))
		if number := text(r.tree, "instanceId"); given["scale-set"] != "" && number != "" {
			r.set("name", given["scale-set"]+"_"+number)
		}
		r.set("resourceGroup", r.option("--resource-group", "-g"))
		if given["scale-set"] == "" {
			r.set("name", r.named("--name", "-n"))
		}
	case "cluster", "scale-set", "availability-set", "security-group", "route-table", "subnet":
		r.set("resourceGroup", r.option("--resource-group", "-g"))
		r.set("name", r.named("--name", "-n"))
	}
}

// azStates are final and current states, and azState matches a query for only a state.
var (
	azStates = lazyregexp.New(`^(?:Succeeded|Failed|Canceled|Creating|Updating|Upgrading\w*|Scaling|Deleting|Starting|Stopping)$`)
	azState  = lazyregexp.New(`--query[ =]["']?(?:properties\.)?provisioningState["']?(?: |$)`)
)

// stateAlone returns the resource whose state the query of the command printed; nil if the line is not a state.
func stateAlone(command, line string) map[string]any {
	state := strings.Trim(strings.TrimSpace(line), `"`)
	if !azState.MatchString(command) || !azStates.MatchString(state) || answerType(command) == "" {
		return nil
	}
	return complete(map[string]any{"provisioningState": state}, command)
}

// answered returns the resources of an answer in their form before the query of the command; none if that is unknown.
func answered(command string, answer any) (out []map[string]any) {
	q, asked := queried(command)
	if asked && q == nil {
		return nil
	}
	answer = q.back(nil, answer)
	if one, ok := answer.(map[string]any); ok && (len(one) > 1 || text(one, "name") == "") { // only the command had a name
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

// azWord matches a value that az prints alone on a line.
var azWord = lazyregexp.New(`^[\w./:()-]+$`)

// value returns the value or the tab-separated values in a line; nil: none.
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
	row := map[string]any{} // values are in the order of the query (knack, output.py and query.py)
	for i, m := range members {
		row[m.name] = cells[i]
	}
	return row
}

// azCell matches a value on a line that may contain spaces.
var azCell = lazyregexp.New(`^[\w./:() -]{1,400}$`)

// sideBySide returns how many unnamed values the query selects per object, which az prints one per line; 0: none.
func (q *query) sideBySide() int {
	members := q.last().members
	if q.lists() || slices.ContainsFunc(members, func(m member) bool { return m.name != "" }) {
		return 0
	}
	return len(members)
}

// line reads a line of -o tsv output after a query, and reports whether it is one.
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

// azAside matches what az prints before its answer.
var azAside = lazyregexp.New(`^(?:\s*$|WARNING|The behavior of this command|Command group|This command|Argument )`)

// JSON reads a document if it is the answer to the previous command.
func (a *azText) JSON(doc []byte) bool {
	if !a.awaits || !json.Valid(doc) {
		return false
	}
	a.awaits = false
	return a.answer(cloud.Tree(string(doc)))
}

// answer passes on the resources of an answer, and reports whether there are any.
func (a *azText) answer(answer any) bool {
	objects := answered(a.command, answer)
	for _, tree := range objects {
		a.to.Object(tree)
	}
	if len(objects) == 0 && strings.Contains(a.command, "--query") && !plain(answer) {
		a.to.Gap("the kind of resource is unknown after az --query", "print it again: "+again(azOutput.ReplaceAllString(azQuery.ReplaceAllString(a.command, ""), "")))
	}
	return len(objects) > 0
}
