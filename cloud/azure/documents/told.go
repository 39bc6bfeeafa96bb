package documents

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// told is a field that no document has: somebody says it in words.
const told = "azTold"

// toldPools are the pools of which somebody says that they failed. They are handed on once something else in the text is of this cloud.
type toldPools struct {
	cloud.Sink
	known   bool // something of this cloud came
	heard   int  // pools that failed
	named   int  // lines with names
	waiting []map[string]any
}

// Object hands on something of this cloud, and what waited for it.
func (t *toldPools) Object(object map[string]any) bool {
	t.recognised()
	return t.Sink.Object(object)
}

// recognised hands on what waited: the text is about this cloud.
func (t *toldPools) recognised() {
	t.known = true
	for _, pool := range t.waiting {
		t.Sink.Object(pool)
	}
	t.waiting = nil
}

const maxTold = 20

// hear notes the names that the line tells, and the pool of which it says that it failed.
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
	if t.heard == maxTold || !strings.Contains(line, "ailed") { // before the expression, which takes its time
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

// hand hands on what somebody said, once the text is about this cloud.
func (t *toldPools) hand(object map[string]any) {
	if t.known {
		t.Sink.Object(object)
		return
	}
	t.waiting = append(t.waiting, object)
}

// The words in which people say that a pool failed. A name stands before or behind the word pool: up to twelve small letters and digits.
var (
	failedInWords = lazyregexp.New("(?i)(?:([`'\"*]{0,2}\\b[a-z][a-z0-9]{0,11}\\b[`'\"*]{0,2}) )?\\b(?:node ?|agent ?)?pools?:?(?: ([`'\"*]{0,2}[a-z][a-z0-9]{0,11}\\b[`'\"*]{0,2}))?,? .{0,60}?\\b(?:(?:is|in|to|into|are|went|goes|go|shows?|says?|reads?|reports?|became|turned|as|stays|(?:provisioning ?)?state|status|now|still|:|=)[ :='\"`*]*(?:an? |the )?(?:provisioning )?(?:state:? ?)?failed\\b|failed (?:provisioning )?state)|\\bprovisioning state\\b[ \t:='\"*]{1,40}failed\\b")
	healedInWords = lazyregexp.New(`(?i)\b(?:not|never|no longer|isn't|n't) (?:\w+ ){0,3}failed\b|\bfailed\b.{0,60}\b(?:again Succeeded|now Succeeded|Succeeded now|recovered)\b|\bif\b.{0,40}\bpool`)
	// noNames are words beside "pool" that are no names.
	noNames = strings.Fields("a an the our my your this that one each any every all node agent user system its which whose and of is in went goes shows has stays are was now still state status to provisioning creation scaling upgrade update stuck with got gets named called failed")
)
