package collect

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// keptAt returns reports as an agent keeps them, one for each time.
func keptAt(times ...string) string {
	var out strings.Builder
	for _, at := range times {
		fmt.Fprintf(&out, `{"apiVersion":"nodetriage.dev/v1alpha1","kind":"NodeReport","node":"worker-3","away":true,"takenAt":"2026-03-01T%sZ",`+
			`"messages":[{"signature":"kubelet-pleg-unhealthy","source":"journal","count":1,"text":"PLEG is not healthy: pleg was last seen active 3m11s ago; threshold is 3m0s"}]}`+"\n", at)
	}
	return out.String()
}

// Kept reports are shown next to the current report, and never replace it: no other part of the evidence uses them.
func TestAgentPast(t *testing.T) {
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	b := builderWithSignatures(t)
	b.TakenAt(now)
	// Two days old, of the last day, of the future, and one that is cut off.
	kept := strings.Replace(keptAt("00:00:00"), "03-01", "02-27", 1) + keptAt("09:00:00", "09:20:00", "11:00:00") + keptAt("09:30:00")[:50]
	b.AddAgentPast("worker-3", now, strings.NewReader(kept))
	b.AddAgentReport("worker-3", now, strings.NewReader(strings.Replace(fromAgent, "09:59:00", "09:58:00", 1)))
	d := b.Snapshot().Data()
	if len(d.NodeReports) != 1 || d.NodeReports[0].Away || d.NodeReports[0].TakenAt.Minute() != 58 || len(d.Matches) != 1 {
		t.Fatalf("reports %+v, %d matches", d.NodeReports, len(d.Matches))
	}
	earlier := d.NodeReports[0].Earlier
	if len(earlier) != 2 || earlier[0].TakenAt.Minute() != 0 || earlier[1].TakenAt.Minute() != 20 || earlier[0].Source != "agent on node/worker-3, kept for later" {
		t.Errorf("earlier: %+v", earlier)
	}
	if !d.TakenAt.Equal(now) {
		t.Errorf("the evidence is of %s", d.TakenAt)
	}
}

// Without a current report, a kept report does not become the current one.
func TestAgentPastAlone(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 21, 0, 0, time.UTC)
	b := builderWithSignatures(t)
	b.TakenAt(now)
	b.AddAgentPast("worker-3", now, strings.NewReader(keptAt("09:00:00", "09:20:00")))
	d := b.Snapshot().Data()
	if len(d.NodeReports) != 1 || !d.NodeReports[0].TakenAt.IsZero() || len(d.NodeReports[0].Earlier) != 2 || len(d.Matches) != 0 {
		t.Errorf("reports %+v, %d matches", d.NodeReports, len(d.Matches))
	}
}

// A file of kept reports alone is evidence of its time: its last report is the state of the node.
func TestAgentPastFile(t *testing.T) {
	b := builderWithSignatures(t)
	b.AddStream("away.json", strings.NewReader(keptAt("09:00:00", "09:20:00")))
	d := b.Snapshot().Data()
	if len(d.NodeReports) != 1 || d.NodeReports[0].TakenAt.Minute() != 20 || d.NodeReports[0].Away || len(d.NodeReports[0].Earlier) != 1 || len(d.Matches) != 1 {
		t.Errorf("reports %+v, %d matches", d.NodeReports, len(d.Matches))
	}
}
