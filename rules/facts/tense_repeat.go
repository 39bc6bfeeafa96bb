package facts

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// notRepeated reports whether a recurring event has not come again although who reported it goes on, or whether a node has
// become Ready after what happened on it and nothing has happened since.
func notRepeated(p *triage.Pass, m *evidence.Match) (ending, bool) {
	failed := m.Event
	recurs := failed.Count > 2
	if stopping[failed.Reason] || !recurs && p.Catalog.LastsUntilReboot(p.Signatures.Lookup(m.Signature).Says) {
		return ending{}, false
	}
	for _, e := range sameObject(p, m) {
		gap, known := between(failed, e)
		age, dated := agoOf(p, e)
		switch {
		case known && gap > logSilence && recurs && e.Type == "Normal" && e.Component == failed.Component && failed.Component != "":
			return ending{fmt.Sprintf("%s goes on for %s without it", e.Component, wording.Duration(gap)), failed.Last}, true
		case known && gap > 0 && dated && age > logSilence && e.Reason == "NodeReady":
			return ending{fmt.Sprintf("the node is Ready%s, and it was not said again", whenOf(e)), e.Last}, true
		}
	}
	return ending{}, false
}
