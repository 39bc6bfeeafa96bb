package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"
)

// release gives back what is not needed until the next look: freed memory, and the pages of the program itself,
// which the kernel reads again from its cache when they are needed.
func release() {
	runtime.GC() // a second collection follows: pools let go of their buffers in two steps
	debug.FreeOSMemory()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	program, err := os.Executable()
	if err != nil {
		return
	}
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		var rights string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &rights); err != nil || rights[1] == 'w' || !strings.HasSuffix(strings.TrimSpace(line), program) {
			continue // what can be written may differ from the file
		}
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED) // it is advice: no answer is needed
	}
}
