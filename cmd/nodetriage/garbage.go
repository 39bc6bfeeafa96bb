package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// allowance is how much garbage may pile up between two collections while a cluster is read and told, in MiB: an amount, for
// most of what a cluster answers is garbage at once. A share of what is kept would be collected all the time while that is
// little, and be a waste when it is much.
type allowance struct {
	least int
	ample int // what is kept and as much garbage as fits, up to two thirds: a collection costs as much as is kept
}

var (
	garbageOfCluster = allowance{least: 24, ample: 270}
	garbageOfPart    = allowance{least: 16} // where a node or a pod is asked about: little is kept, and little time goes into collections
)

// garbageOf is what is allowed while all of a cluster is read, or a part.
func garbageOf(whole bool) allowance {
	if whole {
		return garbageOfCluster
	}
	return garbageOfPart
}

// percent is the share of garbage where so many bytes are kept.
func (a allowance) percent(kept uint64) int {
	live := int(max(kept>>20, 1))
	garbage := max(a.least, min(a.ample-live, live*2/3))
	return min(100, max(5, 100*garbage/live))
}

// moreGarbage is in percent of what is kept, where judging takes longer than reading.
const moreGarbage = 50

// boundGarbage sets the share of garbage anew after each collection, until it is stopped.
func boundGarbage(a allowance) (stop func()) {
	debug.SetGCPercent(100)
	var stopped atomic.Bool
	type collection struct{ _ [16]byte } // found dead by each collection, and kept again
	var after func(*collection)
	after = func(c *collection) {
		if stopped.Load() {
			return
		}
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(a.percent(live[0].Value.Uint64()))
		runtime.SetFinalizer(c, after)
	}
	runtime.SetFinalizer(&collection{}, after)
	return func() { stopped.Store(true) }
}
