package ask

import (
	"strings"
	"testing"
)

// A page is found by its id, by what it explains, or by its words.
func TestExplain(t *testing.T) {
	k := knowing(t)
	for words, want := range map[string]string{
		"":                          "index",
		"runtime-hung":              "page runtime-hung",
		"pleg-unhealthy":            "page pleg-unhealthy",
		"containerd-reserved-name":  "signature containerd-reserved-name",
		"containerd-reserved-nane":  `page "containerd-reserved-nane" not found; did you mean containerd-reserved-name?`,
		"QuotaExceeded":             "found",
		"what is PLEG":              "question what-is-pleg",
		"can I force a node Ready?": "question",
		"disk":                      "found",
		"runtime-hunk":              `page "runtime-hunk" not found; did you mean runtime-hung?`,
		"xyzzy plugh":               `no page contains "xyzzy plugh"; list all pages with nodetriage explain --list`,
	} {
		x, err := Explain(k, ExplainOptions{Words: strings.Fields(words)})
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case x.Page != nil:
			got = "page " + x.Page.ID
		case x.Question != nil:
			got = "question " + x.Question.ID
		case x.Signature != nil:
			got = "signature " + x.Signature.ID
		case x.Found != nil:
			got = "found"
		case x.Index != nil:
			got = "index"
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}
