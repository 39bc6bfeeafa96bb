package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// avoidAndVerify returns the parts that stand below a fix: what not to do, and how to verify that it worked.
func (s Style) avoidAndVerify(cautions, verify []shell.Text) []part {
	var out []part
	if list := shell.Strings(cautions); len(list) > 0 {
		out = append(out, part{form{s.caution(avoidance(list), 2), keepImpact}, form{rows: s.shortestCaution(list)}})
	}
	if len(verify) > 0 {
		proof := string(verify[0])
		out = append(out, part{form{s.uncut("VERIFY", proof, labelColumns, 2), keepVerify}, form{rows: s.uncut("VERIFY", proof, labelColumns, 1)}})
	}
	return out
}

// caution is a block of about n rows with what not to do.
func (s Style) caution(text string, n int) []string {
	if rest, ok := cutPrefixFold(text, "do not "); ok {
		return s.uncut("  DO NOT", rest, detailColumns, n)
	}
	return s.uncut("  Caution:", text, detailColumns, n)
}

// shortestCaution is the caution that forbids something, or else the one with the fewest rows.
func (s Style) shortestCaution(list []string) []string {
	out := s.caution(avoidance(list), 1)
	for _, c := range list {
		if rows := s.caution(c, 1); !forbids(avoidance(list)) && len(rows) < len(out) {
			out = rows
		}
	}
	return out
}

// avoidance returns the caution that forbids something, or else the first one.
func avoidance(list []string) string {
	if at := slices.IndexFunc(list, forbids); at >= 0 {
		return list[at]
	}
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// forbids reports whether a caution begins with what not to do.
func forbids(caution string) bool {
	_, ok := cutPrefixFold(caution, "do not ")
	return ok
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !utf8.ValidString(s[:len(prefix)]) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
