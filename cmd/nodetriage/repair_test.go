package main

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
	r := &repairing{f: &repairFlags{action: cloud.Reconcile, target: "np1"}, src: newSourceFlags()}
	for name, test := range map[string]struct {
		waits time.Duration
		files []string
		state repair.GateState
	}{
		"at once":        {0, nil, repair.Passed},
		"a coffee later": {4 * time.Minute, nil, repair.Passed},
		"too late":       {6 * time.Minute, nil, repair.Refused},
		// Of a file it is the file's own time that counts.
		"a file of now":     {time.Hour + time.Minute, []string{"x"}, repair.Passed},
		"a file of earlier": {time.Hour + 6*time.Minute, []string{"x"}, repair.Refused},
	} {
		r.src.files = test.files
		l := &looked{at: seen, s: evidence.New(evidence.Data{TakenAt: taken})}
		r.judge(l, seen.Add(test.waits))
		if g := l.plan.Gates[0]; g.Name != repair.GateAge || g.State != test.state {
			t.Errorf("%s: %+v", name, g)
		}
	}
}
