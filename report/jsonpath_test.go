package report

import (
	"strings"
	"testing"
)

// A kubectl expression finds values in the JSON form, and prints nothing that a terminal would execute.
func TestJSONPath(t *testing.T) {
	value := map[string]any{
		"verdict": "broken", "count": 3,
		"findings": []map[string]any{{"cause": "runtime-down", "score": 0.9}, {"cause": "node-lost\x1b[2J", "score": 0.5}},
	}
	for expression, want := range map[string]string{
		"{.verdict}": "broken", ".verdict": "broken", "verdict": "broken", "{.count}": "3", "{.nothing}": "",
		`{range .findings[*]}{.cause}{"\n"}{end}`:       "runtime-down\nnode-lost\uFFFD[2J\n",
		`{.findings[?(@.score>0.6)].cause}`:             "runtime-down",
		`{.findings[?(@.cause=="runtime-down")].score}`: "0.9",
	} {
		var b strings.Builder
		if err := JSONPath(&b, value, expression); err != nil || b.String() != want {
			t.Errorf("%s gives %q, %v; want %q", expression, b.String(), err, want)
		}
	}
	for _, bad := range []string{"{.verdict", "{.a[}"} {
		if err := CheckJSONPath(bad); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
