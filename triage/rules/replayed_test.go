package rules_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/triage"
)

// A starting kubelet reads the kernel messages from the oldest one, and reports old OOM kills as new.
func TestKillsOfBeforeTheKubeletStarted(t *testing.T) {
	for name, c := range map[string]struct {
		started, killed time.Duration // before the evidence
		want            triage.Certainty
	}{
		"told at the start":      {10 * time.Minute, 10*time.Minute - 2*time.Second, triage.Possible},
		"told while it ran":      {10 * time.Minute, 5 * time.Minute, triage.Likely},
		"told before the start":  {5 * time.Minute, 10 * time.Minute, triage.Likely},
		"a start is not told of": {0, 5 * time.Minute, triage.Likely},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := newCluster()
			n := cluster.nodes[0]
			if c.started > 0 {
				cluster.event("Node", "", n.Name, "Normal", "Starting", "Starting kubelet.", c.started)
			}
			cluster.event("Node", "", n.Name, "Warning", "SystemOOM", "System OOM encountered, victim process: java, pid: 4711", c.killed)
			for _, f := range judged(t, cluster.snapshot()).Findings {
				if f.Cause == "memory-pressure-oom" {
					if f.Certainty != c.want {
						t.Errorf("it is %s, want %s", f.Certainty, c.want)
					}
					return
				}
			}
			t.Error("it was not found")
		})
	}
}
