package rules_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

const (
	// recordedFile lists, for each rule, cases from real clusters in which the rule makes a claim of the report.
	recordedFile = "testdata/recorded.yaml"
	perRule      = 2
	leastRules   = 61 // may only rise
)

var updateRecorded = flag.Bool("update-recorded", false, "find the cases of testdata/recorded.yaml again")

// Rules make claims on evidence from real clusters and from the lab, not only on fixtures that were written for them.
func TestRulesOnRecordedEvidence(t *testing.T) {
	if *updateRecorded {
		writeRecorded(t)
	}
	var listed map[string][]string
	text, err := os.ReadFile(recordedFile)
	if err == nil {
		err = yaml.UnmarshalStrict(text, &listed)
	}
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, r := range rules.All().Rules {
		known[r.ID] = true
	}
	for rule, names := range listed {
		if !known[rule] {
			t.Errorf("%s lists %s, which is no rule", recordedFile, rule)
		}
		for _, name := range names {
			if !slices.Contains(claimants(t, readCase(t, "../../cases/"+name+".txtar")), rule) {
				t.Errorf("%s makes no claim on %s", rule, name)
			}
		}
	}
	rest := map[string]bool{}
	for rule := range known {
		rest[rule] = listed[rule] == nil && !hasRecordedFixture(t, rule)
	}
	maps.DeleteFunc(rest, func(_ string, handwritten bool) bool { return !handwritten })
	if got := len(known) - len(rest); got < leastRules {
		t.Errorf("%d of %d rules make a claim on recorded evidence, at least %d have to. Those on evidence written by hand alone: %v", got, len(known), leastRules, slices.Sorted(maps.Keys(rest)))
	}
}

// hasRecordedFixture reports whether a fixture on which a rule makes a claim was cut from evidence of a real cluster. TestRules
// plays it.
func hasRecordedFixture(t *testing.T, rule string) bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", strings.ReplaceAll(rule, "-", "_"), "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		recorded := strings.HasPrefix(string(text), "Recorded ") || strings.HasPrefix(string(text), "Captured ")
		return recorded && strings.Contains(string(text), "\nkind: found\n")
	})
}

// writeRecorded finds the cases: those recorded in the lab first, then those captured elsewhere.
func writeRecorded(t *testing.T) {
	t.Helper()
	all, err := cases.Find("../../cases")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string][]string{}
	for _, provenance := range []string{"recorded", "captured"} {
		for _, c := range all {
			if c.Truth.Provenance != provenance {
				continue
			}
			for _, rule := range claimants(t, c) {
				if len(listed[rule]) < perRule {
					listed[rule] = append(listed[rule], strings.TrimPrefix(strings.TrimSuffix(c.Name, ".txtar"), "../../cases/"))
				}
			}
		}
	}
	text, err := yaml.Marshal(listed)
	if err == nil {
		text = append([]byte("# Cases from real clusters on which each rule makes a claim. Written by: go test ./triage/rules -run RecordedEvidence -update-recorded\n"), text...)
		err = os.WriteFile(recordedFile, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func readCase(t *testing.T, path string) cases.Case {
	t.Helper()
	found, err := cases.Find(path)
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %d cases, %v", path, len(found), err)
	}
	return found[0]
}

// claimants returns the rules with claims in the report of a case, as findings or symptoms.
func claimants(t *testing.T, c cases.Case) []string {
	t.Helper()
	in := knowledge(t)
	b := collect.NewBuilder(evidence.Source{Kind: "case", Name: c.Name}, in.Signatures)
	if err := b.AddFS(c.Evidence); err != nil {
		t.Fatal(err)
	}
	in.Snapshot, in.Trace = b.Snapshot(), &triage.Trace{}
	triage.Run(in)
	var out []string
	for _, st := range in.Trace.Statements {
		if st.Place == triage.LeftOut {
			continue
		}
		for _, claim := range st.Claims {
			if !slices.Contains(out, claim.Rule) {
				out = append(out, claim.Rule)
			}
		}
	}
	return out
}
