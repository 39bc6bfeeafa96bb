package main

import (
	"os"
	"runtime/debug"
)

// garbagePercent is how much garbage may accumulate between two collections, in percent of the live heap. The live heap is the lists of the
// cluster, which hardly change. A judgement makes little garbage in comparison, so that a collection takes place about once for each of them.
const garbagePercent = 30

// boundGarbage bounds the garbage, unless the environment does.
func boundGarbage() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
}
