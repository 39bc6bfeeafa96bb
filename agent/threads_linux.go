package agent

import (
	"sync"

	"golang.org/x/sys/unix"
)

// ReserveThreads makes the runtime start that many threads now and keep them. A program that runs for long on a
// machine without free process ids could start none later, and would die of the lack that it is there to report.
func ReserveThreads(n int) {
	var started, done sync.WaitGroup
	started.Add(n)
	for range n {
		done.Go(func() {
			started.Done()
			wait := unix.NsecToTimespec(20e6) // in the kernel, so that each needs a thread of its own
			_ = unix.Nanosleep(&wait, nil)
		})
	}
	started.Wait()
	done.Wait()
}
