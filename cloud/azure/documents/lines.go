package documents

import (
	"bytes"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// Text output of az. A table has a line of dashes below its header, which define the column widths. The type of YAML is
// only in the command. Tab-separated lines have no header: see tabs.go.
var (
	azDashes  = lazyregexp.New(`^-+(?:  -+)+\s*$`)
	azCommand = lazyregexp.New(`(?:^|[$#>%❯➜λ»] ?|` + "`" + `)(az (?:aks|vmss|vm|monitor|lock|network|account|policy|role|provider|resource|group|rest) .{1,400})`)
	azNames   = lazyregexp.New(`(?m)^[A-Z][A-Za-z]+ {2,}.*\b(?:ProvisioningState|PowerState|CurrentValue|UpgradePolicy|RegistrationState|ComplianceState|EventTimestamp)\b|^Level {2,}Name {2,}ResourceGroup`)
	azValue   = lazyregexp.New(`^(?:\{.|\[[^\]]|"|\d+$)`)
	azNamed   = lazyregexp.New(`^[A-Z]\w*(?: {2,}[A-Z]\w*)+ *$`)
	azOutput  = lazyregexp.New(`(?:^| )(-o|--output)[ =](table|tsv|yaml|yamlc)\b`)
)

// azText finds az output in the lines of a text.
type azText struct {
	to       *toldPools
	command  string // the last az command
	prompted bool   // the command is after a prompt
	listed   bool   // its answer has started, one value per line
	awaits   bool   // its answer has not started; only messages of az followed
	shell    psText // output of Azure PowerShell
	before   string // the previous line
	rows     *azTable
	yaml     *bytes.Buffer // output of a command that prints YAML
	quoted   bool          // the YAML is inside a quoted string
	told     bool          // the gap for tab-separated lines was reported
	cells    []any         // values of one answer so far, one per line
	half     string        // a command that continues on the next line
}

// Shows reports by the start of a text whether it may contain tables, YAML or lines of az.
func (Decoder) Shows(start []byte) bool {
	switch {
	case bytes.Contains(start, []byte("\n--")) && bytes.Contains(start, []byte("--  --")), bytes.Contains(start, []byte("\t/subscriptions/")):
		return true
	case bytes.Contains(start, []byte("az ")) && (azCommand.Match(start) || azSpoken.Match(start)),
		bytes.Contains(start, []byte("Get-Az")) && psCommand.Match(start),
		bytes.Contains(start, []byte("ailed")) && aboutAzure.Match(start) && failedInWords.Match(start):
		return true
	}
	return slices.ContainsFunc(azColumns, func(name []byte) bool { return bytes.Contains(start, name) }) && azNames.Match(start)
}

// azColumns are column names that match azNames.
var azColumns = [][]byte{
	[]byte("ProvisioningState"), []byte("PowerState"), []byte("CurrentValue"), []byte("UpgradePolicy"), []byte("RegistrationState"), []byte("ComplianceState"), []byte("EventTimestamp"),
	[]byte("ResourceGroup"),
}

// Lines starts reading a text.
func (Decoder) Lines(to cloud.Sink) cloud.Lines {
	pools := &toldPools{Sink: to}
	return &azText{to: pools, shell: psText{hand: pools.Object}}
}

// Take reads a line, and reports whether it belongs to az output. No other decoder must read it then.
func (a *azText) Take(raw []byte) bool {
	line := strings.TrimRight(string(raw[:min(len(raw), maxFlatLine)]), "\r\n")
	before := a.before
	a.before = line
	line, whole := a.whole(line)
	if !whole {
		return false
	}
	a.spoken(line)
	a.to.hear(line)
	a.printedNothing(line)
	if a.shell.take(line) {
		return true
	}
	if c := azCommand.FindStringSubmatch(line); c != nil {
		a.typed(c[1], azPrompt.MatchString(line))
		return false
	}
	next := azTableNamed(line)
	if next != nil {
		a.awaits, a.listed = false, false
	} else if a.begins(line) {
		return true
	}
	dashes := azDashes.MatchString(line)
	if nextTable := next != nil && a.rows != nil; !nextTable && a.continues(line, dashes) {
		return true
	}
	a.End()
	if dashes {
		return a.begin(newAzTable(before, line))
	}
	if next != nil {
		return a.begin(next)
	}
	if strings.Count(line, "\t") >= 2 && (strings.Contains(line, "\t/subscriptions/") || strings.Contains(a.command, "tsv")) {
		return a.tabs(line)
	}
	return false
}

// typed begins the output of a command.
func (a *azText) typed(command string, prompted bool) {
	a.End()
	a.to.recognised()
	a.cells = nil
	a.command, a.awaits, a.prompted = wording.Cut(strings.TrimRight(command, " `"), maxName), true, prompted
	if o := azOutput.FindStringSubmatch(a.command); o != nil && strings.HasPrefix(o[2], "yaml") {
		a.yaml, a.quoted = &bytes.Buffer{}, false
	}
}

// continues reports whether a line is part of the open table or YAML document.
func (a *azText) continues(line string, dashes bool) bool {
	switch {
	case a.rows != nil && !dashes && a.rows.take(line):
		return true
	case a.yaml != nil && a.inYAML(line):
		return true
	case a.rows == nil || !dashes:
		return false
	case len(a.rows.rows) == 0:
		return true // after a sufficient header
	}
	a.rows.rows = a.rows.rows[:len(a.rows.rows)-1] // the header of the next table, not a row
	return false
}

// begins reads the first line of an answer, or of a list of values; false: it is none, or the next lines decide.
func (a *azText) begins(line string) bool {
	first := a.awaits
	listed := (first || a.listed) && a.line(line)
	if first && !listed && azValue.MatchString(line) && a.JSON([]byte(line)) {
		return true
	}
	a.awaits, a.listed = first && !listed && azAside.MatchString(line), listed
	return listed || first && (a.short(line) || a.columns(line))
}

// columns reports whether a line is the header of a requested table, whose dashes follow.
func (a *azText) columns(line string) bool {
	return azNamed.MatchString(line) && strings.Contains(azOutput.FindString(a.command), "table")
}

// whole joins a command that continues over several lines, without shell prompts; false: it is not complete.
func (a *azText) whole(line string) (string, bool) {
	if a.half != "" {
		line, a.half = a.half+strings.TrimLeft(line, "> \t"), ""
	}
	begun, more := strings.CutSuffix(strings.TrimRight(line, " "), "\\")
	if more && len(begun) < maxFlatLine && strings.Contains(begun, "az ") {
		a.half = strings.TrimRight(begun, " ") + " "
		return "", false
	}
	a.before = line
	return line, true
}

// spoken passes on the az commands in a line, for the names in them.
func (a *azText) spoken(line string) {
	if !strings.Contains(line, "az ") {
		return
	}
	for _, m := range azSpoken.FindAllStringSubmatch(line, -1) {
		a.to.Object(map[string]any{commandKey: m[0]})
	}
}

// azPrompt matches a line with the next command.
var azPrompt = lazyregexp.New(`^(?:[^\s$#>%❯➜λ»]* ?|PS [^>]*|\[[^\]]*\])[$#>%❯➜λ»] ?[a-z]`)

// printedNothing reports an empty list if the next command follows directly after one that prints a table or lines.
func (a *azText) printedNothing(line string) {
	if !a.awaits || !a.prompted || !azPrompt.MatchString(line) {
		return
	}
	a.awaits = false
	if form := azOutput.FindStringSubmatch(a.command); form == nil || form[2] != "table" && form[2] != "tsv" {
		return
	}
	if why, how, known := nothing(a.command); known {
		a.to.Gap("nothing was printed: if the command ran, "+why, how)
	}
}

// short reads a one-line answer: a queried state, or an empty list.
func (a *azText) short(line string) bool {
	if tree := stateAlone(a.command, line); tree != nil {
		return a.to.Object(tree)
	}
	why, how, known := nothing(a.command)
	if known && strings.TrimSpace(line) == "[]" {
		if !a.noRoles() {
			a.to.Gap(why, how)
		}
		return true
	}
	return false
}

// noRoles reports that a principal has no roles after a query for all its roles, and whether the command was such a
// query.
func (a *azText) noRoles() bool {
	return askedOf(azAssignee, a.command) != "" && strings.HasPrefix(a.command, "az role assignment list ") && strings.Contains(a.command+" ", " --all ") &&
		a.to.Object(complete(map[string]any{noRole: "true"}, a.command))
}

// tabs reads the unambiguous cells of a tab-separated line, and reports once that the rest is missing.
func (a *azText) tabs(line string) bool {
	if !a.told {
		a.told = true
		a.to.Gap("lines of az -o tsv have no column names: only IDs, states, images and sizes of pools and instances can be read", "print it again: "+a.again())
	}
	if strings.Contains(a.command, "--query") {
		return false
	}
	tree := tsvRow(line)
	return tree != nil && a.to.Object(tree)
}

// yamlLine reports whether a line may be YAML: nested, a list item, or a key. An empty line ends YAML except inside a
// quoted string, where it is a line break.
func (a *azText) yamlLine(line string) bool {
	if line == "" {
		return a.quoted
	}
	return line[0] == ' ' || line[0] == '-' || azKey.MatchString(line)
}

// inYAML reports whether the line belongs to the output of the command.
func (a *azText) inYAML(line string) bool {
	if a.yaml.Len() > maxCloud || !a.yamlLine(line) {
		return false
	}
	a.quoted = a.quoted != (strings.Count(line, "'")%2 == 1)
	a.yaml.WriteString(line + "\n")
	return true
}

// printedYAML passes on YAML output of az, with --query reverted. If that is not possible, only its texts are searched.
func (a *azText) printedYAML(text []byte) {
	if !strings.Contains(a.command, "--query") && a.to.YAML(text) {
		return
	}
	raw, err := bounds.YAMLToJSON(text)
	if err != nil {
		a.to.Gap("the YAML of az cannot be read", "print it again: "+a.again())
		return
	}
	if answer := cloud.Tree(string(raw)); !a.answer(answer) {
		a.to.Object(map[string]any{leftOver: answer})
	}
}

// again returns the command for a readable output.
func (a *azText) again() shell.Text {
	command := a.command
	if strings.Contains(command, " activity-log ") && !strings.Contains(command, "tatusMessage") {
		command = azQuery.ReplaceAllString(command, "") // the query omits error messages
	}
	return again(azOutput.ReplaceAllString(command, " "))
}

// again returns the command with another output format, or a description if it does not only read. The text may be from
// an attacker, so commands that print secrets or send tokens elsewhere, such as az rest, are never shown.
func again(command string) shell.Text {
	typed, ok := shell.Typed(command)
	if !ok || azSecrets.MatchString(string(typed)) || !azReads.MatchString(string(typed)) && !azGets.MatchString(string(typed)) {
		return "the same az command with -o json"
	}
	return typed + " -o json"
}

var (
	azReads   = lazyregexp.New(`^az (?:[a-z][a-z-]* )+?(?:show|list|get|check)[a-z-]*(?: |$)`)
	azGets    = lazyregexp.New(`^az rest(?: (?:(?:-m|--method)[ =]["']?(?:get|GET)["']?|(?:-u|--url|--uri)[ =]["']?(?:https://management\.azure\.com)?/[^\s"']*["']?|--query[ =](?:"[^"]*"|'[^']*'|[^\s"']+)))+$`)
	azSecrets = lazyregexp.New(`\b(?:keys?|secrets?|credentials?|tokens?|passwords?|connection-strings?|keyvault)\b`)
)

// End passes on the rest.
func (a *azText) End() {
	a.shell.next()
	if a.rows != nil {
		a.table()
	}
	a.rows = nil
	if a.yaml != nil && a.yaml.Len() > 0 {
		a.printedYAML(a.yaml.Bytes())
	}
	a.yaml = nil
}

// begin starts a known table. Other decoders read the rows of unknown tables.
func (a *azText) begin(t *azTable) bool {
	if t == nil {
		return false
	}
	t.chosen, _ = queried(a.command)
	kind := t.kind()
	if kind.missing != "" && (kind.columns != nil || a.command != "") {
		a.to.Gap(kind.missing, "print it again: "+a.again())
	}
	if kind.tree != nil || t.chosen != nil {
		a.rows = t
	}
	return a.rows != nil
}

func (a *azText) table() {
	if a.rows.chosen != nil {
		a.answer(a.rows.answer())
		return
	}
	kind := a.rows.kind()
	if kind.why != "" && slices.ContainsFunc(a.rows.rows, rowFailed) {
		a.to.Gap(kind.why, "print it again: "+a.again())
	}
	for _, row := range a.rows.rows {
		a.to.Object(complete(kind.tree(row), a.command))
	}
}

// rowFailed reports whether a cell of the row is a failure.
func rowFailed(row map[string]string) bool {
	return stage(row["provisioningState"]) == evidence.StageFailed || stage(row["status"]) == evidence.StageFailed
}

// azYAML matches lines that only Azure resources have.
var azYAML = lazyregexp.New(`(?m)^ *(?:- )?(?:provisioningState|nodeImageVersion|eventTimestamp|vmSize|resourceGroup|latestModelApplied|localName|complianceState): |^ *(?:- )?id: /subscriptions/`)

// YAML reports by the start of a document whether it is YAML output of az.
func (Decoder) YAML(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return azKey.Match(first) && azYAML.Match(text)
}

var azKey = lazyregexp.New(`^(?:- )?[a-z][A-Za-z0-9]*:(?: |\r?$)`)
