package rules_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// A case of a rule is triage/rules/testdata/<file of the rule>/<name>.txtar. Its case.yaml:
//
//	kind: found                # found, clear (looked and well) or unknown (could not tell)
//	at: 2026-03-01T10:00:00Z   # optional: the time of the evidence
//	complete: [nodes, pods]    # optional: kinds that were read as a whole
//	node: w1                   # optional: the evidence was gathered for this node alone
//
// kubelets.yaml holds a list of evidence.Kubelet; every other file is read as diagnose would.
type caseFile struct {
	Kind     string          `json:"kind"`
	At       time.Time       `json:"at"`
	Complete []evidence.Kind `json:"complete"`
	Node     string          `json:"node"`
}

func TestRules(t *testing.T) {
	in := knowledge(t)
	for _, r := range rules.All().Rules {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			kinds := map[string]bool{}
			casetest.Run(t, filepath.Join("testdata", file(r), "*.txtar"), func(t *testing.T, c *casetest.Case) {
				var f caseFile
				c.YAML(t, "case.yaml", &f)
				kinds[f.Kind] = true
				in := in
				in.Snapshot = snapshot(t, c, &f)
				o := triage.Apply(in, r)
				if !fits(&o, f.Kind) {
					t.Errorf("the case is of kind %q, but the rule says otherwise:\n%s", f.Kind, print(&o))
				}
				c.Want(t, "want", print(&o))
				in.Snapshot = declared(in.Snapshot, r)
				if without := triage.Apply(in, r); print(&without) != print(&o) {
					t.Errorf("the rule reads more than it declares: with nothing but %v it says\n%s", slices.Concat(r.Needs, r.NeedsOne, r.Reads), print(&without))
				}
			})
			for _, kind := range []string{"found", "clear", "unknown"} {
				if !kinds[kind] {
					t.Errorf("no case of kind %s in testdata/%s", kind, file(r))
				}
			}
		})
	}
}

// fits reports whether an outcome is of the kind: found has a claim, clear is a rule that ran without a claim, unknown is a rule
// that did not run or ruled nothing out.
func fits(o *triage.Outcome, kind string) bool {
	switch kind {
	case "found":
		return len(o.Claims) > 0
	case "clear":
		return len(o.Claims) == 0 && len(o.Missing) == 0 && len(o.Unknown) == 0
	case "unknown":
		return len(o.Claims) == 0 && (len(o.RuledOut) == 0 || len(o.Unknown) > 0) // some causes may be ruled out, but the cause is still unknown
	}
	return false
}

func knowledge(t testing.TB) triage.Input {
	t.Helper()
	cat, set := casetest.Builtin(t)
	return triage.Input{Catalog: cat, Signatures: set, Rulebook: rules.All()}
}

func snapshot(t *testing.T, c *casetest.Case, h *caseFile) *evidence.Snapshot {
	t.Helper()
	b := collect.NewBuilder(evidence.Source{Kind: "case", Node: h.Node}, knowledge(t).Signatures)
	b.TakenAt(h.At)
	for _, f := range c.Files("case.yaml", "want") {
		if f.Name != "kubelets.yaml" {
			b.AddStream(f.Name, strings.NewReader(string(f.Data)))
			continue
		}
		var list []*evidence.Kubelet
		c.YAML(t, f.Name, &list)
		b.Edit(func(d *evidence.Data, _ *evidence.Templates) { d.Kubelets = append(d.Kubelets, list...) })
	}
	for _, k := range h.Complete {
		b.Cover(k, evidence.Complete)
	}
	s := b.Snapshot()
	for _, g := range s.Gaps() {
		t.Errorf("the evidence of the case cannot be read: %s: %s", g.What, g.Why)
	}
	return s
}

// print formats an outcome for review.
func print(o *triage.Outcome) string {
	var out strings.Builder
	for _, k := range o.Missing {
		fmt.Fprintf(&out, "not asked: the evidence has no %s\n", k)
	}
	for _, c := range o.Claims {
		fmt.Fprintf(&out, "found %s", c.Says)
		if c.Certainty != "" {
			fmt.Fprintf(&out, " (%s)", strings.TrimSpace(string(c.Certainty)+" "+string(c.Severity)))
		}
		fmt.Fprintf(&out, " on %s", c.Subject)
		if c.Summary != "" {
			fmt.Fprintf(&out, ": %s", c.Summary)
		}
		fmt.Fprintln(&out)
		for _, r := range c.Evidence {
			fmt.Fprintf(&out, "  by %s %s: %s\n", r.Source, r.Locator, r.Text)
		}
	}
	for _, pair := range o.Pairs {
		how := "first %s, then %s\n"
		if pair.Follows {
			how = "from %s follows %s\n"
		}
		fmt.Fprintf(&out, how, pair.First, pair.Then)
	}
	for _, e := range o.Over {
		since := ""
		if !e.Claim.Since.IsZero() {
			since = " since " + e.Claim.Since.UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(&out, "over %s on %s%s: %s\n", e.Claim.Says, e.Claim.Subject, since, e.By)
	}
	for _, r := range o.RuledOut {
		fmt.Fprintf(&out, "ruled out %s on %s: %s\n", r.Cause, r.Subject, r.Because)
	}
	for _, u := range o.Unknown {
		fmt.Fprintf(&out, "not checked: %s: %s; %s\n", u.What, u.Why, u.How)
	}
	return out.String()
}

// file returns the name of a rule's file and of the folder of its cases.
func file(r *triage.Rule) string { return strings.ReplaceAll(r.ID, "-", "_") }

// support are files in rule folders without a rule, and what they contain. They are not in facts because only one folder needs
// them.
var support = map[string]string{
	"nodes/cordon_design.go":                "which cordons of the control plane are by design",
	"reports/report_certificate_refused.go": "which certificate ended before the kubelet was refused",
	"rules.go":                              "the list, generated",
	"rulebook.go":                           "the list with endings and doubts, which have tests of their own",
	"messages/innermost.go":                 "which of several reasons in one error of a cloud is the answer",
	"messages/innermost_error.go":           "what the innermost error of a line says",
	"messages/second_opinion.go":            "which words stand in lines that are read for sure",
	"messages/reason_dropped.go":            "why a matched message says nothing about now",
	"messages/of_client.go":                 "whom a line of an API server about a client is about",
	"messages/component_families.go":        "which cause a failing component stands for",
	"messages/family_of_line.go":            "which component wrote a line, and which cause of its family it gets",
	"nodes/file_systems.go":                 "how full the kubelet's file systems are",
	"nodes/strain.go":                       "which problems of a node many pods can cause",
	"kubelet/relists.go":                    "what figures of relists tell",
	"nodes/upgrade_hold.go":                 "what a drain waits for, and the cloud's operation",
	"cloud/machine_ids.go":                  "the ids of machines and their scale sets",
	"cloud/cloud_order.go":                  "which of several errors of the cloud is the answer",
	"cloud/cloud_sizes.go":                  "sizes that cannot be had, where no pool of them was read",
	"cloud/cloud_well.go":                   "that all of the cloud that was read is well",
	"cloud/cloud_story.go":                  "which entries of an activity log belong together",
	"cloud/cloud_standing.go":               "what can be why a pool failed of which no error was read",
	"cloud/cloud_outbound_closed.go":        "what a security group does of which no node complains",
	"cloud/cloud_required.go":               "what a cluster must reach, and commands that ask the cloud for more",
	"reports/cni_has_plugins.go":            "whether the plugins of a network configuration are there, of report-cni",
	"reports/cni_not_loaded.go":             "whether the runtime has loaded a network configuration, of report-cni",
}

// besideRules are the folders without rules.
var besideRules = map[string]bool{"facts": true, "endings": true, "doubts": true}

// sources returns the Go files of the rules and of shared packages, by their path below rules.
func sources(t *testing.T) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The list of rules, their files and the folders of their cases match.
func TestListFilesAndCases(t *testing.T) {
	var listed []string
	for _, r := range rules.All().Rules {
		listed = append(listed, file(r))
	}
	slices.Sort(listed)
	var files, folders []string
	helpers := map[string]bool{}
	for _, path := range sources(t) {
		switch {
		case support[path] != "":
			helpers[path] = true
		case filepath.Base(path) != "doc.go" && !besideRules[filepath.Dir(path)]:
			files = append(files, strings.TrimSuffix(filepath.Base(path), ".go"))
		}
	}
	slices.Sort(files)
	for path := range support {
		if !helpers[path] {
			t.Errorf("%s is named as a support file but does not exist", path)
		}
	}
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, e.Name())
		}
	}
	if !slices.Equal(listed, files) {
		t.Errorf("rules and files differ:\nlisted %v\nfiles  %v", listed, files)
	}
	if !slices.Equal(listed, folders) {
		t.Errorf("rules and folders of cases differ:\nlisted  %v\nfolders %v", listed, folders)
	}
}

// Every rule is documented and small, and claims only ids of the catalog.
func TestRulesAreSound(t *testing.T) {
	in := knowledge(t)
	if err := triage.Validate(rules.All().Rules); err != nil {
		t.Error(err)
	}
	for _, path := range sources(t) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(source), "\n"); lines > 120 && path != "rules.go" {
			t.Errorf("%s has %d lines: a rule has under 120", path, lines)
		}
		for _, id := range saidIn(string(source)) {
			if in.Catalog.Cause(id) == nil && in.Catalog.Symptom(id) == nil {
				t.Errorf("%s says %q, which is neither a cause nor a symptom", path, id)
			}
		}
	}
}
