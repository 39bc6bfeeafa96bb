package logline

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

var (
	// over matches statements of people that a problem is over.
	over = prefilter.MustCompile(`(?i)\b(?:that|this|it|(?:the|an?|our|my) (?:issue|problem|fault|outage|error|incident)(?: with .{1,60})?) (?:was|were|is now|has been|had been|got) (?:\w+ )?(?:fixed|resolved|solved|mitigated|repaired)\b|` +
		`\b(?:came|comes?|went) (?:back )?up and running\b|\bback to normal\b|\b(?:is|are|works?|working|running|healthy|ready) (?:fine |normally |well )?(?:again|now)\W*$`)
	// notOver matches words that negate it, or only wish for it.
	notOver = prefilter.MustCompile(`(?i)\b(?:not|never|cannot|until|unless|temporarily|once|if|can|will|to be|how|want|need|help|trying|please)\b|NotReady|\?|\bfixed (?:in|by|with) v?\d|\b(?:should|would|could|might|may|must) (?:be|have|get)\b|n['’]t\b|\bfor (?:a|an|some|several|about|\d+|few|couple)\b|\b(?:later|again (?:and|after|in)|came back|comes back|come back|returned|returns)\b`)
)

// SaysOver reports whether a person's sentence states that the problem is over.
func SaysOver(line string) bool {
	for sentence := range strings.SplitSeq(line[:min(len(line), 2000)], ". ") {
		if text := prefilter.NewText(sentence); over.Match(text) && !notOver.Match(text) {
			return true
		}
	}
	return false
}
