package facts

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

const (
	// evictsAgain is after how long without a repetition a kubelet is no longer short of what it evicted for: it looks every ten
	// seconds, and says so each time (kubernetes pkg/kubelet/eviction/eviction_manager.go, 1.36.3).
	evictsAgain = time.Minute
	// allPass is how many events of a kind client-go lets through before it keeps most of them back (tools/record/events_cache.go).
	allPass = 20
)

// HeldDiskPressure reports whether a kubelet goes on saying DiskPressure, though it has not had to evict for room lately: it takes the
// condition back five minutes after, and not at all while it cannot ask its runtime.
func HeldDiskPressure(p *triage.Pass, node string) bool {
	var last *evidence.Event
	for _, e := range p.Snapshot.EventsOf(evidence.NodeSubject(node)) {
		if e.Reason == "EvictionThresholdMet" && (strings.HasSuffix(e.Message, "storage") || strings.HasSuffix(e.Message, "inodes") || strings.HasSuffix(e.Message, "fs")) &&
			(last == nil || e.Last.After(last.Last)) {
			last = e
		}
	}
	if last == nil || last.Count >= allPass {
		return false
	}
	age, known := p.Age(last.Last)
	return known && age > evictsAgain
}
