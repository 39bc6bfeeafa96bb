package execute

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// fakeCloud returns configured answers and counts requested changes.
type fakeCloud struct {
	begin    []error          // of each request in order; after the last, nil
	progress []cloud.Progress // of each query in order; the last repeats
	seen     cloud.Trace      // content of its activity log
	lost     error            // error of its activity log
	begun    []cloud.Change
	asked    int
}

func (f *fakeCloud) Begin(_ context.Context, c cloud.Change) (cloud.Operation, error) {
	f.begun = append(f.begun, c)
	if n := len(f.begun) - 1; n < len(f.begin) && f.begin[n] != nil {
		return cloud.Operation{}, f.begin[n]
	}
	return cloud.Operation{Status: "https://cloud/operations/1", Target: c.Target}, nil
}

func (f *fakeCloud) Progress(ctx context.Context, _ cloud.Operation) (cloud.Progress, error) {
	if ctx.Err() != nil {
		return cloud.Progress{}, ctx.Err()
	}
	p := f.progress[min(f.asked, len(f.progress)-1)]
	f.asked++
	return p, nil
}

func (f *fakeCloud) Sent(context.Context, cloud.Change, time.Time) (cloud.Trace, error) {
	return f.seen, f.lost
}

var (
	running  = cloud.Progress{State: cloud.Running, Percent: 40}
	finished = cloud.Progress{State: cloud.Succeeded}
	settled  = cloud.Progress{State: cloud.Canceled} // nothing runs on the target
	restart  = cloud.Change{Verb: cloud.Restart, Target: "/machines/0", Version: "1"}
)

func ready() *repair.Plan {
	return &repair.Plan{Action: cloud.Restart, Subject: evidence.NodeSubject("a"), Verdict: plan.Clear, Change: restart}
}

// repairing is a repair that succeeds unless a test changes it.
type repairing struct {
	t       *testing.T
	cloud   *fakeCloud
	journal string
	plan    *repair.Plan
	check   *repair.Plan
	proofs  []Proof // of each check in order; the last repeats
	timeout time.Duration
	opened  int
	log     []string
}

func newRepairing(t *testing.T, f *fakeCloud) *repairing {
	return &repairing{t: t, cloud: f, journal: filepath.Join(t.TempDir(), "journal.jsonl"), plan: ready(), check: ready(), proofs: []Proof{{}}}
}

func (r *repairing) run(ctx context.Context) (*RepairResult, error) {
	r.t.Helper()
	j, err := OpenJournal(r.journal)
	if err != nil {
		r.t.Fatal(err)
	}
	defer j.Close()
	looks := 0
	return Repair(ctx, r.plan, RepairOptions{
		Operator: r.cloud, Journal: j, Bundle: "before.tar.gz", Timeout: r.timeout, VerifyTimeout: time.Minute,
		Check: func(context.Context) (*repair.Plan, error) { return r.check, nil },
		Verify: func(context.Context) (Proof, error) {
			p := r.proofs[min(looks, len(r.proofs)-1)]
			looks++
			return p, nil
		},
		Finish: func(context.Context) (bool, error) { r.opened++; return true, nil },
		Log:    func(e Entry) { r.log = append(r.log, e.Do+" "+string(e.Result)) },
	})
}

// A repair ends verified, refused or failed with a reason. It sends a change once unless the cloud certainly did not
// receive it.
func TestRepairEnds(t *testing.T) {
	refusal := func(reason cloud.Reason) error {
		return &cloud.Refusal{Reason: reason, Status: 409, Code: "Code", Message: "words"}
	}
	for name, c := range map[string]struct {
		cloud    fakeCloud
		change   func(*repairing)
		changed  bool
		verified bool
		left     bool
		why      string
		sent     int
		opened   int
	}{
		"all goes well": {cloud: fakeCloud{progress: []cloud.Progress{running, running, finished}}, changed: true, verified: true, sent: 1, opened: 1},
		"not clear any more": {change: func(r *repairing) {
			r.check.Verdict = plan.Blocked
			r.check.Gates = []repair.Gate{{State: repair.Passed}, {State: repair.Refused, Why: "a lock is there"}}
		}, why: "no longer pass: a lock is there"},
		"changed since":           {change: func(r *repairing) { r.check.Change.Version = "2" }, why: "it was changed after the plan was created"},
		"another operation":       {cloud: fakeCloud{begin: []error{refusal(cloud.Busy)}}, why: "the cloud answers 409 Code: words; wait for the other operation", sent: 1},
		"changed in between":      {cloud: fakeCloud{begin: []error{refusal(cloud.Changed)}}, why: "; plan again", sent: 1},
		"gone":                    {cloud: fakeCloud{begin: []error{refusal(cloud.Missing)}}, why: "it no longer exists", sent: 1},
		"forbidden":               {cloud: fakeCloud{begin: []error{refusal(cloud.Forbidden)}}, why: "shows the reason", sent: 1},
		"throttled, then taken":   {cloud: fakeCloud{begin: []error{refusal(cloud.Throttled), refusal(cloud.Throttled)}, progress: []cloud.Progress{finished}}, changed: true, verified: true, sent: 3, opened: 1},
		"throttled for good":      {cloud: fakeCloud{begin: []error{refusal(cloud.Throttled), refusal(cloud.Throttled), refusal(cloud.Throttled), refusal(cloud.Throttled), refusal(cloud.Throttled)}}, why: "words", sent: 5},
		"unanswered, but arrived": {cloud: fakeCloud{begin: []error{refusal(cloud.Unanswered)}, progress: []cloud.Progress{settled, finished}, seen: cloud.Trace{Seen: true}}, changed: true, verified: true, sent: 1, opened: 1},
		"unanswered, and it runs": {cloud: fakeCloud{begin: []error{refusal(cloud.Unanswered)}, progress: []cloud.Progress{running, finished}}, changed: true, verified: true, sent: 1, opened: 1},
		"unanswered, not known":   {cloud: fakeCloud{begin: []error{refusal(cloud.Unanswered)}, progress: []cloud.Progress{settled}}, left: true, why: "It is not sent again", sent: 1},
		"the operation fails":     {cloud: fakeCloud{progress: []cloud.Progress{running, {State: cloud.Failed, Code: "QuotaExceeded", Message: "no cores"}}}, why: "the operation failed: QuotaExceeded: no cores", sent: 1},
		"it takes too long":       {cloud: fakeCloud{progress: []cloud.Progress{running}}, change: func(r *repairing) { r.timeout = time.Minute }, left: true, why: "still running after 60s", sent: 1},
		"proven late":             {cloud: fakeCloud{progress: []cloud.Progress{finished}}, change: func(r *repairing) { r.proofs = []Proof{{Missing: []string{"node a is not Ready"}}, {}} }, changed: true, verified: true, sent: 1, opened: 1},
		"not proven":              {cloud: fakeCloud{progress: []cloud.Progress{finished}}, change: func(r *repairing) { r.proofs = []Proof{{Missing: []string{"node a is not Ready"}}} }, changed: true, why: "node a is not Ready", sent: 1},
		"nobody can know":         {cloud: fakeCloud{progress: []cloud.Progress{finished}}, change: func(r *repairing) { r.proofs = []Proof{{Unseen: "nodes could not be read"}} }, changed: true, why: "nodes could not be read", sent: 1, opened: 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRepairing(t, &c.cloud)
				if c.change != nil {
					c.change(r)
				}
				got, err := r.run(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if got.Changed != c.changed || got.Verified != c.verified || got.Left != c.left || !strings.Contains(got.Why, c.why) || (c.why == "") != (got.Why == "") {
					t.Errorf("%+v", got)
				}
				if len(c.cloud.begun) != c.sent || r.opened != c.opened {
					t.Errorf("%d changes were sent, want %d; opened %d times, want %d", len(c.cloud.begun), c.sent, r.opened, c.opened)
				}
				marks := map[string]bool{}
				for _, b := range c.cloud.begun {
					marks[b.Mark] = true
				}
				if len(marks) != c.sent {
					t.Errorf("%d changes have %d marks", c.sent, len(marks))
				}
			})
		})
	}
}

// The next run continues an interrupted repair and sends nothing again.
func TestRepairIsResumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeCloud{progress: []cloud.Progress{running}}
		r := newRepairing(t, f)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		got, err := r.run(ctx)
		if err != nil || !got.Left || got.Changed {
			t.Fatalf("%+v, %v", got, err)
		}
		first := got.Run
		j, err := OpenJournal(r.journal)
		if err != nil {
			t.Fatal(err)
		}
		p := j.Pending()
		if p == nil || !p.Is(cloud.Restart, evidence.NodeSubject("a"), 0, cloud.Own{}) || p.Bundle != "before.tar.gz" || p.Arguments() != "restart a" || !p.Done.IsZero() {
			t.Errorf("pending: %+v", p)
		}
		j.Close()

		other := *r
		other.plan = &repair.Plan{Action: cloud.Reimage, Subject: evidence.NodeSubject("b"), Verdict: plan.Clear}
		if _, err := other.run(t.Context()); err == nil || !strings.Contains(err.Error(), "has not finished: resume it first") {
			t.Errorf("another repair begins: %v", err)
		}

		f.progress = []cloud.Progress{finished}
		got, err = r.run(t.Context())
		if err != nil || !got.Resumed || !got.Changed || !got.Verified || got.Run != first {
			t.Errorf("%+v, %v", got, err)
		}
		if len(f.begun) != 1 {
			t.Errorf("%d changes were sent", len(f.begun))
		}
		if j, err = OpenJournal(r.journal); err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		if j.Pending() != nil || j.DoneAt(evidence.NodeSubject("a"), cloud.Restart, 0).IsZero() || !j.DoneAt(evidence.NodeSubject("b"), cloud.Restart, 0).IsZero() {
			t.Errorf("the journal has %+v", j.runs)
		}
	})
}

// The next run searches a request without an answer. A request that never arrived is not sent again on a guess.
func TestRepairThatNeverArrived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeCloud{begin: []error{&cloud.Refusal{Reason: cloud.Unanswered, Message: "connection reset"}}, progress: []cloud.Progress{settled}}
		r := newRepairing(t, f)
		if got, err := r.run(t.Context()); err != nil || !got.Left {
			t.Fatalf("%+v, %v", got, err)
		}
		f.lost = errors.New("the log does not answer")
		if got, err := r.run(t.Context()); err != nil || !got.Left || !got.Resumed {
			t.Errorf("without the log: %+v, %v", got, err)
		}
		f.lost = nil
		time.Sleep(logLate)
		got, err := r.run(t.Context())
		if err != nil || got.Left || !strings.Contains(got.Why, "never arrived, and nothing was changed") {
			t.Errorf("%+v, %v", got, err)
		}
		if len(f.begun) != 1 {
			t.Errorf("%d changes were sent", len(f.begun))
		}
	})
}

// The journal survives a kill within a line, and only one process can open it.
func TestJournal(t *testing.T) {
	dir := t.TempDir()
	const id = "azure:///subscriptions/0/resourceGroups/MC_rg_aks/providers/Microsoft.Compute/virtualMachineScaleSets/s/virtualMachines/0"
	j, err := JournalOf(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := JournalOf(dir, strings.ToUpper(id)); !errors.Is(err, ErrBusy) {
		t.Errorf("two have the journal of one cluster: %v", err)
	}
	if _, err := JournalOf(dir, "kind://docker/a/b"); !errors.Is(err, repair.ErrNoCloud) {
		t.Errorf("a journal of no cloud: %v", err)
	}
	change := cloud.Change{Verb: cloud.AddPool, Target: "/pools/new", Like: "/pools/np1", Count: 3, Own: cloud.Own{Size: "Standard_D4s_v5", Labels: "a=b", Taints: "t=v:NoSchedule"}}
	if err := j.write(Record{Entry: Entry{Run: "1", Do: stepBegin, Kind: "Pool", Name: "new", Why: "password=hunter2hunter2"}, Change: &change}); err != nil {
		t.Fatal(err)
	}
	path := j.Path()
	j.Close()
	data, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(data), "hunter2") {
		t.Errorf("%v, %s", err, data)
	}
	if err := os.WriteFile(path, append(data, `{"run":"1","do":"succ`...), 0o600); err != nil {
		t.Fatal(err)
	}
	if j, err = OpenJournal(path); err != nil {
		t.Fatal(err)
	}
	if err := j.write(Record{Entry: Entry{Run: "1", Do: "progress"}}); err != nil {
		t.Fatal(err)
	}
	j.Close()
	if j, err = OpenJournal(path); err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	p := j.Pending()
	if p == nil || p.Arguments() != "add-pool new --like np1 --size Standard_D4s_v5 --label a=b --taint t=v:NoSchedule --count 3" {
		t.Fatalf("pending: %+v", p)
	}
	if got := BundlePath("d", cloud.Restart, "../a/b", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); got != filepath.Join("d", "before-restart-___a_b-20260102T030405Z.tar.gz") {
		t.Errorf("bundle %s", got)
	}
}

// The last step after a change uncordons a node only without problems.
func TestVerdictOpensNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRepairing(t, &fakeCloud{progress: []cloud.Progress{finished}})
		r.proofs = []Proof{{Nodes: []*verify.Verification{{Node: "a", Steps: []verify.Step{{ID: "ready", Title: "Ready", Result: verify.NotClear, Detail: "it is not"}}}}}}
		got, err := r.run(t.Context())
		if err != nil || got.Verified || got.Verdict != verify.NotClear || r.opened != 0 || len(got.Checked.Closely) != 1 {
			t.Errorf("%+v, %v, opened %d times", got, err, r.opened)
		}
	})
}
