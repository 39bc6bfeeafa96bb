package agent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// The state passes from one process to the next: counters, the clock step, and hanging calls.
func TestCarried(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"proc/1/net/snmp":         "Tcp: OutSegs RetransSegs\nTcp: 3000 70\n",
		"proc/1/net/softnet_stat": "00000000 00000005\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const boot = 1000 * time.Hour
	first := New(Options{Root: root, Pace: time.Nanosecond})
	first.system.running = func() time.Duration { return boot }
	first.before.clock.was = bothClocks{time.Now().Add(-10 * time.Minute), boot}
	first.before.packets.was = sentAndLost{boot, []tally{{Name: "tcp", Sent: 1000, Lost: 10}}}
	first.before.tallies.was = totals{boot, map[string]uint64{"backlog-drop": 2}}
	since := time.Now().Truncate(time.Second).Add(-time.Hour)
	first.absent.since["probe clock"] = since

	data, err := json.Marshal(first.Carried())
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Root: root, Pace: time.Nanosecond}
	if err := json.Unmarshal(data, &opt.Before); err != nil {
		t.Fatal(err)
	}
	second := New(opt)
	second.system.running = func() time.Duration { return boot + 5*time.Minute }
	r := second.Look(t.Context())
	if l := r.Losses; len(l) != 1 || l[0].Window != 5*time.Minute || l[0].WindowSent != 2000 || l[0].WindowLost != 60 {
		t.Errorf("losses: %+v", l)
	}
	if i := slices.IndexFunc(r.Tallies, func(t nodereport.Tally) bool { return t.Name == "backlog-drop" }); i < 0 || r.Tallies[i].Window != 5*time.Minute || r.Tallies[i].InWindow != 3 {
		t.Errorf("tallies: %+v", r.Tallies)
	}
	if len(r.Hung) != 1 || r.Hung[0].Name != "clock" || r.Hung[0].After < time.Hour {
		t.Errorf("a call that hangs in another process: %+v", r.Hung)
	}
	if out := second.Carried().Out; len(out) != 1 || !out["probe clock"].Equal(since) {
		t.Errorf("it is carried as %v", out)
	}
	step, watched := bothClocks{time.Now(), boot + 5*time.Minute}.since(second.Carried().Clock)
	if watched != 5*time.Minute || step.Round(time.Minute) != 5*time.Minute {
		t.Errorf("the clock was set by %s in %s", step, watched)
	}
}
