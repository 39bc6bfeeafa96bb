package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// release gives back what is not needed until the next look: freed memory, and the pages of the program itself.
func release() {
	runtime.GC() // a second collection follows: pools let go of their buffers in two steps
	debug.FreeOSMemory()
	dropPages()
}

// dropEvery is how often the program's pages are dropped during a look: most of them serve one probe, for a moment.
const dropEvery = 10 * time.Millisecond

// keepSmall drops the program's pages again and again until it is told to stop.
func keepSmall() (stop func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(dropEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				dropPages()
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

// dropPages gives back the pages of the program, which the kernel maps again from its cache when they are needed.
func dropPages() {
	for _, p := range program() {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, p.from, p.to-p.from, unix.MADV_DONTNEED) // it is advice: no answer is needed
	}
}

// pages are a part of the program's file in memory.
type pages struct{ from, to uintptr }

// program is where the program lies in memory, as far as it cannot be written: that may differ from the file.
var program = sync.OnceValue(func() []pages {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil
	}
	name, err := os.Executable()
	if err != nil {
		return nil
	}
	var out []pages
	for line := range strings.Lines(string(maps)) {
		var p pages
		var rights string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &p.from, &p.to, &rights); err == nil && rights[1] != 'w' && strings.HasSuffix(strings.TrimSpace(line), name) {
			out = append(out, p)
		}
	}
	return out
})
