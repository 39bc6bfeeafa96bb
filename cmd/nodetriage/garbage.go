package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// How much garbage may pile up between two collections while a cluster is read and told: an amount, for most of what a big
// cluster answers is garbage at once. A share of what is kept would be collected all the time while that is little, and be a
// waste when it is much. In MiB.
const (
	garbageOfCluster = 40
	garbageOfPart    = 16 // where a node or a pod is asked about: little is kept, and little time goes into collections
)

// moreGarbage is in percent of what is kept, where judging takes longer than reading.
const moreGarbage = 50

// boundGarbage sets the share of garbage anew after each collection, so that it stays that many MiB, until it is stopped.
func boundGarbage(amount uint64) (stop func()) {
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
		debug.SetGCPercent(int(min(100, max(5, 100*amount<<20/max(live[0].Value.Uint64(), 1)))))
		runtime.SetFinalizer(c, after)
	}
	runtime.SetFinalizer(&collection{}, after)
	return func() { stopped.Store(true) }
}
