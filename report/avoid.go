package report

import (
	"strings"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// avoidAndVerify returns the parts that stand below a fix: what not to do, and how to verify that it worked.
func (s Style) avoidAndVerify(cautions, verify []shell.Text) []part {
	var out []part
	if avoid := avoidance(shell.Strings(cautions)); avoid != "" {
		label := "  Caution:"
		if rest, ok := cutPrefixFold(avoid, "do not "); ok {
			label, avoid = "  DO NOT", rest
		}
		out = append(out, part{form{s.uncut(label, avoid, detailColumns, 2), keepImpact}, form{rows: s.uncut(label, avoid, detailColumns, 1)}})
	}
	if len(verify) > 0 {
		proof := string(verify[0])
		out = append(out, part{form{s.uncut("VERIFY", proof, labelColumns, 2), keepVerify}, form{rows: s.uncut("VERIFY", proof, labelColumns, 1)}})
	}
	return out
}

// avoidance returns the caution that forbids something, or else the first one.
func avoidance(list []string) string {
	for _, c := range list {
		if _, ok := cutPrefixFold(c, "do not "); ok {
			return c
		}
	}
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !utf8.ValidString(s[:len(prefix)]) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
