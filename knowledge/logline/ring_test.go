package logline_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Programs of the boot write into the kernel's ring buffer too, and the kernel names a process that faults.
func TestRing(t *testing.T) {
	for line, want := range map[string]logline.Speaker{
		"[  147.653951] ignition[5873]: GET result: Unauthorized":                            logline.Bootstrap,
		"[   12.000001] systemd[1]: Reached target Host and Network Name Lookups.":           logline.Systemd,
		"[  147.653951] runc[4711]: segfault at 0 ip 000000000045 sp 00007ffe error 4":       logline.Kernel,
		"[  147.653951] EXT4-fs (sda1): error count since last fsck: 12":                     logline.Kernel,
		"2026-11-26T04:31:43.5Z kernel: [26469.982499] oom-kill:constraint=CONSTRAINT_MEMCG": logline.Kernel,
		"[  147.653951] some-app[12]: hello":                                                 logline.Kernel,
		"<3>[  147.653951] blk_update_request: I/O error, dev sda, sector 0 op 0x0:(READ)":   logline.Kernel,
	} {
		if got := logline.SpeakerOf(line, logline.Unknown); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
