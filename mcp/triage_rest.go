package mcp

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// restOf returns what follows the first cause of a report, the most important first.
func restOf(r *triage.Report, c *catalog.Catalog, k *kept) []Item {
	var out []Item
	if len(r.Findings) > 0 {
		out = aboutFirst(&r.Findings[0], c)
		for i := range r.Findings[1:] {
			f := &r.Findings[i+1]
			item := findingItem(f, c, k)
			if f.ExplainedBy != "" {
				item.Kind = "effect"
			}
			out = append(out, item)
		}
	}
	for _, y := range r.Symptoms {
		if y.ExplainedBy == "" {
			out = append(out, symptomItem(y, c))
		}
	}
	for _, l := range r.StandsOut {
		out = append(out, lineItem(l))
	}
	return append(out, around(r, c)...)
}

// moreEvidence is how many pieces of evidence of the first finding follow its decisive line.
const moreEvidence = 3

// aboutFirst returns other evidence of the first finding, its fixes, and how to verify them.
func aboutFirst(f *triage.Finding, c *catalog.Catalog) []Item {
	words := wordsOf(c, f.Cause, f.Title)
	var out []Item
	for i, m := range f.Remedies {
		if f.Certainty != triage.Certain || i != nextFix(f) {
			out = append(out, fixItem(m, words))
		}
	}
	most := len(out) + moreEvidence
	shown := decisive(f.Evidence)
	for i := range f.Evidence {
		if p := &f.Evidence[i]; p != shown && len(out) < most {
			out = append(out, Item{Kind: "evidence", Untrusted: Data{Line: p.Text, Source: joined(p.Source, p.Locator), At: moment(&p.ObservedAt)}})
		}
	}
	if len(f.Verify) > 0 {
		out = append(out, Item{Kind: "verify", Says: "what to check after the fix; verify_node checks more", Untrusted: Data{Says: listed(commands(f.Verify)...)}})
	}
	return out
}

// around returns what surrounds the faults: common properties, changes, resolved problems, waiting pods, and what is ruled out.
func around(r *triage.Report, c *catalog.Catalog) []Item {
	var out []Item
	for _, x := range r.Cohorts {
		out = append(out, Item{
			Kind: "shared", Says: "properties of these nodes that healthy nodes do not have", From: moment(x.Since),
			Untrusted: Data{Objects: x.Nodes, Says: pairs(x.Shared)},
		})
	}
	for _, x := range r.ChangedBefore {
		out = append(out, Item{Kind: "change", Says: "changed shortly before the fault; not necessarily the reason", From: moment(&x.At), Untrusted: Data{Objects: names([]evidence.Subject{x.Subject}), Says: x.What, Source: x.Source}})
	}
	for _, x := range r.Waiting {
		out = append(out, Item{Kind: "waiting", Says: "pods without a node", From: moment(x.Since), Untrusted: Data{Objects: names(x.Pods), Says: x.Reason, Commands: commands([]shell.Text{x.How})}})
	}
	for _, x := range r.Over {
		out = append(out, Item{
			Kind: "resolved", ID: x.Cause, Says: wordsOf(c, x.Cause, x.Title).title, From: moment(x.From), To: moment(x.To),
			Untrusted: Data{Objects: names([]evidence.Subject{x.Subject}), Says: x.EndedBy},
		})
	}
	for _, x := range r.RuledOut {
		out = append(out, Item{Kind: "ruled-out", ID: x.Cause, Untrusted: Data{Objects: names([]evidence.Subject{x.Subject}), Says: x.Because}})
	}
	if n := len(r.Ignored); n > 0 {
		out = append(out, Item{Kind: "suppressed", Says: fmt.Sprint(n, " findings are suppressed by exceptions")})
	}
	return out
}
