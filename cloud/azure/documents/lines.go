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

// What az prints as text. A table has a line of dashes below its names, which tell how wide its columns are; in YAML
// nothing but the command tells what it is. Lines with tabs have no names: see tabs.go.
var (
	azDashes  = lazyregexp.New(`^-+(?:  -+)+\s*$`)
	azCommand = lazyregexp.New(`(?:^|[$#>%❯➜λ»] ?|` + "`" + `)(az (?:aks|vmss|vm|monitor|lock|network|account|policy|role|provider|resource|group|rest) .{1,400})`)
	azNames   = lazyregexp.New(`(?m)^[A-Z][A-Za-z]+ {2,}.*\b(?:ProvisioningState|PowerState|CurrentValue|UpgradePolicy|RegistrationState|ComplianceState|EventTimestamp)\b|^Level {2,}Name {2,}ResourceGroup`)
	azValue   = lazyregexp.New(`^(?:\{.|\[[^\]]|"|\d+$)`)
	azNamed   = lazyregexp.New(`^[A-Z]\w*(?: {2,}[A-Z]\w*)+ *$`)
	azOutput  = lazyregexp.New(`(?:^| )(-o|--output)[ =](table|tsv|yaml|yamlc)\b`)
)

// azText finds what az printed among the lines of a text.
type azText struct {
	to       *toldPools
	command  string // of az, that was given last
	prompted bool   // it stands behind a prompt
	listed   bool   // its answer has begun, a value in each line
	awaits   bool   // its answer: nothing but what az says before one came since
	shell    psText // what Azure PowerShell printed
	before   string // the line before
	rows     *azTable
	yaml     *bytes.Buffer // what followed a command that prints YAML
	quoted   bool          // the YAML is inside of a quoted text
	told     bool          // that lines with tabs tell nothing
	cells    []any         // values of one answer, a line for each, as far as they came
	half     string        // a command that goes on in the next line
}

// Shows reports by the start of a text whether there may be tables, YAML or lines of az in it.
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

// azColumns are names of which azNames has one.
var azColumns = [][]byte{
	[]byte("ProvisioningState"), []byte("PowerState"), []byte("CurrentValue"), []byte("UpgradePolicy"), []byte("RegistrationState"), []byte("ComplianceState"), []byte("EventTimestamp"),
	[]byte("ResourceGroup"),
}

// Lines begins to read a text.
func (Decoder) Lines(to cloud.Sink) cloud.Lines {
	pools := &toldPools{Sink: to}
	return &azText{to: pools, shell: psText{hand: pools.Object}}
}

// Take reads a line, and reports whether it is one of az' own: then nothing else is to read it.
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
		a.End()
		a.to.recognised()
		a.cells = nil
		a.command, a.awaits, a.prompted = wording.Cut(strings.TrimRight(c[1], " `"), maxName), true, azPrompt.MatchString(line)
		if o := azOutput.FindStringSubmatch(a.command); o != nil && strings.HasPrefix(o[2], "yaml") {
			a.yaml, a.quoted = &bytes.Buffer{}, false
		}
		return false
	}
	next := azTableNamed(line)
	if next != nil {
		a.awaits, a.listed = false, false
	} else if a.begins(line) {
		return true
	}
	dashes := azDashes.MatchString(line)
	switch {
	case next != nil && a.rows != nil:
		a.End()
		return a.begin(next)
	case a.rows != nil && !dashes && a.rows.take(line):
		return true
	case a.yaml != nil && a.inYAML(line):
		return true
	}
	if dashes && a.rows != nil && len(a.rows.rows) == 0 {
		return true // below names that were enough
	}
	if dashes && a.rows != nil {
		a.rows.rows = a.rows.rows[:len(a.rows.rows)-1] // the names of the next table, which are no row
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

// begins reads the first line of an answer, and those of a list of values; false: it is none, or what is to come tells what it is.
func (a *azText) begins(line string) bool {
	first := a.awaits
	listed := (first || a.listed) && a.line(line)
	if first && !listed && azValue.MatchString(line) && a.JSON([]byte(line)) {
		return true
	}
	a.awaits, a.listed = first && !listed && azAside.MatchString(line), listed
	return listed || first && (a.short(line) || a.columns(line))
}

// columns reports whether a line holds the names of the columns of a table that was asked for: its dashes follow.
func (a *azText) columns(line string) bool {
	return azNamed.MatchString(line) && strings.Contains(azOutput.FindString(a.command), "table")
}

// whole joins a command that goes on over lines, with what the shell puts before them; false: it is not at its end.
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

// spoken hands on the commands of az that a line tells of, for the names in them.
func (a *azText) spoken(line string) {
	if !strings.Contains(line, "az ") {
		return
	}
	for _, m := range azSpoken.FindAllStringSubmatch(line, -1) {
		a.to.Object(map[string]any{commandKey: m[0]})
	}
}

// azPrompt is a line in which somebody gives the next command.
var azPrompt = lazyregexp.New(`^(?:[^\s$#>%❯➜λ»]* ?|PS [^>]*|\[[^\]]*\])[$#>%❯➜λ»] ?[a-z]`)

// printedNothing says what it means where the next command follows one that was to print a table or lines: an empty list has none.
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

// short reads the one line that a command printed: a state that was asked for alone, or an empty list.
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

// noRoles tells that somebody of whom all roles were asked for has none, and reports whether the command asked so.
func (a *azText) noRoles() bool {
	return askedOf(azAssignee, a.command) != "" && strings.HasPrefix(a.command, "az role assignment list ") && strings.Contains(a.command+" ", " --all ") &&
		a.to.Object(complete(map[string]any{noRole: "true"}, a.command))
}

// tabs reads what a line with tabs tells for sure, and says once that this is not all.
func (a *azText) tabs(line string) bool {
	if !a.told {
		a.told = true
		a.to.Gap("lines with tabs, as az prints with -o tsv, do not say what their columns are: no more than ids, states, images and sizes of pools and instances can be read", "print it again: "+a.again())
	}
	if strings.Contains(a.command, "--query") {
		return false
	}
	tree := tsvRow(line)
	return tree != nil && a.to.Object(tree)
}

// yamlLine reports whether a line may stand in YAML: below a key, in a list, or with a key of its own. An empty one ends it, but in a
// quoted text, of which it is an end of a line.
func (a *azText) yamlLine(line string) bool {
	if line == "" {
		return a.quoted
	}
	return line[0] == ' ' || line[0] == '-' || azKey.MatchString(line)
}

// inYAML reports whether the line belongs to what the command printed.
func (a *azText) inYAML(line string) bool {
	if a.yaml.Len() > maxCloud || !a.yamlLine(line) {
		return false
	}
	a.quoted = a.quoted != (strings.Count(line, "'")%2 == 1)
	a.yaml.WriteString(line + "\n")
	return true
}

// printedYAML hands on what az printed as YAML: what --query left of an answer as the answer had it. Where that cannot be told, its
// texts are searched all the same.
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

// again is the command that prints what can be read.
func (a *azText) again() shell.Text {
	command := a.command
	if strings.Contains(command, " activity-log ") && !strings.Contains(command, "tatusMessage") {
		command = azQuery.ReplaceAllString(command, "") // it leaves out why something failed
	}
	return again(azOutput.ReplaceAllString(command, " "))
}

// again is the command as it was typed, with another form of output; words for it where it does more than read. The text may be a
// stranger's: what prints secrets, or sends a token elsewhere as az rest can, is not told to anyone.
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

// End hands on what came so far.
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

// begin starts a table, if it is known; else its rows are left to others.
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

// rowFailed reports whether something in the row failed.
func rowFailed(row map[string]string) bool {
	return stage(row["provisioningState"]) == evidence.StageFailed || stage(row["status"]) == evidence.StageFailed
}

// azYAML are lines that only the resources of Azure have.
var azYAML = lazyregexp.New(`(?m)^ *(?:- )?(?:provisioningState|nodeImageVersion|eventTimestamp|vmSize|resourceGroup|latestModelApplied|localName|complianceState): |^ *(?:- )?id: /subscriptions/`)

// YAML reports by the start of a document whether it is what az prints as YAML.
func (Decoder) YAML(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return azKey.Match(first) && azYAML.Match(text)
}

var azKey = lazyregexp.New(`^(?:- )?[a-z][A-Za-z0-9]*:(?: |\r?$)`)
