package execute

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	answerTime  = 90 * time.Second // timeout of a change request
	logLate     = 15 * time.Minute // maximum delay of the activity log of the cloud
	searchTime  = 2 * time.Minute  // how long to search for a lost request
	throttles   = 5                // retries of a throttled change
	throttled   = time.Minute      // the pause without a Retry-After: the refill time of the service per pool
	firstPoll   = time.Second
	slowestPoll = 15 * time.Second
	tellEvery   = 30 * time.Second
)

// RepairOptions configure how a repair is carried out.
type RepairOptions struct {
	Operator cloud.Operator
	Journal  *Journal
	Bundle   string // file with the evidence before the change
	// Check plans again from fresh evidence, right before the change.
	Check func(ctx context.Context) (*repair.Plan, error)
	// Verify checks the required end state. It is repeated until the state is reached or cannot be known.
	Verify func(ctx context.Context) (Proof, error)
	// Finish does the last step after success: it uncordons the node and reports whether it did.
	Finish        func(ctx context.Context) (opened bool, err error)
	Timeout       time.Duration // of the cloud operation
	VerifyTimeout time.Duration
	Log           func(Entry)
}

// RepairResult is the result of a repair.
type RepairResult struct {
	Run      string `json:"run"`
	Resumed  bool   `json:"resumed"`
	Changed  bool   `json:"changed"`  // the cloud completed the change
	Verified bool   `json:"verified"` // and the end state is reached
	Left     bool   `json:"left"`     // still running in the cloud; the same command continues it
	Why      string `json:"why,omitempty"`

	Verdict       verify.Result          `json:"verdict,omitempty"`       // of the final check: clear, not-clear, unknown
	Checked       *Checked               `json:"checked,omitempty"`       // number of checked nodes and the depth of the checks
	Verifications []*verify.Verification `json:"verifications,omitempty"` // of nodes checked closely, and of other nodes that are not clear
}

// repairer is one run.
type repairer struct {
	plan   *repair.Plan
	opt    RepairOptions
	result *RepairResult
}

// Reasons why a repair ends without a failure of the tool.
var (
	errRefused = errors.New("refused")
	errLeft    = errors.New("left")
)

// Repair carries out one change or continues a pending one. After any interruption the next run continues from the
// journal. It never sends a change twice.
func Repair(ctx context.Context, p *repair.Plan, opt RepairOptions) (*RepairResult, error) {
	r := &repairer{plan: p, opt: opt, result: &RepairResult{Run: newRun()}}
	err := r.run(ctx)
	if errors.Is(err, errRefused) || errors.Is(err, errLeft) {
		err = nil
	}
	return r.result, err
}

func (r *repairer) run(ctx context.Context) error {
	a := r.opt.Journal.pending()
	if a != nil && (a.subject != r.plan.Subject || a.change.Verb != r.plan.Action) {
		return fmt.Errorf("%s %s: %s %s was started at %s and has not finished: resume it first",
			r.plan.Action, r.plan.Subject, a.change.Verb, a.subject, a.begun.Format(time.RFC3339))
	}
	if a != nil {
		r.result.Run, r.result.Resumed = a.run, true
		r.tell("resume", Done, "started at "+a.begun.Format(time.RFC3339))
		if a.operation == nil && !a.succeeded {
			sent, err := r.find(ctx, a)
			if err != nil || !sent {
				return err
			}
		}
	} else if err := r.begin(ctx); err != nil {
		return err
	}
	a = r.opt.Journal.pending()
	if !a.succeeded {
		if err := r.follow(ctx, a); err != nil {
			return err
		}
	}
	r.result.Changed = true
	return r.verify(ctx)
}

// begin checks the plan again and sends the change.
func (r *repairer) begin(ctx context.Context) error {
	again, err := r.opt.Check(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("check again before the change: %w", err)
	case again.Verdict != plan.Clear:
		r.result.Why = "the checks before the change no longer pass: " + firstRefusal(again)
		r.tell("check", Failed, r.result.Why)
		return errRefused
	case again.Change != r.plan.Change:
		r.result.Why = "it was changed after the plan was created; plan again"
		r.tell("check", Failed, r.result.Why)
		return errRefused
	case ctx.Err() != nil:
		r.result.Why = "it was interrupted before the change"
		return errRefused
	}
	r.tell("check", Done, "the state is as planned")
	for try := 1; ; try++ {
		c := again.Change
		c.Mark = newMark()
		if err := r.record(stepBegin, Done, "", &c, nil); err != nil {
			return err
		}
		err := r.send(ctx, c)
		var no *cloud.Refusal
		switch {
		case !errors.As(err, &no) || no.Reason != cloud.Throttled:
			return err
		case try == throttles:
			return errRefused
		}
		wait := no.After
		if wait == 0 {
			wait = throttled
		}
		r.tell("throttled", Waits, fmt.Sprintf("%s; retry in %s", no.Code, wording.Duration(wait)))
		if !pause(ctx, wait) {
			r.result.Why = "it was interrupted before the change"
			return errRefused
		}
	}
}

// send sends the change once. An interruption does not cancel the request.
func (r *repairer) send(ctx context.Context, c cloud.Change) error {
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer cancel()
	op, err := r.opt.Operator.Begin(sending, c)
	if err == nil {
		return r.record(stepAccepted, Done, "the cloud accepted it", nil, &op)
	}
	var no *cloud.Refusal
	if errors.As(err, &no) && no.Reason == cloud.Unanswered {
		r.tell("unanswered", Waits, no.Error()+"; checking whether the request arrived")
		sent, err := r.find(ctx, r.opt.Journal.pending())
		if err == nil && !sent {
			return errRefused
		}
		return err
	}
	if writing := r.record(stepRefused, Failed, err.Error(), nil, nil); writing != nil {
		return writing
	}
	r.result.Why = strings.TrimSuffix(err.Error(), ".") + hint(no)
	if no != nil && no.Reason == cloud.Throttled {
		return no
	}
	return errRefused
}

// hint returns what to do after a rejection.
func hint(no *cloud.Refusal) string {
	if no == nil {
		return ""
	}
	switch no.Reason {
	case cloud.Busy:
		return "; wait for the other operation, or nodetriage repair abort"
	case cloud.Changed:
		return "; plan again"
	case cloud.Missing:
		return "; it no longer exists: nodetriage diagnose"
	case cloud.Forbidden:
		return "; nodetriage diagnose shows the reason"
	}
	return ""
}

// find checks whether a change without an answer reached the cloud. It never sends the change again on a guess: while
// the activity log may be late, the question stays open for the next run.
func (r *repairer) find(ctx context.Context, a *attempt) (sent bool, err error) {
	until := time.Now().Add(searchTime)
	if r.result.Resumed {
		until = time.Now() // a restarted run checks once
	}
	for {
		if p, err := r.opt.Operator.Progress(ctx, cloud.Operation{Target: a.change.Target, Gone: a.change.Verb == cloud.DeletePool}); err == nil {
			if p.State == cloud.Running || a.change.Verb == cloud.DeletePool && p.State == cloud.Succeeded {
				return true, r.record(stepAccepted, Done, "an operation of it is in progress", nil, &cloud.Operation{Target: a.change.Target, Gone: a.change.Verb == cloud.DeletePool})
			}
		}
		trace, err := r.opt.Operator.Sent(ctx, a.change, a.begun)
		if err == nil && trace.Seen {
			return true, r.record(stepAccepted, Done, "the cloud's log shows it", nil, &cloud.Operation{Target: a.change.Target, Gone: a.change.Verb == cloud.DeletePool})
		}
		late := a.begun.Add(logLate)
		if err == nil && time.Now().After(late) {
			r.result.Why = "the request of " + a.begun.Format(time.RFC3339) + " never arrived, and nothing was changed; run the command again"
			return false, r.record(stepRefused, Skipped, r.result.Why, nil, nil)
		}
		if !time.Now().Before(until) || !pause(ctx, slowestPoll) {
			r.result.Left = true
			r.result.Why = "it is unknown whether the request of " + a.begun.Format(time.RFC3339) + " arrived: the cloud's log is up to " + wording.Duration(logLate) +
				" late. It is not sent again; run the same command after " + late.Format(time.RFC3339)
			r.tell("unclear", Waits, r.result.Why)
			return false, errLeft
		}
	}
}

// follow polls the operation until it ends. After an interruption it continues in the cloud.
func (r *repairer) follow(ctx context.Context, a *attempt) error {
	if r.opt.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.opt.Timeout, errTimeout)
		defer cancel()
	}
	wait, told, said := firstPoll, time.Now(), ""
	for {
		p, err := r.opt.Operator.Progress(ctx, *a.operation)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			r.tell("waits", Waits, "its state could not be read: "+err.Error())
		case p.State == cloud.Succeeded, a.change.Verb == cloud.Abort && p.State != cloud.Running && a.operation.Status == "":
			return r.record(stepSucceeded, Done, "the cloud has finished it", nil, nil)
		case p.State != cloud.Running:
			r.result.Why = fmt.Sprintf("the operation %s: %s: %s", p.State, p.Code, p.Message)
			if err := r.record(stepFailed, Failed, r.result.Why, nil, nil); err != nil {
				return err
			}
			return errRefused
		default:
			now := string(p.State)
			if p.Percent > 0 {
				now = fmt.Sprintf("%s, %.0f %%", now, p.Percent)
			}
			if now != said || time.Since(told) > tellEvery {
				said, told = now, time.Now()
				r.tell("progress", Waits, fmt.Sprintf("%s for %s", now, wording.Duration(time.Since(a.begun))))
			}
		}
		step := wait
		if p.Wait > 0 {
			step = p.Wait
		}
		wait = min(wait*2, slowestPoll)
		if !pause(ctx, step) {
			return r.left(ctx)
		}
	}
}

// left records that the operation still runs in the cloud, and how to follow it.
func (r *repairer) left(ctx context.Context) error {
	r.result.Left = true
	r.result.Why = "the operation continues in the cloud; run the same command to resume it"
	if errors.Is(context.Cause(ctx), errTimeout) {
		r.result.Why = "it is still running after " + wording.Duration(r.opt.Timeout) + "; " + r.result.Why
	}
	r.tell("left", Waits, r.result.Why)
	return errLeft
}

func firstRefusal(p *repair.Plan) string {
	for _, g := range p.Gates {
		if g.State == repair.Refused || g.State == repair.Unjudged {
			return g.Why
		}
	}
	return string(p.Verdict)
}

// tell logs and journals a step that does not change where the next run continues.
func (r *repairer) tell(do string, result Outcome, why string) {
	_ = r.record(do, result, why, nil, nil) // an unwritable journal stops the repair at critical steps
}

func (r *repairer) record(do string, result Outcome, why string, c *cloud.Change, op *cloud.Operation) error {
	e := Entry{At: time.Now().UTC(), Run: r.result.Run, Do: do, Kind: r.plan.Subject.Kind, Name: r.plan.Subject.Name, Result: result, Why: why}
	rec := Record{Entry: e, Change: c, Operation: op}
	if c != nil {
		rec.Bundle = r.opt.Bundle
	}
	err := r.opt.Journal.write(rec)
	r.opt.Log(e)
	return err
}

// newMark returns a random UUID (RFC 9562, version 4).
func newMark() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
