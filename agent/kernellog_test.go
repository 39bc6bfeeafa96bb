package agent

import (
	"testing"
	"time"
)

// The device and the copy have the same records in different formats.
func TestParseRecord(t *testing.T) {
	for _, c := range []struct {
		record, text string
		at           time.Duration
		ok           bool
	}{
		{"6,1234,5678901,-;eth0: link down\n", "eth0: link down", 5678901 * time.Microsecond, true},
		{"<6>[    5.678901] eth0: link down\n", "eth0: link down", 5678901 * time.Microsecond, true},
		{"<3>[40343.164471] cgroup: fork rejected by pids controller in /x", "cgroup: fork rejected by pids controller in /x", 40343164471 * time.Microsecond, true},
		{" SUBSYSTEM=net\n", "", 0, false},
		{"<14>[    5.678901] systemd[1]: started\n", "", 0, false}, // from user space
		{"14,1234,5678901,-;systemd[1]: started\n", "", 0, false},
		{"<6>eth0: link down\n", "", 0, false},
		{"<6>[ -1.0] x", "", 0, false},
		{"<6>[ NaN] x", "", 0, false},
		{"<x>[ 1.0] x", "", 0, false},
		{"<", "", 0, false},
	} {
		at, text, ok := parseRecord([]byte(c.record))
		if ok != c.ok || at.Round(time.Microsecond) != c.at || string(text) != c.text {
			t.Errorf("%q is %s %q %t", c.record, at, text, ok)
		}
	}
}
