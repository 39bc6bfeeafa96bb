package main

import (
	"fmt"
	"strings"
	"testing"
)

// What tries hostile texts and the goldens of package report try every output format of a diagnosis.
func TestEveryFormIsTried(t *testing.T) {
	for _, name := range []string{"../../report/hostile_test.go", "../../report/golden_test.go"} {
		text := string(testFile(t, name))
		for _, form := range writersOf(reportForms) {
			if !strings.Contains(text, fmt.Sprintf("%q:", form)) {
				t.Errorf("%s does not try the output format %q", name, form)
			}
		}
	}
}
