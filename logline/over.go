package logline

import "github.com/nodetriage/nodetriage/prefilter"

var (
	// over are words in which people say that a trouble has passed.
	over = prefilter.MustCompile(`(?i)\b(?:that|this|it|(?:the|an?|our|my) (?:issue|problem|fault|outage|error|incident)(?: with .{1,60})?) (?:was|were|is now|has been|had been|got) (?:\w+ )?(?:fixed|resolved|solved|mitigated|repaired)\b|` +
		`\b(?:came|come|comes|is|are|went) (?:back )?up and running\b|\bback to normal\b|\b(?:is|are|works?|working|running|healthy|ready) (?:fine |normally |well )?(?:again|now)\W*$`)
	// notOver are words that take it back.
	notOver = prefilter.MustCompile(`(?i)\b(?:not|never|cannot|until|unless|should|would|could|once|when|if|before|temporarily)\b|n['’]t\b|\bfor (?:a|an|some|several|about|\d+|few|couple)\b|\b(?:later|again (?:and|after|in)|came back|comes back|come back|returned|returns|until)\b`)
)

// SaysOver reports whether a sentence of a person says that the trouble has passed.
func SaysOver(line string) bool {
	text := prefilter.NewText(line[:min(len(line), 2000)])
	return over.Match(text) && !notOver.Match(text)
}
