package endings

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PressureHeld ends a shortage where the kubelet only goes on saying DiskPressure: it has not had to evict for room lately. It takes
// the condition back five minutes after, and not at all while it cannot ask its runtime. Of a node that was not read nobody knows
// whether it keeps it.
var PressureHeld = &triage.Ending{
	ID:     "pressure-held",
	Doc:    "The kubelet keeps the condition DiskPressure, but has stopped to evict for room.",
	OfNode: true,
	Reads:  []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if !wantsRoom(f) || p.Snapshot.Node(f.Node) == nil {
			return triage.End{}, false
		}
		last := lastShortage(p, f.Node)
		if last == nil || last.Count >= allPass {
			return triage.End{}, false
		}
		age, known := p.Age(last.Last)
		said := f.Kind != evidence.TextCondition && f.Last.After(last.Last.Add(evictsAgain)) // by who knows more
		return triage.End{By: "its kubelet keeps the condition, and evicts for room no more since " + timeline.Stamp(last.Last), At: last.Last}, known && age > evictsAgain && !said
	},
}

// wantsRoom reports whether a message is of what a kubelet's DiskPressure tells.
func wantsRoom(f *triage.Failure) bool {
	return f.Mechanism == "room" || f.Says == "pods-evicted" && forRoom.MatchString(f.Ref.Text)
}

// forRoom is in what a kubelet says of an eviction for want of room on a file system.
var forRoom = lazyregexp.New(`ephemeral-storage|inodes|DiskPressure`)

// lastShortage is the newest event by which a kubelet begins to evict for want of room on a file system.
func lastShortage(p *triage.Pass, node string) *evidence.Event {
	var last *evidence.Event
	for _, e := range p.Snapshot.EventsOf(evidence.NodeSubject(node)) {
		if e.Reason == "EvictionThresholdMet" && namesRoom(e.Message) && (last == nil || e.Last.After(last.Last)) {
			last = e
		}
	}
	return last
}

// namesRoom reports whether the resource at the end of such an event is room on a file system.
func namesRoom(message string) bool {
	return strings.HasSuffix(message, "storage") || strings.HasSuffix(message, "inodes") || strings.HasSuffix(message, "fs")
}

const (
	// evictsAgain is after how long without a repetition a kubelet is no longer short of what it evicted for: it looks every ten
	// seconds, and says so each time (kubernetes pkg/kubelet/eviction/eviction_manager.go, 1.36.3).
	evictsAgain = time.Minute
	// allPass is how many events of a kind client-go lets through before it keeps most of them back (tools/record/events_cache.go).
	allPass = 20
)
