package ask

import (
	"strings"
	"testing"
	"time"
)

// A report can replace evidence, and the earlier side must be earlier.
func TestDiffOfReports(t *testing.T) {
	from := fromFiles(t)
	late, err := Diagnose(t.Context(), from, DiagnoseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	from.At = time.Date(2026, 6, 2, 9, 0, 0, 0, time.UTC)
	early, err := Diagnose(t.Context(), from, DiagnoseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	early.Report.TakenAt = &from.At
	d, err := Diff(t.Context(), from, DiffOptions{Before: Side{Report: early.Report}, After: Side{Report: late.Report}})
	if err != nil || len(d.Came) == 0 {
		t.Error(d, err)
	}
	_, err = Diff(t.Context(), from, DiffOptions{Before: Side{Report: late.Report}, After: Side{Report: early.Report}})
	if err == nil || !strings.HasSuffix(withItsHint(err), "pass the older one first") {
		t.Error(err)
	}
}
