package agent

import (
	"runtime"
	"sync"
)

// ReserveThreads makes the Go runtime start n threads now and keep them. A machine without free process IDs cannot
// start threads later, and the program would crash instead of reporting that.
func ReserveThreads(n int) {
	var started, done sync.WaitGroup
	started.Add(n)
	for range n {
		done.Go(func() {
			runtime.LockOSThread() // a locked thread serves no other goroutine while it waits, so each needs its own
			started.Done()
			started.Wait()
			runtime.UnlockOSThread()
		})
	}
	done.Wait()
}
