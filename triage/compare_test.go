package triage_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// A cause is found again, ruled out by a fact, checked again without a finding, or not checked.
func TestCompare(t *testing.T) {
	w3, w4 := evidence.NodeSubject("worker-3"), evidence.NodeSubject("worker-4")
	finding := func(cause string, severity catalog.Severity, rule string, on ...evidence.Subject) triage.Finding {
		return triage.Finding{Cause: cause, Title: cause, Severity: severity, Subject: on[0], Subjects: on, Rules: []string{rule}, Summary: "seen"}
	}
	before := &triage.Report{Findings: []triage.Finding{
		finding("disk-pressure", catalog.Error, "disk", w3, w4),
		finding("runtime-hung", catalog.Critical, "report-runtime", w3),
		finding("kernel-bug", catalog.Error, "messages", w3),
		finding("no-fault-transient", catalog.Info, "flaps", w3),
	}}
	after := &triage.Report{
		Findings: []triage.Finding{finding("disk-pressure", catalog.Error, "disk", w4), finding("swap-enabled", catalog.Warning, "report-memory", w3)},
		RuledOut: []triage.RuledOut{{Cause: "disk-pressure", Subject: w3, Because: "half full"}},
	}
	reread := func(rules []string, _ evidence.Subject) (bool, string) { return rules[0] != "messages", "no log" }
	want := []triage.Change{
		{Cause: "disk-pressure", Title: "disk-pressure", Subject: w3, Now: triage.Gone, Because: "half full"},
		{Cause: "disk-pressure", Title: "disk-pressure", Subject: w4, Now: triage.Stays, Because: "seen"},
		{Cause: "runtime-hung", Title: "runtime-hung", Subject: w3, Now: triage.Gone, Because: "the same rules ran again and no longer find it"},
		{Cause: "kernel-bug", Title: "kernel-bug", Subject: w3, Now: triage.Unseen, Because: "no log"},
		{Cause: "swap-enabled", Title: "swap-enabled", Subject: w3, Now: triage.Newly, Because: "seen"},
	}
	got := triage.Compare(before, after, reread).Changes
	if len(got) != len(want) {
		t.Fatalf("got %d changes, want %d: %+v", len(got), len(want), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("change %d is %+v, want %+v", i, got[i], want[i])
		}
	}
	// An older report names no rules. Without a Reread no cause counts as gone.
	before.Findings[1].Rules = nil
	for i, c := range triage.Compare(before, after, reread).Changes {
		if c.Cause == "runtime-hung" && c.Now != triage.Unseen {
			t.Errorf("change %d is %+v", i, c)
		}
	}
	for i, c := range triage.Compare(before, after, nil).Changes {
		if c.Cause == "kernel-bug" && c.Now != triage.Unseen {
			t.Errorf("change %d is %+v", i, c)
		}
	}
}

// A deleted node takes its causes with it: that does not prove that they are gone.
func TestNothingIsReadAgainOfANodeThatLeft(t *testing.T) {
	s := evidence.New(evidence.Data{Coverage: map[evidence.Kind]evidence.Coverage{evidence.Nodes: evidence.Complete}})
	again, missing := triage.RereadIn(s, nil, &triage.Report{}, &triage.Report{})([]string{}, evidence.NodeSubject("worker-3"))
	if again || missing != "the node no longer exists" {
		t.Errorf("it is read again: %t, %q", again, missing)
	}
}
