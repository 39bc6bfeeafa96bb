package triage

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

var (
	// readsRecord matches commands that print what a component reported, not a state of now.
	readsRecord = lazyregexp.New(`^(?:sudo )?(?:journalctl|dmesg|kubectl (?:-n \S+ )?logs|kubectl describe pod|kubectl get events|(?:tail|grep) .*/var/log/)`)
	// expected matches the words that a check prints if the cause is true. Shorter ones stand in any message.
	expected = lazyregexp.New(`"([^"]{8,})"`)
	// searched matches the expression that a command searches for, if it is the only one.
	searched = lazyregexp.New(`\| (?:z?grep|grep) (?:-[a-zA-Z]+ )*(?:'([^']+)'|([A-Za-z0-9_.-]{5,}))(?: \||$)`)
)

// answered reports whether a check asks for a message that the finding already shows: words that it expects, or for which it searches.
func (x *adviser) answered(c catalog.Check, run shell.Text) bool {
	if !readsRecord.MatchString(string(run)) {
		return false
	}
	for _, m := range expected.FindAllStringSubmatch(string(c.Expect), -1) {
		if strings.Contains(x.text, strings.ToLower(m[1])) {
			return true
		}
	}
	m := searched.FindStringSubmatch(string(run))
	if m == nil {
		return false
	}
	for word := range strings.SplitSeq(strings.ToLower(m[1]+m[2]), "|") {
		if plainWord.MatchString(word) && strings.Contains(x.text, word) {
			return true
		}
	}
	return false
}

// plainWord matches a part of an expression that is a text, and long enough to be a message.
var plainWord = lazyregexp.New(`^[a-z0-9 :/_'-]{8,}$`)
