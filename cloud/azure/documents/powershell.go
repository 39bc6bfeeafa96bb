package documents

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Output of Azure PowerShell: a table whose dashes have the length of the column names, or a list of "Name : value"
// with an empty line between objects. The type is only in the command.
var (
	psCommand = lazyregexp.New(`(?:^|[>$;|=] ?)(Get-Az[A-Za-z]+)\b(.{0,400})`)
	psDashes  = lazyregexp.New(`^ *-+(?: +-+)+ *$`)
	psField   = lazyregexp.New(`^([A-Za-z][A-Za-z0-9 ]{0,40}?) *: ?(.*)$`)
	psOption  = lazyregexp.New(`(?i) -(ResourceGroupName|ClusterName|VMScaleSetName|InstanceId|Name|Location) +(?:"([^"]*)"|'([^']*)'|([^\s"']+))`)
	psEnds    = lazyregexp.New(`^PS [^>]*>|^[^ ]*[$#] \w|^(?:kubectl|az|sudo|crictl|journalctl) `) // the next command
	psMember  = lazyregexp.New(`(\w+)=([^;{}]*)`)
)

// psAnswers are the types of the command output, and the API names of renamed fields.
var psAnswers = map[string]struct {
	typ   string
	names map[string]string
}{
	"get-azakscluster":       {"Microsoft.ContainerService/managedClusters", nil},
	"get-azaksnodepool":      {"Microsoft.ContainerService/managedClusters/agentPools", nil},
	"get-azvmss":             {"Microsoft.Compute/virtualMachineScaleSets", nil},
	"get-azvmssvm":           {"Microsoft.Compute/virtualMachineScaleSets/virtualMachines", map[string]string{"instanceID": "instanceId"}},
	"get-azvm":               {"Microsoft.Compute/virtualMachines", nil},
	"get-azvmusage":          {"Microsoft.Compute/locations/usages", nil},
	"get-azresourcelock":     {"Microsoft.Authorization/locks", map[string]string{"lockId": "id", "lockLevel": "level"}},
	"get-azroleassignment":   {"Microsoft.Authorization/roleAssignments", map[string]string{"objectId": "principalId"}},
	"get-azpolicyassignment": {"Microsoft.Authorization/policyAssignments", nil},
	"get-azpolicystate":      {"Microsoft.PolicyInsights/policyStates", nil},
	"get-azactivitylog":      {"", map[string]string{"subscriptionId": ""}},
	"get-azlog":              {"", map[string]string{"subscriptionId": ""}},
}

// psOptions are the fields that options select.
var psOptions = map[string]string{"resourcegroupname": "resourceGroup", "clustername": clusterOfRow, "name": "name", "location": "location", "vmscalesetname": setOfMachine, "instanceid": "instanceId"}

// setOfMachine is an artificial field: the scale set in an option.
const setOfMachine = "azScaleSet"

// psText finds Azure PowerShell output in the lines of a text.
type psText struct {
	command string // the last command in lower case; empty: none, or unknown
	options string
	columns []azColumn
	names   string         // the previous line: the column names if dashes follow
	object  map[string]any // of a list, incomplete
	field   string         // current field, whose value may continue
	given   int
	hand    func(map[string]any) bool
}

// take reads a line, and reports whether it belongs to an answer.
func (t *psText) take(line string) bool {
	if strings.Contains(line, "Get-Az") {
		if m := psCommand.FindStringSubmatch(line); m != nil {
			t.begin(strings.ToLower(m[1]), m[2])
			return false
		}
	}
	if t.command != "" && psEnds.MatchString(line) {
		t.end()
	}
	if t.command == "" {
		return false
	}
	names := t.names
	t.names = line
	switch {
	case strings.TrimSpace(line) == "":
		t.next()
		return true
	case psDashes.MatchString(line) && names != "":
		t.next()
		t.head(names, line)
		return len(t.columns) > 0
	case len(t.columns) > 0:
		return t.row(line)
	}
	return t.value(line)
}

// begin starts the answer of a command.
func (t *psText) begin(command, options string) {
	t.end()
	if _, known := psAnswers[command]; known {
		t.command, t.options = command, options
	}
}

// head reads the column names above their dashes.
func (t *psText) head(names, dashes string) {
	if t.columns = underlined(names, dashes); len(t.columns) > maxAzColumns {
		t.columns = nil
	}
	t.columns = slices.DeleteFunc(t.columns, func(c azColumn) bool { return c.name == "" })
	for i := range t.columns {
		t.columns[i].name = jsonName(t.columns[i].name)
	}
}

// row reads a row. A word belongs to the column whose dashes it overlaps, else to the column of the previous word.
func (t *psText) row(text string) bool {
	line := []rune(text)
	cells := map[string]any{}
	column := ""
	for at := 0; at < len(line); {
		if line[at] == ' ' {
			at++
			continue
		}
		end := at
		for end < len(line) && line[end] != ' ' {
			end++
		}
		for _, c := range t.columns {
			if at < c.to && end > c.from {
				column = c.name
				break
			}
		}
		if column == "" {
			return false
		}
		if before, ok := cells[column].(string); ok {
			cells[column] = before + " " + string(line[at:end])
		} else {
			cells[column] = string(line[at:end])
		}
		at = end
	}
	t.give(cells)
	return true
}

// value reads a line of a list.
func (t *psText) value(line string) bool {
	if m := psField.FindStringSubmatch(line); m != nil && line[0] != ' ' {
		if t.object == nil {
			t.object = map[string]any{}
		}
		if t.field = jsonName(m[1]); len(t.object) < 200 {
			t.object[t.field] = strings.TrimSpace(m[2])
		}
		return true
	}
	before, ok := t.object[t.field].(string)
	if !ok || line[0] != ' ' || len(before) > maxFlatLine {
		return false
	}
	t.object[t.field] = before + strings.TrimSpace(line)
	return true
}

// next ends a table or an object of a list.
func (t *psText) next() {
	if len(t.object) > 1 {
		t.give(t.object)
	}
	t.object, t.field, t.columns = nil, "", nil
}

func (t *psText) end() {
	t.next()
	t.command, t.names = "", ""
}

// give passes on an object with the field names of the API.
func (t *psText) give(object map[string]any) {
	if t.given++; t.given > maxAzRows {
		return
	}
	tree := t.renamed(object)
	if group, ok := tree["resourceGroupName"]; ok {
		tree["resourceGroup"] = group
	}
	for _, m := range psOption.FindAllStringSubmatch(t.options, -1) {
		if name := psOptions[strings.ToLower(m[1])]; tree[name] == nil {
			tree[name] = m[2] + m[3] + m[4]
		}
	}
	if set, number := text(tree, setOfMachine), text(tree, "instanceId"); set != "" && number != "" && tree["name"] == nil {
		tree["name"] = set + "_" + number
	}
	t.status(tree)
	if tree["resourceGroup"] != nil && tree["level"] != nil {
		tree["scope"] = tree["resourceGroup"]
	}
	t.hand(tree)
}

// renamed returns the object with the type and the field names of the API. The members of an inner object become fields.
func (t *psText) renamed(object map[string]any) map[string]any {
	answer := psAnswers[t.command]
	tree := map[string]any{}
	if answer.typ != "" {
		tree["type"] = answer.typ
	}
	for name, v := range object {
		if other, renamed := answer.names[name]; renamed {
			name = other
		}
		if text, ok := v.(string); ok && strings.HasPrefix(text, "@{") {
			for _, m := range psMember.FindAllStringSubmatch(text, -1) {
				tree[m[1]] = strings.TrimSpace(m[2])
			}
			continue
		}
		if v != "" && name != "" {
			tree[name] = v
		}
	}
	return tree
}

// status restores the instance view from a selected status of an extension or a machine.
func (t *psText) status(tree map[string]any) {
	if text(tree, "code") == "" || text(tree, "displayStatus") == "" {
		return
	}
	one := map[string]any{}
	for _, name := range []string{"code", "displayStatus", "level", "message", "time"} {
		if v, ok := tree[name]; ok {
			one[name] = v
			delete(tree, name)
		}
	}
	if strings.Contains(t.options, "Extension") {
		tree["extensions"] = []any{map[string]any{"statuses": []any{one}}}
		return
	}
	tree["statuses"] = []any{one}
}

// jsonName converts a column name to JSON: "Current Value" to currentValue.
func jsonName(name string) string {
	name = strings.ReplaceAll(strings.TrimSpace(name), " ", "")
	if name == "" {
		return ""
	}
	return strings.ToLower(name[:1]) + name[1:]
}
