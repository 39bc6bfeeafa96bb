package ask

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// A plan, or its evidence, that is too old is not carried out.
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
		// For a file, the time of its evidence counts.
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

// The cloud is queried about the target, identified by the evidence or by the known provider id.
func TestRepairAsksTheCloud(t *testing.T) {
	from := fromServer(t, func(*http.Request) {})
	var about cloud.About
	opt := RepairOptions{
		Action: cloud.Reimage, Target: "n1",
		Inspect: func(_ context.Context, a cloud.About) (*cloud.Standing, error) {
			about = a
			return &cloud.Standing{}, nil
		},
		Archive: func(string, time.Time) string { return "archive" },
	}
	r, err := Repair(t.Context(), from, opt)
	if err != nil || len(r.Plan.Saved) != 2 || about.Verb != cloud.Reimage {
		t.Fatal(r, err, about)
	}
	opt.Action, opt.Target = cloud.Reconcile, "a"
	nodeless := evidence.New(evidence.Data{})
	if _, err := opt.Standing(t.Context(), nodeless, opt.Action); !errors.Is(err, repair.ErrNoCloud) {
		t.Error(err)
	}
	opt.Place = "azure:///subscriptions/0"
	if _, err := opt.Standing(t.Context(), nodeless, opt.Action); err != nil || about.ProviderID != opt.Place {
		t.Error(err, about)
	}
	opt = RepairOptions{
		Action: cloud.ScalePool, Target: "a", Count: new(int),
		Inspect: func(context.Context, cloud.About) (*cloud.Standing, error) { return nil, errors.New("throttled") },
	}
	_, err = Repair(t.Context(), from, opt)
	if err == nil || err.Error() != "scale-pool a: throttled" {
		t.Error(err)
	}
}

// The target is a node, a pool or the cluster.
func TestRepairSubject(t *testing.T) {
	for target, want := range map[string]evidence.Subject{"cluster": evidence.ClusterSubject(), "np1": {Kind: "Pool", Name: "np1"}} {
		opt := RepairOptions{Action: cloud.Reconcile, Target: target}
		if got := opt.Subject(); got != want {
			t.Error(got, want)
		}
	}
	for _, verb := range RepairActions() {
		if opt := (RepairOptions{Action: verb, Target: "x"}); opt.Subject().Kind == "" {
			t.Error(verb)
		}
	}
}
