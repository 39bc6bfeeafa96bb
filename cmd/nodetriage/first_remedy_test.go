package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

// The remedy that matches the evidence of a case comes first, and an answer explains nothing that did not happen.
func TestFirstRemedy(t *testing.T) {
	t.Parallel()
	k := builtinKnowledge(t)
	for _, want := range []struct{ name, remedy, not string }{
		{"memory-pressure-oom/lab-memory-short", "threshold is unusually high", "pods-evicted"},
		{"disk-pressure/lab-disk-full", "", "pods-evicted"},
	} {
		recorded, err := cases.Find("../../cases/" + want.name + ".txtar")
		if err != nil || len(recorded) != 1 {
			t.Fatalf("%s: %d cases, %v", want.name, len(recorded), err)
		}
		b := collect.NewBuilder(evidence.Source{Kind: "case", Name: want.name}, k.Signatures)
		if err := b.AddFS(recorded[0].Evidence); err != nil {
			t.Fatal(err)
		}
		f := k.Judge(b.Snapshot(), time.Time{}).Findings[0]
		if first := f.Remedies[0].Title; !strings.Contains(first, want.remedy) {
			t.Errorf("%s: the first remedy is %q", want.name, first)
		}
		if slices.Contains(f.Explains, want.not) {
			t.Errorf("%s: explains %s", want.name, want.not)
		}
	}
}
