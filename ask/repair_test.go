package ask

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/repair"
)

// A plan that waits too long for its person, or its evidence, does not begin any more.
func TestRepairPlanGetsOld(t *testing.T) {
	taken := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	seen := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) // this machine's clock differs from the server's
	for name, test := range map[string]struct {
		waits time.Duration
		live  bool
		state repair.GateState
	}{
		"at once":        {0, true, repair.Passed},
		"a coffee later": {4 * time.Minute, true, repair.Passed},
		"too late":       {6 * time.Minute, true, repair.Refused},
		// Of a file it is the file's own time that counts.
		"a file of now":     {time.Hour + time.Minute, false, repair.Passed},
		"a file of earlier": {time.Hour + 6*time.Minute, false, repair.Refused},
	} {
		r := &Repairing{
			Snapshot: evidence.New(evidence.Data{TakenAt: taken}), live: test.live, read: seen,
			opt: RepairOptions{Action: cloud.Reconcile, Target: "np1"},
		}
		r.Replan(seen.Add(test.waits))
		if g := r.Plan.Gates[0]; g.Name != repair.GateAge || g.State != test.state {
			t.Errorf("%s: %+v", name, g)
		}
	}
}
