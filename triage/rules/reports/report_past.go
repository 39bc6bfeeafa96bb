package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Past reports what a node recorded while it was unreachable. A problem that is no longer there is resolved, and one that is still
// there began then. Without a new report the present state is unknown.
var Past = &triage.Rule{
	ID:    "report-past",
	Doc:   "Evaluates the reports that a node kept while the API server was unreachable, each as of its time, and compares them with what it reports now.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if len(r.Earlier) == 0 {
				return
			}
			past := pastOf(p, r.Earlier)
			when := fmt.Sprintf("from %s to %s", clock(r.Earlier[0].TakenAt), clock(r.Earlier[len(r.Earlier)-1].TakenAt))
			if r.TakenAt.IsZero() {
				p.Unknown(fmt.Sprintf("whether problems that %s saw while the API server was unreachable, %s, are resolved: %s", r.Node, when, facts.OrUnknown(wording.Some(titles(p, past...)))),
					"its agent has not reported since", "on the node: nodetriage node-check")
				return
			}
			now, clear := foundIn(p, r)
			var over []triage.Claim
			for _, c := range past {
				switch {
				case slices.ContainsFunc(now, func(n triage.Claim) bool { return n.Says == c.Says }):
					c.Certainty, c.Key = triage.Possible, "past"
					c.Summary = fmt.Sprintf("the node saw it at %s, while the API server was unreachable", clock(c.Since))
					p.Found(c)
				case clear[c.Says]:
					over = append(over, c)
				default:
					p.Unknown(fmt.Sprintf("whether the problem that %s saw at %s, while the API server was unreachable, is resolved: %s", r.Node, clock(c.Since), titles(p, c)[0]),
						"its report of "+clock(r.TakenAt)+" neither shows it nor rules it out", "on the node: nodetriage node-check")
				}
			}
			if len(over) == 0 {
				return
			}
			claim := triage.Claim{
				Says: "no-fault-transient", Subject: subject, Certainty: triage.Possible, Since: over[0].Since, Key: "away",
				Summary: fmt.Sprintf("the node saw this while the API server was unreachable (%s, %s), and it is resolved now: %s",
					when, wording.Count(len(r.Earlier), "report"), wording.Some(titles(p, over...))),
			}
			for _, c := range over {
				claim.Evidence = append(claim.Evidence, c.Evidence...)
			}
			p.Found(claim)
		})
	},
}

// pastOf returns the causes in any of the reports, each with the first report that shows it, in order of time.
func pastOf(p *triage.Pass, reports []*nodereport.Report) []triage.Claim {
	var out []triage.Claim
	seen := map[string]bool{}
	for _, r := range reports {
		found, _ := foundIn(p, r)
		for _, c := range found {
			if !seen[c.Says] {
				seen[c.Says], c.Since = true, r.TakenAt
				out = append(out, c)
			}
		}
	}
	return out
}

// foundIn returns the causes that one report alone shows as of its time, and those that it rules out. It returns one claim for each
// cause, and none that is only possible.
func foundIn(p *triage.Pass, r *nodereport.Report) (found []triage.Claim, clear map[string]bool) {
	alone := *r
	alone.Earlier = nil
	snapshot := evidence.New(evidence.Data{TakenAt: r.TakenAt, NodeReports: []*nodereport.Report{&alone}})
	in := triage.Input{Snapshot: snapshot, Catalog: p.Catalog, Signatures: p.Signatures, Rulebook: p.Rulebook}
	clear = map[string]bool{}
	for _, rule := range p.Rulebook.Rules {
		if rule.ID == "report-past" || len(rule.Needs) != 1 || rule.Needs[0] != evidence.NodeReports {
			continue
		}
		o := triage.Apply(in, rule)
		for _, c := range o.Claims {
			known := slices.ContainsFunc(found, func(f triage.Claim) bool { return f.Says == c.Says })
			if !known && c.Certainty != triage.Possible && p.Catalog.Cause(c.Says) != nil {
				found = append(found, c)
			}
		}
		for _, out := range o.RuledOut {
			clear[out.Cause] = true
		}
	}
	return found, clear
}

func titles(p *triage.Pass, claims ...triage.Claim) []string {
	var out []string
	for _, c := range claims {
		text := c.Summary
		if text == "" {
			text = p.Catalog.Cause(c.Says).Title
		}
		out = append(out, strings.TrimSuffix(text, "."))
	}
	return out
}

// clock formats a time.
func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }
