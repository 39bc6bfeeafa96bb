package facts

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
)

const (
	// evictsAgain is after how long without a repetition a kubelet is no longer short of what it evicted for: it looks every ten
	// seconds, and says so each time (kubernetes pkg/kubelet/eviction/eviction_manager.go, 1.36.3).
	evictsAgain = time.Minute
	// allPass is how many events of a kind client-go lets through before it keeps most of them back (tools/record/events_cache.go).
	allPass = 20
)

// fills are the causes that a kubelet's DiskPressure tells.
var fills = map[string]bool{"disk-pressure": true, "inode-exhaustion": true}

// forRoom is in what a kubelet says of an eviction for want of room on a file system.
var forRoom = lazyregexp.New(`ephemeral-storage|inodes|DiskPressure`)

// heldPressure reports whether a kubelet only goes on saying DiskPressure: it has not had to evict for room lately. It takes the
// condition back five minutes after, and not at all while it cannot ask its runtime. Of a node that was not read nobody knows
// whether it keeps it.
func heldPressure(p *triage.Pass, m *evidence.Match) (ending, bool) {
	sig := p.Signatures.Lookup(m.Signature)
	node := NodeOf(p.Snapshot, m.Subject)
	if sig == nil || !fills[sig.Says] && !(sig.Says == "pods-evicted" && forRoom.MatchString(m.Ref.Text)) || p.Snapshot.Node(node) == nil {
		return ending{}, false
	}
	last := lastShortage(p, node)
	if last == nil || last.Count >= allPass {
		return ending{}, false
	}
	age, known := p.Age(last.Last)
	said := m.Kind != evidence.TextCondition && m.Last.After(last.Last.Add(evictsAgain)) // by who knows more
	return ending{"its kubelet keeps the condition, and evicts for room no more since " + stamp(last.Last), last.Last}, known && age > evictsAgain && !said
}

// lastShortage is the newest event by which a kubelet begins to evict for want of room on a file system.
func lastShortage(p *triage.Pass, node string) *evidence.Event {
	var last *evidence.Event
	for _, e := range p.Snapshot.EventsOf(evidence.NodeSubject(node)) {
		if e.Reason == "EvictionThresholdMet" && (strings.HasSuffix(e.Message, "storage") || strings.HasSuffix(e.Message, "inodes") || strings.HasSuffix(e.Message, "fs")) &&
			(last == nil || e.Last.After(last.Last)) {
			last = e
		}
	}
	return last
}
