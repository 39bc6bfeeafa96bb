package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// sarifLog is what GitHub reads of a log.
type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct {
					ID         string
					HelpURI    string
					Short      struct{ Text string } `json:"shortDescription"`
					Properties struct{ Tags []string }
				}
			}
		}
		Results []struct {
			RuleID              string
			RuleIndex           *int
			Level               string
			Message             struct{ Text string }
			PartialFingerprints map[string]string
			Properties          map[string]any
			Locations           []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           struct{ StartLine int }
				}
			}
		}
		Invocations []any
	}
}

func sarifSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile("testdata/sarif/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	delete(tree, "$schema") // draft 4, whose keywords in this schema mean the same in later drafts
	delete(tree, "id")
	if text, err = json.Marshal(tree); err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A log fits the schema of the standard and the limits of GitHub, however much was found.
func TestSARIFFitsSchemaAndLimits(t *testing.T) {
	schema := sarifSchema(t)
	big := &check.Review{Source: "cluster big", Weaknesses: []check.Weakness{{Check: "unmanaged", Title: strings.Repeat("a title ", 300), Harm: check.Low}, {Check: "budget-never", Title: "A budget", Harm: check.High}}}
	for i := range 30_000 {
		w := &big.Weaknesses[i%2]
		w.Subjects = append(w.Subjects, evidence.PodSubject("shop", fmt.Sprint("web-", i, strings.Repeat("x", 200))))
		w.Details = append(w.Details, strings.Repeat("a detail ", 500))
	}
	logs := map[string]func(*bytes.Buffer) error{
		"huge":  func(b *bytes.Buffer) error { return report.SARIF(b, hugeReport(), "v0") },
		"check": func(b *bytes.Buffer) error { return report.ReviewSARIF(b, big, "v0") },
		"empty": func(b *bytes.Buffer) error { return report.SARIF(b, &triage.Report{}, "") },
		"cases": func(b *bytes.Buffer) error {
			return report.TestRunSARIF(b, &report.CaseRun{Cases: []report.CaseResult{{Name: "cases/a.txtar", Problem: "nothing was found"}}}, "v0")
		},
	}
	for _, name := range incidents {
		logs[name] = func(b *bytes.Buffer) error { return report.SARIF(b, readIncident(t, name).report, "v0") }
	}
	for name, write := range logs {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			var tree any
			if err := json.Unmarshal(b.Bytes(), &tree); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(tree); err != nil {
				t.Errorf("not SARIF: %v", err)
			}
			var log sarifLog
			if err := json.Unmarshal(b.Bytes(), &log); err != nil {
				t.Fatal(err)
			}
			judgeLimits(t, b.Len(), &log)
			if name == "check" && (len(log.Runs[0].Invocations) != 1 || log.Runs[0].Results[0].RuleID != "budget-never") {
				t.Error("what is left out is not reported, or the worst results are not first")
			}
		})
	}
}

func judgeLimits(t *testing.T, size int, log *sarifLog) {
	t.Helper()
	run := log.Runs[0]
	if size > 10<<20 || len(run.Results) > 5000 || len(run.Tool.Driver.Rules) > 25_000 {
		t.Errorf("%d bytes, %d results, %d rules", size, len(run.Results), len(run.Tool.Driver.Rules))
	}
	for _, r := range run.Tool.Driver.Rules {
		if len(r.ID) > 255 || len(r.Short.Text) > 1024 || len(r.Properties.Tags) > 20 || r.Properties.Tags == nil {
			t.Errorf("rule %.80s", r.ID)
		}
		if u, err := url.Parse(r.HelpURI); err != nil || u.Scheme != "https" {
			t.Errorf("rule %s: %q is no help", r.ID, r.HelpURI)
		}
	}
	for _, r := range run.Results {
		if r.RuleIndex == nil || run.Tool.Driver.Rules[*r.RuleIndex].ID != r.RuleID {
			t.Fatalf("%s: no index of its rule", r.RuleID)
		}
		if len(r.Message.Text) > 1024 || len(r.Locations) == 0 || len(r.Locations) > 1000 || r.PartialFingerprints["primaryLocationLineHash"] == "" || r.Properties["security-severity"] != nil {
			t.Fatalf("%s: %+v", r.RuleID, r)
		}
		for _, l := range r.Locations {
			if u, err := url.Parse(l.PhysicalLocation.ArtifactLocation.URI); err != nil || u.IsAbs() || u.Path == "" || l.PhysicalLocation.Region.StartLine < 1 {
				t.Fatalf("%s: %+v", r.RuleID, l)
			}
		}
	}
}
