package logline_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// A head without a host has its program after the time. A program or a level is not a host.
func TestHostOfHead(t *testing.T) {
	for line, want := range map[string][2]string{
		`Oct 17 13:46:12 w1 containerd[40100]: time="2024-10-17T13:46:12Z" level=fatal`: {"w1", "containerd"},
		`Oct 17 13:46:12 containerd[40100]: time="2024-10-17T13:46:12Z" level=fatal`:    {"", "containerd"},
		`Feb 23 03:28:16 kernel: mce: [Hardware Error]: Machine check events logged`:    {"", "kernel"},
		`2019-04-17T00:18:44.486Z [FATAL] plugin/loop: Loop (127.0.0.1:34614 -> :53)`:   {"", ""},
	} {
		got := logline.ReadOrigin(line, time.Time{})
		if got.Host != want[0] || got.Program != want[1] {
			t.Errorf("%s: host %q, program %q, want %q", line, got.Host, got.Program, want)
		}
	}
}
