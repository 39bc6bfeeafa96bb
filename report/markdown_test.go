package report_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// hugeReport has more of everything than a ticket has lines.
func hugeReport() *triage.Report {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	r := &triage.Report{Verdict: triage.Broken, Source: "cluster big", TakenAt: &at}
	text := strings.Repeat("a long line of a log ", 100)
	for i := range 500 {
		f := triage.Finding{Cause: fmt.Sprintf("cause-%d", i), Title: "A cause", Certainty: triage.Likely, Severity: catalog.Error, Summary: "it is broken"}
		for k := range 20 {
			f.Evidence = append(f.Evidence, evidence.Ref{Source: "kubelet.log", Locator: fmt.Sprint("line ", k+1), Text: fmt.Sprint(k, text)})
			f.Remedies = append(f.Remedies, catalog.Remedy{Title: "Restart it", Risk: "low", Commands: []shell.Text{"a", "b", "c", "d", "e"}})
			f.Confirm = append(f.Confirm, catalog.Check{Run: "systemctl status kubelet", Where: "node", Expect: "inactive"})
			f.Cautions, f.Verify = append(f.Cautions, "Do not reboot."), append(f.Verify, "the node is Ready")
			f.Subjects = append(f.Subjects, evidence.NodeSubject(fmt.Sprint("n", k)))
		}
		r.Findings = append(r.Findings, f)
		r.Symptoms = append(r.Symptoms, triage.Symptom{ID: fmt.Sprint("symptom-", i), Title: "A symptom", Look: "the log", Evidence: f.Evidence})
		r.Over = append(r.Over, triage.Over{Cause: f.Cause, Title: f.Title, EndedBy: fmt.Sprint("restart ", i)})
		r.NotChecked = append(r.NotChecked, triage.NotChecked{What: f.Cause, Why: "refused by " + f.Cause})
		r.RuledOut = append(r.RuledOut, triage.RuledOut{Cause: fmt.Sprint("other-", i), Because: "it runs"})
		r.StandsOut = append(r.StandsOut, triage.Line{Text: text, Source: "log", Locator: fmt.Sprint("line ", i)})
		r.Waiting = append(r.Waiting, triage.Waiting{Pods: f.Subjects, Reason: "no node fits", How: "nodetriage why x"})
	}
	return r
}

// A ticket has at most 60 lines. What is left out is counted, and no code block is cut.
func TestMarkdownFitsATicket(t *testing.T) {
	list := map[string]*triage.Report{"huge": hugeReport()}
	symptoms := hugeReport()
	symptoms.Findings = nil
	for i := range symptoms.Symptoms {
		symptoms.Symptoms[i].Checks = hugeReport().Findings[0].Confirm
	}
	list["symptoms"] = symptoms
	for _, name := range incidents {
		list[name] = readIncident(t, name).report
	}
	for name, r := range list {
		var b bytes.Buffer
		if err := report.Markdown(&b, r); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if n := strings.Count(text, "\n"); n > 60 {
			t.Errorf("%s: %d lines:\n%s", name, n, text)
		}
		if strings.Count(text, "```")%2 != 0 {
			t.Errorf("%s: an open code block:\n%s", name, text)
		}
		for line := range strings.Lines(text) {
			if len(line) > 1500 {
				t.Errorf("%s: a line of %d characters: %.80s", name, len(line), line)
			}
		}
	}
	var b bytes.Buffer
	if err := report.Markdown(&b, list["huge"]); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## BROKEN: ", "Impact: ", "### Cause: ", "### Check on the node\n", "\nExpect: inactive. Otherwise it is probably another cause\n", "### Fix\n", "### Do not\n", "### Verify\n",
		"Other findings: 499", "Ruled out", "Not checked", "Resolved", "`-o wide`"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the ticket has no %q:\n%s", want, b.String())
		}
	}
}

// banned are phrases of former versions that are not those of a Kubernetes engineer.
var banned = regexp.MustCompile(`(?i)if this is the cause|tells its causes|easily taken for|least harmful|look next|without a cause in this|Also found|Stands out|follows from|has otherwise|and healthy nodes do not:|\(on: |recognised by|left out by|what is odd`)

// All recorded forms use the words of the field.
func TestFormsUseTheWordsOfTheField(t *testing.T) {
	paths, err := filepath.Glob("testdata/*/*.golden")
	if err != nil || len(paths) < 50 {
		t.Fatalf("%d forms: %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if says := banned.FindString(string(text)); says != "" {
			t.Errorf("%s: %q", path, says)
		}
	}
}
