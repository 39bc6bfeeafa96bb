package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// outlined draws a page on one screen of this many rows.
func outlined(t *testing.T, rows int, page func(canvas)) []string {
	t.Helper()
	var out bytes.Buffer
	o := &outline{screen: &screen{style: Style{Width: 80, Rows: rows}}}
	page(o)
	if err := o.write(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if n := rowsOn(lines, 80); n > rows {
		t.Errorf("%d rows, want at most %d:\n%s", n, rows, out.String())
	}
	return lines
}

// findings is a page with findings, then what is of less use at night.
func findings(n, subjects int) func(canvas) {
	return func(p canvas) {
		p.title("FINDINGS", red, "bundle")
		p.note("a note")
		for i := range n {
			p.heading(i+1, fmt.Sprintf("finding %d", i+1))
			p.labelled("On", "an object")
			p.labelled("Fix", "what to do")
			p.command(fmt.Sprintf("kubectl fix %d", i+1))
			for j := range subjects {
				p.labelled(first(j, "Also on"), "another object")
			}
		}
		p.section("Passed")
		p.paragraph("one, two, three")
		p.section("Not checked")
		p.paragraph("four")
		p.paragraph("five")
	}
}

// The fix of the first finding stands, however many there are; what passed gives way first, and its name stays.
func TestOutlineKeepsTheFix(t *testing.T) {
	for n := 1; n < 12; n++ {
		for _, subjects := range []int{0, 1, 5, 40} {
			text := strings.Join(outlined(t, rowsOfScreen, findings(n, subjects)), "\n")
			if !strings.Contains(text, "kubectl fix 1") {
				t.Errorf("%d findings of %d: the first fix is hidden:\n%s", n, subjects, text)
			}
			for i := range n {
				if !strings.Contains(text, fmt.Sprintf("finding %d", i+1)) {
					t.Errorf("%d findings of %d: finding %d is hidden:\n%s", n, subjects, i+1, text)
				}
			}
			if strings.Contains(text, "More:") && !strings.Contains(text, "passed") && !strings.Contains(text, "Passed") {
				t.Errorf("%d findings of %d: nothing says that something passed:\n%s", n, subjects, text)
			}
		}
	}
}

// A row that counts what is hidden never hides a single row, because it is as long.
func TestOutlineHidesNoSingleRow(t *testing.T) {
	for rows := 8; rows < 30; rows++ {
		for subjects := range 20 {
			lines := outlined(t, rows, findings(1, subjects))
			i := len(lines) - 1
			for i >= 0 && !strings.Contains(lines[i], "... 1 more") {
				i--
			}
			if i >= 0 && !strings.Contains(lines[i-1], "an object") { // the fix has two rows
				t.Errorf("%d rows, %d subjects: one row is hidden by another:\n%s", rows, subjects, strings.Join(lines, "\n"))
			}
		}
	}
}
