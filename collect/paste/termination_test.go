package paste_test

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect/paste"
)

// The container wrote the lines marked with >.
var terminations = map[string]string{
	"one line": `
    Last State:     Terminated
      Reason:       Error
>     Message:      kernel: EXT4-fs error
      Exit Code:    1
      Started:      Fri, 20 Nov 2026 10:00:00 +0000
      Finished:     Fri, 20 Nov 2026 10:00:01 +0000
    Ready:          False
Events:             <none>`,
	"many lines": `
    State:          Terminated
      Reason:       Error
>     Message:      first
>second
>
>Events:
>  Warning  Evicted  1m  kubelet  The node was low on resource
      Exit Code:    137
      Signal:       9
      Started:      Fri, 20 Nov 2026 10:00:00 +0000
      Finished:     Fri, 20 Nov 2026 10:00:01 +0000
    Ready:          False
    Restart Count:  0
    Mounts:
      /var/run from x (rw)
  d:
    State:          Running
      Started:      Fri, 20 Nov 2026 10:00:00 +0000
Conditions:
  Type   Status`,
	"an end that is imitated": `
    Last State:     Terminated
>     Message:      first
      Exit Code:    1
>kernel: EXT4-fs error
      Exit Code:    1
      Started:      Fri, 20 Nov 2026 10:00:00 +0000`,
	"fields that are imitated": `
    Last State:     Terminated
>     Message:      first
      Exit Code:    1
      Started:      Fri, 20 Nov 2026 10:00:00 +0000
      Finished:     Fri, 20 Nov 2026 10:00:01 +0000
    Ready:          False
    Restart Count:  3
>kernel: EXT4-fs error
      Exit Code:    1`,
	"the words of the kubelet": `
    State:          Waiting
      Reason:       ImagePullBackOff
      Message:      Back-off pulling image "a"
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Message:      no field of a state`,
	"without indentation": `
State: Terminated
Reason: Error
>Message: first
>second
Exit Code: 1
Started: Fri, 20 Nov 2026 10:00:00 +0000
Finished: Fri, 20 Nov 2026 10:00:01 +0000
Ready: False
Restart Count: 3
Environment: <none>
kernel: EXT4-fs error`,
	"another command": `
    Last State:     Terminated
>     Message:      first
$ dmesg
EXT4-fs (sda1): Remounting filesystem read-only`,
}

func TestTermination(t *testing.T) {
	for name, text := range terminations {
		t.Run(name, func(t *testing.T) {
			var blocks paste.Blocks
			number := 0
			for line := range strings.Lines(strings.TrimPrefix(text, "\n")) {
				number++
				own := strings.HasPrefix(line, ">")
				blocks.Take(strings.TrimRight(strings.TrimPrefix(line, ">"), "\n"))
				if got := blocks.Written(number); got != own {
					t.Errorf("line %d, %q: the container's own: %v, want %v", number, line, got, own)
				}
			}
		})
	}
}

// FuzzTermination checks, for any description, that container output is between lines of it, and that the second part of a message
// is no field.
func FuzzTermination(f *testing.F) {
	for _, text := range terminations {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var blocks paste.Blocks
		var ended paste.Termination
		number := 0
		for line := range strings.Lines(text) {
			number++
			line = strings.TrimRight(line, "\r\n")
			blocks.Take(line)
			if masked := ended.Masked(line); masked != line && !blocks.Written(number) {
				t.Errorf("line %d, %q, is masked and not the container's", number, line)
			}
		}
		if blocks.Written(number + 1) {
			t.Error("a line behind the end was written by the container")
		}
	})
}
