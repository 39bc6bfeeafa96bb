package documents

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// azTable has the rows of an az table: cells by their JSON names.
type azTable struct {
	columns []azColumn
	rows    []map[string]string
	chosen  *query // with which the command chose the columns; nil: the default columns
}

type azColumn struct {
	name     string
	from, to int // in characters; to: start of the next column
}

const (
	maxAzRows    = 5000
	maxAzColumns = 41
)

// azHeader matches a table header of az: capitalised words, separated by two or more spaces.
var azHeader = lazyregexp.New(`^[A-Z][A-Za-z]+(?: {2,}[A-Z][A-Za-z]+){2,} *$`)

// azTableNamed parses the header of a table that was pasted without dashes; nil if it is unknown.
func azTableNamed(names string) *azTable {
	if !azHeader.MatchString(names) {
		return nil
	}
	t := newAzTable(names, azName.ReplaceAllStringFunc(names, func(name string) string { return strings.Repeat("-", len(name)) }))
	if t == nil || t.kind().tree == nil {
		return nil
	}
	return t
}

var azName = lazyregexp.New(`[A-Za-z]+`)

// newAzTable parses the header with the dashes below it; nil if they do not match.
func newAzTable(names, dashes string) *azTable {
	t := &azTable{columns: underlined(names, dashes)}
	if slices.ContainsFunc(t.columns, func(c azColumn) bool { return c.name == "" || strings.Contains(c.name, " ") }) || len(t.columns) > maxAzColumns {
		return nil
	}
	for i := range t.columns {
		t.columns[i].to = 1 << 20
		if i+1 < len(t.columns) {
			t.columns[i].to = t.columns[i+1].from
		}
	}
	return t
}

// underlined returns the names with dashes below them, with the first letter as in JSON and the range of the dashes.
func underlined(names, dashes string) (out []azColumn) {
	header, line := []rune(names), []rune(dashes)
	for i := 0; i < len(line); i++ {
		if line[i] != '-' {
			continue
		}
		from := i
		for i < len(line) && line[i] == '-' {
			i++
		}
		name := strings.TrimSpace(string(header[min(from, len(header)):min(i, len(header))]))
		if name != "" {
			name = strings.ToLower(name[:1]) + name[1:]
		}
		out = append(out, azColumn{name, from, i})
	}
	return out
}

// take reads a row; false: the table has ended.
func (t *azTable) take(line string) bool {
	text := []rune(line)
	if strings.TrimSpace(line) == "" || len(t.rows) == maxAzRows {
		return false
	}
	row := map[string]string{}
	for i, c := range t.columns {
		if i > 0 && c.from <= len(text) && (text[c.from-1] != ' ' || text[c.from-2] != ' ') {
			return false // it spans the gap between two columns
		}
		if cell := strings.TrimSpace(string(text[min(c.from, len(text)):min(c.to, len(text))])); cell != "" {
			row[c.name] = cell
		}
	}
	if len(row) < 2 {
		return false
	}
	t.rows = append(t.rows, row)
	return true
}

// azKind is the type of the rows of an az table.
type azKind struct {
	columns []string // columns that identify it
	tree    func(row map[string]string) map[string]any
	missing string // facts that only JSON has
	why     string // facts about a failed row that only JSON has
}

// answer converts the table to its original JSON.
func (t *azTable) answer() any {
	var list []any
	for _, row := range t.rows {
		tree := map[string]any{}
		for column, cell := range row {
			tree[column] = cell
		}
		list = append(list, tree)
	}
	if len(list) == 1 && !t.chosen.lists() {
		return list[0]
	}
	return list
}

// kind returns the type of the rows.
func (t *azTable) kind() azKind {
	if t.chosen != nil {
		return azKind{}
	}
	for _, k := range azKinds {
		if !slices.ContainsFunc(k.columns, func(name string) bool {
			return !slices.ContainsFunc(t.columns, func(c azColumn) bool { return c.name == name })
		}) {
			return k
		}
	}
	return azKind{missing: "a table of az whose columns say nothing that is known here"}
}

// Columns of az tables (azure-cli, _format.py of aks, and the keys of the answers for other commands).
var azKinds = []azKind{
	{[]string{"name", "osType", "vmSize", "count", "provisioningState"}, as("Microsoft.ContainerService/managedClusters/agentPools", "kubernetesVersion", "orchestratorVersion"),
		"", "a table of pools does not say why one failed, nor its image and subnet"},
	{[]string{"name", "kubernetesVersion", "provisioningState", "fqdn"}, as("Microsoft.ContainerService/managedClusters"), "", "a table of clusters does not say why one failed"},
	{[]string{"instanceId", "latestModelApplied", "provisioningState"}, as("Microsoft.Compute/virtualMachineScaleSets/virtualMachines"),
		"a table of instances does not say whether they run, nor why one failed: --expand instanceView does", ""},
	{[]string{"name", "capacity", "upgradePolicy"}, azScaleSet, "a table of scale sets does not say whether one failed, nor how its machines are", ""},
	{[]string{"name", "powerState"}, as("Microsoft.Compute/virtualMachines"), "a table of machines does not say whether one failed, nor why", ""},
	{[]string{"name", "currentValue", "limit"}, azQuota, "", ""},
	{[]string{"localName", "currentValue", "limit"}, azQuota, "", ""},
	{[]string{"resourceType", "locations", "name", "restrictions"}, azSize, "", ""},
	{[]string{"level", "name", "resourceGroup"}, azLock, "", ""},
	{[]string{"principal", "role", "scope"}, as("Microsoft.Authorization/roleAssignments", "principal", "principalId", "role", "roleDefinitionName"), "", ""},
	{[]string{"enforcementMode", "name"}, as("Microsoft.Authorization/policyAssignments"), "", ""},
	{[]string{"access", "direction", "priority", "protocol"}, azRule, "", ""},
	{[]string{"complianceState", "policyAssignmentName", "policyDefinitionAction"}, as("Microsoft.PolicyInsights/policyStates"), "", ""},
	{[]string{"eventTimestamp", "operationName", "status"}, as(""), "", "a table of the activity log does not say why an operation failed"},
	{[]string{"eventTimestamp", "correlationId"}, nil, "a table of the activity log does not say what was done, how it ended and why", ""},
	{[]string{"namespace", "registrationState"}, as(""), "", ""},
}

// as returns a function that makes a resource of this type. names are pairs of a column and its API name.
func as(typ string, names ...string) func(map[string]string) map[string]any {
	return func(row map[string]string) map[string]any {
		tree := map[string]any{}
		if typ != "" {
			tree["type"] = typ
		}
		for column, cell := range row {
			if i := slices.Index(names, column); i >= 0 && i%2 == 0 {
				column = names[i+1]
			}
			tree[column] = cell
		}
		return tree
	}
}

// poolInSet matches the pool name in the name of its scale set.
var poolInSet = lazyregexp.New(`^aks-([a-z0-9]+)-\d+-vmss$`)

func azScaleSet(row map[string]string) map[string]any {
	tree := as("Microsoft.Compute/virtualMachineScaleSets")(row)
	tree["sku"] = map[string]any{"capacity": row["capacity"]}
	delete(tree, "capacity")
	return tree
}

func azQuota(row map[string]string) map[string]any {
	tree := as("Microsoft.Compute/locations/usages")(row)
	if name := row["localName"]; name != "" {
		tree["name"] = name
	}
	if name, _ := tree["name"].(string); strings.Contains(name, "Public IP") { // the API name has no spaces
		tree["name"] = strings.ReplaceAll(name, " ", "")
	}
	return tree
}

// azSize converts a row to a VM size: restrictions are "None" or "NotAvailableForSubscription, type: Zone, locations:
// westeurope, zones: 1,3", or a Python list of several (azure-cli, transform_sku_for_table_output of vm).
func azSize(row map[string]string) map[string]any {
	tree := as("")(row)
	tree["locationInfo"] = []any{map[string]any{"location": row["locations"]}}
	var restrictions []any
	for _, one := range restriction.FindAllStringSubmatch(row["restrictions"], -1) {
		var zones []any
		for _, zone := range strings.FieldsFunc(one[3], func(r rune) bool { return r == ',' || r == ' ' }) {
			zones = append(zones, zone)
		}
		restrictions = append(restrictions, map[string]any{"reasonCode": one[1], "type": one[2], "restrictionInfo": map[string]any{"zones": zones}})
	}
	tree["restrictions"] = restrictions
	return tree
}

var restriction = lazyregexp.New(`(\w+), type: (\w+)(?:, locations: [\w, ]*?)?(?:, zones: ([\d, ]+))?(?:['"\]]|$)`)

func azLock(row map[string]string) map[string]any {
	tree := as("Microsoft.Authorization/locks")(row)
	tree["scope"] = row["resourceGroup"]
	return tree
}

// azRule converts a row to a security rule. A cell with several values separates them with spaces.
func azRule(row map[string]string) map[string]any {
	tree := as("Microsoft.Network/networkSecurityGroups/securityRules")(row)
	for _, key := range []string{"sourcePortRanges", "sourceAddressPrefixes", "destinationPortRanges", "destinationAddressPrefixes"} {
		var cells []any
		for _, cell := range strings.Fields(row[key]) {
			cells = append(cells, cell)
		}
		tree[key] = cells
	}
	return tree
}
