package agent

import (
	"runtime"
	"sync"
)

// ReserveThreads makes the runtime start that many threads now and keep them. A program that runs for long on a
// machine without free process ids could start none later, and would die of the lack that it is there to report.
func ReserveThreads(n int) {
	var started, done sync.WaitGroup
	started.Add(n)
	for range n {
		done.Go(func() {
			runtime.LockOSThread() // while it waits its thread can serve nobody else, so that each needs one of its own
			started.Done()
			started.Wait()
			runtime.UnlockOSThread()
		})
	}
	done.Wait()
}
