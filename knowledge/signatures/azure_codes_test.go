package signatures_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// azureCode is one row of testdata/azure-codes.yaml.
type azureCode struct {
	Code  string   `json:"code"`
	Name  string   `json:"name"`
	Class string   `json:"class"`
	Text  string   `json:"text"`
	Says  []string `json:"says"`
}

// Every known code of AKS is recognised in its context: in the exit phrase and in the JSON of the bootstrap script, and as the
// code of an error. A code that many errors share needs its text.
func TestAzureCodes(t *testing.T) {
	raw, err := os.ReadFile("testdata/azure-codes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var codes struct{ Linux, Windows, ARM, Texts []azureCode }
	if err := yaml.UnmarshalStrict(raw, &codes); err != nil {
		t.Fatal(err)
	}
	if len(codes.Linux) < 130 || len(codes.Windows) < 84 || len(codes.ARM) < 120 || len(codes.Texts) < 20 {
		t.Errorf("the lists are short: %d, %d, %d, %d", len(codes.Linux), len(codes.Windows), len(codes.ARM), len(codes.Texts))
	}
	complete(t, "linux", codes.Linux)
	complete(t, "windows", codes.Windows)
	complete(t, "arm", slices.Concat(codes.ARM, codes.Texts, codes.Linux, codes.Windows))
	for _, c := range codes.Linux {
		says(t, c, fmt.Sprintf("Enable failed: failed to execute command: command terminated with exit status=%s", c.Code), "bootstrap-failed")
		says(t, c, fmt.Sprintf(`{\"ExitCode\": \"%s\", \"Output\": \"...\"}`, c.Code))
	}
	for _, c := range codes.Windows {
		says(t, c, fmt.Sprintf("CSE Error: WINDOWS_CSE_ERROR_%s. Exit Code: %s. Details: none", c.Name, c.Code))
	}
	for _, c := range codes.ARM {
		says(t, c, fmt.Sprintf(`"code": "%s"`, c.Code), "throttled")
	}
	for _, c := range codes.Texts {
		says(t, c, fmt.Sprintf(`"code": "%s" "message": "%s"`, c.Code, c.Text), "throttled", "drain-failed", "upgrade-failed", "control-plane-degraded", "pool-failed", "cloud-api-throttled")
	}
}

// A code that many errors share proves nothing alone, one that wraps others names no cause, and an unknown one matches nothing,
// in any form.
func TestAzureCodesAlone(t *testing.T) {
	cat, set := casetest.Builtin(t)
	want := reference(t)
	for list, most := range map[string]string{"ambiguous": "likely", "wrappers": "symptom", "invented": "nothing"} {
		if len(want[list]) < 8 {
			t.Errorf("the list %s is short", list)
		}
		for _, code := range want[list] {
			for _, line := range []string{
				fmt.Sprintf(`"code": "%s"`, code), fmt.Sprintf(`\"code\": \"%s\"`, code), fmt.Sprintf("(%s) it failed", code), fmt.Sprintf("SubCode: %s; Dependency: x;", code), fmt.Sprintf(`Code="%s" Message="it failed"`, code),
			} {
				tallies, err := set.Scan(strings.NewReader(line), signatures.Options{Kind: "cloud"})
				if err != nil {
					t.Fatal(err)
				}
				for _, tally := range tallies {
					s := tally.Signature
					if cause := cat.Cause(s.Says) != nil; most == "nothing" || cause && (most == "symptom" || s.Certainty == "certain") {
						t.Errorf("%s: %q says %s (%s) by %s", list, line, s.Says, s.Certainty, s.ID)
					}
				}
			}
		}
	}
}

// reference returns the lists of testdata/azure-reference.yaml.
func reference(t *testing.T) (lists map[string][]string) {
	t.Helper()
	raw, err := os.ReadFile("testdata/azure-reference.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(raw, &lists); err != nil {
		t.Fatal(err)
	}
	return lists
}

// complete checks that each code of the list in testdata/azure-reference.yaml has a row.
func complete(t *testing.T, list string, rows []azureCode) {
	t.Helper()
	want := reference(t)
	if len(want[list]) == 0 {
		t.Fatalf("there is no list %s", list)
	}
	for _, code := range want[list] {
		start, family := strings.CutSuffix(code, "*")
		if !slices.ContainsFunc(rows, func(c azureCode) bool {
			return c.Code == code || c.Name == code || family && strings.HasPrefix(c.Code, start)
		}) {
			t.Errorf("%s: no row for %s", list, code)
		}
	}
}

// says checks what the line reports: the row's causes, which have pages in the catalog, and only symptoms that may come with
// them.
func says(t *testing.T, c azureCode, line string, along ...string) {
	t.Helper()
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	cat, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	tallies, err := set.Scan(strings.NewReader(line), signatures.Options{Kind: "cloud"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tally := range tallies {
		got = append(got, tally.Signature.Says)
	}
	for _, want := range c.Says {
		if !slices.Contains(got, want) {
			t.Errorf("%s %s: %q says %v, not %s", c.Code, c.Name, line, got, want)
		}
		if cat.Cause(want) == nil && cat.Symptom(want) == nil {
			t.Errorf("%s %s: no page explains %s", c.Code, c.Name, want)
		}
	}
	for _, g := range got {
		if !slices.Contains(c.Says, g) && !slices.Contains(along, g) {
			t.Errorf("%s %s: %q says %s too", c.Code, c.Name, line, g)
		}
	}
}
