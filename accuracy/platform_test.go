package accuracy

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// platformOf selects one case in that many, on each platform.
const platformOf = 3

var everyCase = flag.Bool("every", false, "retell every case on every platform, not a sample")

// ofPlatform lists cases in which the platform is part of the cause, with the reason.
var ofPlatform = map[string]string{
	"cloud-host-maintenance/aws-system-impaired":         "the record of the cloud is of the machine that the provider id of the node names",
	"cloud-host-maintenance/aws-system-reboot-under-way": "the record of the cloud is of the machine that the provider id of the node names",
	"pod-density-limit/describe-of-a-full-node":          "what the description counts is not in the object by which the node is retold",
	"unknown/azure-health-available":                     "a machine of Azure whose node has no provider id is a finding",
	"upgrade-in-progress/plain-node-by-node":             "that the versions of the nodes differ is the evidence",
}

// A case with nodes of another platform has the same first cause, and shows no command that is missing on the platform. Each case is played
// on a fifth of the platforms, others each day.
func TestCasesOnPlatforms(t *testing.T) {
	w := sharedWorld(t)
	names := slices.Sorted(maps.Keys(casetest.Platforms))
	var cases []*Case
	for _, c := range w.Cases {
		sampled := *everyCase || chance(FigureSeed, "platform", c.Name).IntN(platformOf) == 0
		if sampled && c.unfit() == "" {
			cases = append(cases, c)
		}
	}
	problems := make([][]string, len(cases))
	parallel(len(cases), func(i int) {
		for _, name := range names {
			if !*everyCase && !ofToday(5, "platform", cases[i].Name, name) {
				continue
			}
			report := retold(w.Engine, cases[i], casetest.Platforms[name])
			if report == nil {
				continue
			}
			if p := sameFirst(cases[i], Answer{Report: report}); p.Reason != "" && ofPlatform[cases[i].Name] == "" {
				problems[i] = append(problems[i], name+": "+p.Detail)
			}
			for _, f := range report.Findings {
				for _, command := range missing(&f, casetest.Platforms[name]) {
					problems[i] = append(problems[i], fmt.Sprintf("%s: %s: %s", name, f.Cause, command))
				}
			}
		}
	})
	for i, list := range problems {
		for _, p := range list {
			t.Errorf("%s: %s", cases[i].Name, p)
		}
	}
	if len(cases) < 100 {
		t.Errorf("only %d cases were tried", len(cases))
	}
}

// retold returns the report of a case whose nodes are objects of the platform; nil if it is unknown where its commands would
// run. If the evidence has no node, the one of its first finding is added.
func retold(e *Engine, c *Case, p casetest.Platform) *triage.Report {
	b := collect.NewBuilder(evidence.Source{Kind: "folder", Name: "case"}, e.signatures)
	if err := b.AddFS(c.Files.FS()); err != nil {
		b.Gap("evidence", err.Error(), "")
	}
	d := *b.Snapshot().Data()
	list := d.Nodes
	d.Nodes = nil
	if first := c.Base().First(); len(list) == 0 && first != nil && first.Subject.Kind == "Node" {
		n := &corev1.Node{}
		n.Name = first.Subject.Name
		list = append(list, &evidence.Node{Node: n})
	}
	if len(list) == 0 {
		return nil
	}
	for _, n := range list {
		own := n.DeepCopy()
		own.Spec.ProviderID = ""
		p.Dress(own)
		d.Nodes = append(d.Nodes, &evidence.Node{Node: own, Ref: n.Ref})
	}
	return triage.Run(triage.Input{Snapshot: evidence.New(d), Catalog: e.catalog, Signatures: e.signatures, Rulebook: rules.All()})
}

// missing returns the commands of the finding that do not exist on the platform.
func missing(f *triage.Finding, p casetest.Platform) (out []string) {
	for _, c := range f.Confirm {
		if p.Missing(string(c.Run), c.Where) {
			out = append(out, string(c.Run))
		}
	}
	for _, r := range f.Remedies {
		for _, c := range r.Commands {
			if p.Missing(string(c), cmp.Or(r.Place(c), "node")) {
				out = append(out, string(c))
			}
		}
	}
	return out
}
