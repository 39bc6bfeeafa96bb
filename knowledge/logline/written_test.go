package logline_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// A person's own test line is not what the kernel reports.
func TestWritesKernelLog(t *testing.T) {
	for line, want := range map[string]bool{
		`on specific node I tried to send an information to /dev/kmsg that "Remounting filesystem read-only"`:   true,
		`$ sudo sh -c "echo 'kernel: INFO: task docker:20744 blocked for more than 120 seconds.' >> /dev/kmsg"`: true,
		`echo "task umount.aufs:21568 blocked for more than 120 seconds." | sudo tee /dev/kmsg`:                 true,
		`E0101 12:00:00.000000 1 kmsg_parser.go:33] failed to open /dev/kmsg: no such file or directory`:        false,
		`Failed to start OOM watcher open /dev/kmsg: no such file or directory`:                                 false,
		`Jan 01 12:00:00 node kernel: EXT4-fs (sda1): Remounting filesystem read-only`:                          false,
	} {
		if got := logline.WritesKernelLog(line); got != want {
			t.Errorf("%q: got %v, want %v", line, got, want)
		}
	}
}
