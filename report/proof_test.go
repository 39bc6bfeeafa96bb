package report

import (
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
)

func TestProofsThatSayTheSame(t *testing.T) {
	got := proofs([]evidence.Ref{
		{Source: "a.log", Locator: "line 1", Text: "it failed"},
		{Source: "a.log", Locator: "line 1 (3 times)", Text: "it failed", Hit: "failed"}, // another rule, the same line
		{Source: "b.log", Locator: "line 9", Text: "it failed"},
		{Source: "b.log", Locator: "line 10", Text: "something else"},
	})
	if len(got) != 2 {
		t.Fatalf("%d proofs", len(got))
	}
	if want := "a.log line 1 (3 times), and 1 more place says the same"; got[0].where() != want {
		t.Errorf("got %q, want %q", got[0].where(), want)
	}
	if got[0].Hit != "failed" {
		t.Error("what was recognised is lost")
	}
}
