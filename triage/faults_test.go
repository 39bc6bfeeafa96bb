package triage_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// A fault is a group with something to repair; a group without a cause is one too.
func TestFaults(t *testing.T) {
	r := &triage.Report{
		Findings: []triage.Finding{{Cause: "runtime-hung", Severity: catalog.Critical}, {Cause: "no-fault-transient", Severity: catalog.Info}},
		Groups: []triage.Group{
			{Cause: "runtime-hung", Findings: []string{"runtime-hung", "no-fault-transient"}},
			{Cause: "no-fault-transient", Findings: []string{"no-fault-transient"}},
			{Symptoms: []string{"node-not-ready"}},
		},
	}
	got := r.Faults()
	if len(got) != 2 || got[0].Cause != "runtime-hung" || got[1].Cause != "" {
		t.Errorf("got %+v", got)
	}
}
