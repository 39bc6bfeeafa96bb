//go:build unix

package azure_test

import (
	"os"
	"syscall"
)

// peak returns the peak memory of the process in bytes.
func peak(p *os.ProcessState) int64 {
	if use, ok := p.SysUsage().(*syscall.Rusage); ok {
		return use.Maxrss << 10 // Linux uses KiB
	}
	return 0
}
