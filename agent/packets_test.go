package agent

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// The second snapshot reports the increase since the first. Counters that were reset, as after a boot, give no window.
func TestPacketsBetweenLooks(t *testing.T) {
	root := t.TempDir()
	write := func(sent, again string) {
		t.Helper()
		dir := filepath.Join(root, "proc/1/net")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		text := "Tcp: OutSegs RetransSegs\nTcp: " + sent + " " + again + "\n"
		if err := os.WriteFile(filepath.Join(dir, "snmp"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	between := &before{}
	var now time.Duration
	look := func() nodereport.Loss {
		t.Helper()
		s := folderSystem()
		s.running = func() time.Duration { return now }
		h := newHost(Options{Root: root, Pace: time.Second}, s, newAbsent())
		h.before = between
		var r nodereport.Report
		if err := packets(t.Context(), h, &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Losses) != 1 {
			t.Fatalf("%+v", r.Losses)
		}
		return r.Losses[0]
	}
	write("1000", "10")
	look()
	now += 5 * time.Minute
	write("3000", "70")
	if l := look(); l.Window != 5*time.Minute || l.WindowSent != 2000 || l.WindowLost != 60 || l.Sent != 3000 || l.Lost != 70 {
		t.Errorf("%+v", l)
	}
	now += 5 * time.Minute
	write("20", "0")
	if l := look(); l.Window != 0 || l.WindowSent != 0 || l.Sent != 20 {
		t.Errorf("after a boot: %+v", l)
	}
}

// Without the counters the section is empty, and a gap has the reason.
func TestPacketsUnreadable(t *testing.T) {
	h := newHost(Options{Root: t.TempDir()}, folderSystem(), newAbsent())
	var r nodereport.Report
	if err := packets(t.Context(), h, &r); err == nil || len(r.Losses) != 0 {
		t.Errorf("%v, %+v", err, r.Losses)
	}
}
