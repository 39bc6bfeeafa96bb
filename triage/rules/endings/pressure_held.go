package endings

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PressureHeld resolves a disk shortage if the kubelet still reports DiskPressure but has not evicted for disk space lately. It
// resets the condition after five minutes, and not at all while it cannot query its runtime. If the node was not read, whether it
// keeps the condition is unknown.
var PressureHeld = &triage.Ending{
	ID:     "pressure-held",
	Doc:    "The kubelet still reports DiskPressure, but has stopped evicting pods.",
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
		said := f.Kind != evidence.TextCondition && f.Last.After(last.Last.Add(evictsAgain)) // from a source that knows more
		return triage.End{By: "no evictions since " + timeline.Stamp(last.Last) + " (the condition clears about 5m after recovery)", At: last.Last}, known && age > evictsAgain && !said
	},
}

// wantsRoom reports whether a message is about the shortage behind DiskPressure.
func wantsRoom(f *triage.Failure) bool {
	return f.Mechanism == "room" || f.Says == "pods-evicted" && forRoom.MatchString(f.Ref.Text)
}

// forRoom matches the kubelet's messages about an eviction for disk space.
var forRoom = lazyregexp.New(`ephemeral-storage|inodes|DiskPressure`)

// lastShortage returns the newest event with which a kubelet began to evict for disk space.
func lastShortage(p *triage.Pass, node string) *evidence.Event {
	var last *evidence.Event
	for _, e := range p.Snapshot.EventsOf(evidence.NodeSubject(node)) {
		if e.Reason == "EvictionThresholdMet" && namesRoom(e.Message) && (last == nil || e.Last.After(last.Last)) {
			last = e
		}
	}
	return last
}

// namesRoom reports whether the resource at the end of such an event is disk space.
func namesRoom(message string) bool {
	return strings.HasSuffix(message, "storage") || strings.HasSuffix(message, "inodes") || strings.HasSuffix(message, "fs")
}

const (
	// evictsAgain is how long after the last such event the kubelet is no longer short: it checks every ten seconds and reports
	// each time (kubernetes pkg/kubelet/eviction/eviction_manager.go, 1.36.3).
	evictsAgain = time.Minute
	// allPass is how many events of a kind client-go sends before it suppresses most (tools/record/events_cache.go).
	allPass = 20
)
