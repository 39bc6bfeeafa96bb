//go:build unix

package azure_test

import (
	"os"
	"syscall"
)

// peak is the most memory that the process had, in bytes.
func peak(p *os.ProcessState) int64 {
	if use, ok := p.SysUsage().(*syscall.Rusage); ok {
		return use.Maxrss << 10 // Linux counts in KiB
	}
	return 0
}
