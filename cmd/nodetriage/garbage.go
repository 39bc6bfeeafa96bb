package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// allowance is how much garbage may accumulate between two collections while a cluster is read and answers are computed, in
// MiB. It is an amount, because most of a cluster's response becomes garbage at once. A percentage of the live heap would
// collect too often while the heap is small, and waste memory when it is large.
type allowance struct {
	least int
	ample int // the live heap and as much garbage as fits, up to two thirds: a collection costs as much as the live heap
}

var (
	garbageOfCluster = allowance{least: 24, ample: 270}
	garbageOfPart    = allowance{least: 16} // for questions about a node or a pod: the live heap is small, and collections take little time
)

// garbageOf returns the allowance for reading the whole cluster or a part of it.
func garbageOf(whole bool) allowance {
	if whole {
		return garbageOfCluster
	}
	return garbageOfPart
}

// percent returns the percentage of garbage for a live heap of that many bytes.
func (a allowance) percent(kept uint64) int {
	live := int(max(kept>>20, 1))
	garbage := max(a.least, min(a.ample-live, live*2/3))
	return min(100, max(5, 100*garbage/live))
}

// moreGarbage is a percentage of the live heap. It is used where judging takes longer than reading.
const moreGarbage = 50

// boundGarbage sets the percentage of garbage after each collection, until it is stopped.
func boundGarbage(a allowance) (stop func()) {
	debug.SetGCPercent(100)
	var stopped atomic.Bool
	type collection struct{ _ [16]byte } // finalized by each collection, and allocated again
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
