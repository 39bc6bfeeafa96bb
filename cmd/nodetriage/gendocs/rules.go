package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// rulesPage lists the rules in the order in which they run, with the evidence that each needs.
func rulesPage() []byte {
	var b bytes.Buffer
	b.WriteString(`<!-- Made by gendocs from the rules. -->
# Rules

A rule finds causes in facts of the evidence. It runs only if the evidence contains the data in the column "needs". The data in the column
"also reads" raises or lowers the certainty of its findings.
A finding names its rules in ` + "`-o json`" + `. Message patterns are not rules: see [knowledge.md](knowledge.md).

| rule | what it reads and concludes | needs | also reads |
| --- | --- | --- | --- |
`)
	for _, r := range rules.All().Rules {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.ID, strings.ReplaceAll(r.Doc, "|", "\\|"), needs(r), words(r.Reads, ", "))
	}
	return b.Bytes()
}

func needs(r *triage.Rule) string {
	all := words(r.Needs, ", ")
	if one := words(r.NeedsOne, " or "); one != "" {
		all = strings.TrimPrefix(all+", "+one, ", ")
	}
	return all
}

func words(kinds []evidence.Kind, between string) string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.Word())
	}
	return strings.Join(out, between)
}
