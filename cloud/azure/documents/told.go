package documents

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// told is an artificial field: the fact is from a sentence.
const told = "azTold"

// toldPools are pools that a sentence reports as failed. They are passed on after the text is known to be about this
// cloud.
type toldPools struct {
	cloud.Sink
	known   bool // the text is about this cloud
	heard   int  // failed pools
	named   int  // lines with names
	waiting []map[string]any
}

// Object passes on an object of this cloud, and the pending ones.
func (t *toldPools) Object(object map[string]any) bool {
	t.recognised()
	return t.Sink.Object(object)
}

// recognised passes on the pending objects because the text is about this cloud.
func (t *toldPools) recognised() {
	t.known = true
	for _, pool := range t.waiting {
		t.Sink.Object(pool)
	}
	t.waiting = nil
}

const maxTold = 20

// hear records the names in a line, and the pool that it reports as failed.
func (t *toldPools) hear(line string) {
	if !t.known && mentionsAzure(line) {
		t.recognised()
	}
	if t.named < maxTold {
		if names := namesSaid(line); names != nil {
			t.named++
			t.hand(names)
		}
	}
	if t.heard == maxTold || !strings.Contains(line, "ailed") { // cheaper than the expression
		return
	}
	m := failedInWords.FindStringSubmatch(line)
	if m == nil || healedInWords.MatchString(line) {
		return
	}
	t.heard++
	name := ""
	for _, word := range []string{m[1], m[2]} {
		if word = strings.ToLower(strings.Trim(word, "`'\"*")); word != "" && !slices.Contains(noNames, word) {
			name = word
		}
	}
	pool := map[string]any{"type": "Microsoft.ContainerService/managedClusters/agentPools", "name": name, "provisioningState": "Failed", told: "true"}
	if size := sizeSaid(line); size != "" {
		pool["vmSize"] = size
	}
	t.hand(pool)
}

// hand passes on a fact from a sentence after the text is known to be about this cloud.
func (t *toldPools) hand(object map[string]any) {
	if t.known {
		t.Sink.Object(object)
		return
	}
	t.waiting = append(t.waiting, object)
}

// Phrases for a failed pool. A name of up to twelve lower-case letters and digits is before or after the word pool.
var (
	failedInWords = lazyregexp.New("(?i)(?:([`'\"*]{0,2}\\b[a-z][a-z0-9]{0,11}\\b[`'\"*]{0,2}) )?\\b(?:node ?|agent ?)?pools?:?(?: ([`'\"*]{0,2}[a-z][a-z0-9]{0,11}\\b[`'\"*]{0,2}))?,? .{0,60}?\\b(?:(?:is|in|to|into|are|went|goes|go|shows?|says?|reads?|reports?|became|turned|as|stays|(?:provisioning ?)?state|status|now|still|:|=)[ :='\"`*]*(?:an? |the )?(?:provisioning )?(?:state:? ?)?failed\\b|failed (?:provisioning )?state)|\\bprovisioning state\\b[ \t:='\"*]{1,40}failed\\b")
	healedInWords = lazyregexp.New(`(?i)\b(?:not|never|no longer|isn't|n't) (?:\w+ ){0,3}failed\b|\bfailed\b.{0,60}\b(?:again Succeeded|now Succeeded|Succeeded now|recovered)\b|\bif\b.{0,40}\bpool`)
	// noNames are words next to "pool" that are not names.
	noNames = strings.Fields("a an the our my your this that one each any every all node agent user system its which whose and of is in went goes shows has stays are was now still state status to provisioning creation scaling upgrade update stuck with got gets named called failed")
)
