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

What nodetriage concludes from facts. A rule runs if the evidence has what it needs. Other evidence that it reads raises or lowers its certainty.
A finding names its rules in ` + "`-o json`" + `. What messages mean is data: see [knowledge.md](knowledge.md).

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
