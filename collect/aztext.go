package collect

import (
	"bytes"
	"encoding/json"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/lazyregexp"
)

// What az prints as text. A table has a line of dashes below its names, which tell how wide its columns are; in YAML
// nothing but the command tells what it is. Lines with tabs have no names: see aztsv.go.
var (
	azDashes  = lazyregexp.New(`^-+(?:  -+)+\s*$`)
	azCommand = lazyregexp.New(`(?:^|[$#>%] ?|` + "`" + `)(az (?:aks|vmss|vm|monitor|lock|network|account|policy|role|provider|resource|group|rest) .{1,400})`)
	azOutput  = lazyregexp.New(`(?:^| )(-o|--output)[ =](table|tsv|yaml|yamlc)\b`)
)

// azText finds what az printed among the lines of a text.
type azText struct {
	b       *Builder
	doc     document
	command string // of az, that was given last
	before  string // the line before
	rows    *azTable
	yaml    *bytes.Buffer // what followed a command that prints YAML
	told    bool          // that lines with tabs tell nothing
}

// showsAz tells by the start of a text whether there is any of it.
func showsAz(start []byte) bool {
	return bytes.Contains(start, []byte("\n--")) && bytes.Contains(start, []byte("--  --")) || azCommand.Match(start) || bytes.Contains(start, []byte("\t/subscriptions/"))
}

// take reads a line, and tells whether it is one of az' own: then nothing else is to read it.
func (a *azText) take(raw []byte) bool {
	line := strings.TrimRight(string(raw[:min(len(raw), maxFlatLine)]), "\r\n")
	before := a.before
	a.before = line
	if c := azCommand.FindStringSubmatch(line); c != nil {
		a.end()
		a.command = Bound(strings.TrimRight(c[1], " `"), maxName)
		if o := azOutput.FindStringSubmatch(a.command); o != nil && strings.HasPrefix(o[2], "yaml") {
			a.yaml = &bytes.Buffer{}
		}
		return false
	}
	switch {
	case a.rows != nil && a.rows.take(line):
		return true
	case a.yaml != nil && a.inYAML(line):
		return true
	}
	a.end()
	if azDashes.MatchString(line) {
		return a.begin(newAzTable(before, line))
	}
	if strings.Count(line, "\t") >= 2 && (strings.Contains(line, "\t/subscriptions/") || strings.Contains(a.command, "tsv")) {
		return a.tabs(line)
	}
	return false
}

// tabs reads what a line with tabs tells for sure, and says once that this is not all.
func (a *azText) tabs(line string) bool {
	if !a.told {
		a.told = true
		a.b.Gap(a.doc.name, "lines with tabs, as az prints with -o tsv, do not say what their columns are: no more than ids, states, images and sizes of pools and instances can be read", "print it again: "+a.again())
	}
	if strings.Contains(a.command, "--query") {
		return false
	}
	tree := tsvRow(line)
	raw, err := json.Marshal(tree)
	return tree != nil && err == nil && a.b.addCloudTree(a.doc.name, tree, raw)
}

// inYAML tells whether the line belongs to what the command printed.
func (a *azText) inYAML(line string) bool {
	if line == "" || line[0] != ' ' && line[0] != '-' && !azKey.MatchString(line) || a.yaml.Len() > maxCloud {
		return false
	}
	a.yaml.WriteString(line + "\n")
	return true
}

// again is the command that prints what can be read.
func (a *azText) again() string {
	if a.command == "" {
		return "the same az command with -o json"
	}
	return strings.TrimSpace(azOutput.ReplaceAllString(a.command, " ")) + " -o json"
}

// end hands on what came so far.
func (a *azText) end() {
	if a.rows != nil {
		a.table()
	}
	a.rows = nil
	if a.yaml != nil && a.yaml.Len() > 0 && !a.b.addAzYAML(a.doc, a.yaml.Bytes()) {
		a.b.Gap(a.doc.name, "the YAML of az cannot be read", "print it again: "+a.again())
	}
	a.yaml = nil
}

// begin starts a table, if it is known; else its rows are left to others.
func (a *azText) begin(t *azTable) bool {
	if t == nil {
		return false
	}
	kind := t.kind()
	if kind.missing != "" && (kind.columns != nil || a.command != "") {
		a.b.Gap(a.doc.name, kind.missing, "print it again: "+a.again())
	}
	if kind.tree != nil {
		a.rows = t
	}
	return kind.tree != nil
}

func (a *azText) table() {
	kind := a.rows.kind()
	for _, row := range a.rows.rows {
		tree := kind.tree(row)
		if raw, err := json.Marshal(tree); err == nil {
			a.b.addCloudTree(a.doc.name, tree, raw)
		}
	}
}

// addAzYAML adds the resources that az printed as YAML, one or a list.
func (b *Builder) addAzYAML(d document, text []byte) bool {
	raw, err := yaml.YAMLToJSON(text)
	return err == nil && b.addBlock(d, raw)
}

// azYAML are lines that only the resources of Azure have.
var azYAML = lazyregexp.New(`(?m)^ *(?:- )?(?:provisioningState|nodeImageVersion|eventTimestamp|vmSize|resourceGroup|latestModelApplied|localName|complianceState): |^ *(?:- )?id: /subscriptions/`)

// looksLikeAzYAML tells by the start of a document whether it is what az prints as YAML.
func looksLikeAzYAML(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return azKey.Match(first) && azYAML.Match(text)
}

var azKey = lazyregexp.New(`^(?:- )?[a-z][A-Za-z0-9]*:(?: |\r?$)`)
