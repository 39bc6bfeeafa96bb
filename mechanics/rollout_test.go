package mechanics

import (
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
)

func TestRollsOut(t *testing.T) {
	for _, c := range []struct {
		kind           string
		w              *evidence.Workload
		ready, unready bool
	}{
		{"Deployment", nil, true, true},
		{"Deployment", &evidence.Workload{Paused: true}, false, false},
		{"DaemonSet", &evidence.Workload{}, true, true},
		{"DaemonSet", &evidence.Workload{OnDelete: true}, false, false},
		{"StatefulSet", &evidence.Workload{}, true, false},
		{"StatefulSet", &evidence.Workload{OnDelete: true}, false, false},
		{"ReplicaSet", &evidence.Workload{}, false, false},
		{"ReplicationController", nil, false, false},
		{"Job", nil, false, false},
		{"Rollout", nil, false, false}, // of an operator: not known
	} {
		if got := RollsOut(c.kind, c.w); got != c.ready {
			t.Errorf("%s %+v replaces its pods: %v", c.kind, c.w, got)
		}
		if got := RollsOutUnready(c.kind, c.w); got != c.unready {
			t.Errorf("%s %+v replaces pods that are not ready: %v", c.kind, c.w, got)
		}
	}
}
