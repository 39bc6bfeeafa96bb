package ask

import (
	"errors"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence/anonymize"
)

// A question that cannot hide names says so, and does not answer with real ones.
func TestQuestionsThatCannotHideNames(t *testing.T) {
	from := fromFiles(t)
	from.HideNames = func(*anonymize.Names) error { return nil }
	for name, question := range map[string]func() error{
		"verify": func() error { _, err := Verify(t.Context(), from, VerifyOptions{Node: "w1"}); return err },
		"diff":   func() error { _, err := Diff(t.Context(), from, DiffOptions{}); return err },
		"pods":   func() error { _, err := Pods(t.Context(), from, PodsOptions{}); return err },
		"drain":  func() error { _, err := Drain(t.Context(), from, DrainOptions{Nodes: []string{"w1"}}); return err },
	} {
		var usage *UsageError
		if err := question(); !errors.As(err, &usage) {
			t.Errorf("%s: the error is %v, want a UsageError", name, err)
		}
	}
}

// The saved sides of a comparison are those of the time that was asked for.
func TestDiffAsOfATime(t *testing.T) {
	from := fromFiles(t)
	from.At = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	opt := DiffOptions{}
	side, err := opt.look(t.Context(), from, Side{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range side.Snapshot.Events() {
		if e.Last.After(from.At) {
			t.Errorf("the event %s of %s is later than %s", e.Reason, e.Last, from.At)
		}
	}
}
