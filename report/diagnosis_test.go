package report

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// Evidence without a reported time is as old as the latest time that it shows.
func TestAsOf(t *testing.T) {
	first, last := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	r := &triage.Report{Source: "file a.log", Findings: []triage.Finding{{Cause: "disk-pressure", LastSeen: &last, Evidence: []evidence.Ref{{Source: "a.log", ObservedAt: first}}}}}
	if got, want := newDiagnosis(r).about(r.Source), "file a.log, as of 2026-03-01 10:00:00Z"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := newDiagnosis(&triage.Report{}).about("file a.log"), "file a.log"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A read that failed is no gap if its failure is the evidence.
func TestFailedReadIsEvidence(t *testing.T) {
	r := &triage.Report{
		Findings:   []triage.Finding{{Cause: "kubelet-stopped", Evidence: []evidence.Ref{{Source: "kubelet of node/a", Text: "connection refused"}}}},
		NotChecked: []triage.NotChecked{{What: "kubelet of node/a", Why: "connection refused"}, {What: "kubelet of node/b", Why: "timeout"}},
	}
	if got := newDiagnosis(r).gaps; len(got) != 1 || got[0].What != "kubelet of node/b" {
		t.Errorf("%v", got)
	}
}

// Without nodes and pods an impact is a possibility, for a certain cause too.
func TestImpactWithoutObjects(t *testing.T) {
	finding := triage.Finding{Cause: "a", Certainty: triage.Certain, Impact: "the pod stays Pending"}
	r := &triage.Report{Findings: []triage.Finding{finding}}
	if got, want := newImpact(r).says(1)[0], "Possibly the pod stays Pending"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Impact = &triage.Impact{Nodes: []triage.NodeState{{State: "Ready", Count: 1}}}
	if got, want := newImpact(r).says(1)[0], "The pod stays Pending"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A check says which result means what, once.
func TestExpects(t *testing.T) {
	for _, c := range []struct {
		expect shell.Text
		want   string
	}{
		{"inactive or failed.", "Expect: inactive or failed. Otherwise it is probably another cause"},
		{"an error. A list means that only this path is broken", "Expect: an error. A list means that only this path is broken"},
	} {
		if got := expects(catalog.Check{Expect: c.expect}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
