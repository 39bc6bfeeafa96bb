package execute

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/verify"
)

// Proof is what one look shows of a change that the cloud has done.
type Proof struct {
	Missing []string               // what must hold and does not
	Nodes   []*verify.Verification // of the nodes that were changed
}

// verdict is clear where nothing is missing and every node is verified; a node that only has something left to do is. It
// tells what stands against it, and whether an unknown will be known soon.
func (p Proof) verdict() (result verify.Result, why string, soon bool) {
	if len(p.Missing) > 0 {
		return verify.NotClear, strings.Join(p.Missing, "; "), false
	}
	said := map[verify.Result][]string{}
	for _, v := range p.Nodes {
		for _, s := range v.Steps {
			said[s.Result] = append(said[s.Result], fmt.Sprintf("node %s: %s: %s", v.Node, s.Title, s.Detail))
			soon = soon || s.Result == verify.Unknown && s.Soon
		}
	}
	for _, r := range []verify.Result{verify.NotClear, verify.Unknown} {
		if list := said[r]; len(list) > 0 {
			return r, strings.Join(list, "; "), soon
		}
	}
	return verify.Clear, strings.Join(said[verify.Warning], "; "), false
}

// verify waits until everything holds that must, or what is not known will not be, and does what is left then.
func (r *repair) verify(ctx context.Context) error {
	until, wait, said := time.Now().Add(r.opt.VerifyTimeout), firstPoll, ""
	for {
		proof, err := r.opt.Verify(ctx)
		result, why, soon := proof.verdict()
		if err != nil {
			result, why, soon = verify.Unknown, "it could not be looked at: "+err.Error(), true
		}
		over := result == verify.Clear || result == verify.Unknown && !soon || time.Now().After(until)
		if ctx.Err() == nil && over {
			return r.end(ctx, proof, result, why, err == nil && result != verify.NotClear)
		}
		if why != said {
			said = why
			r.tell("verify", Waits, why)
		}
		if !pause(ctx, wait) {
			r.result.Left = true
			r.result.Why = "the change is done and was not verified; run the same command to do that"
			r.tell("left", Waits, r.result.Why)
			return errLeft
		}
		wait = min(wait*2, slowestPoll)
	}
}

// end writes how it ended. Where nothing speaks against it, what is left is done.
func (r *repair) end(ctx context.Context, proof Proof, result verify.Result, why string, finish bool) error {
	if finish {
		if err := r.opt.Finish(ctx); err != nil {
			return fmt.Errorf("finish: %w", err)
		}
	}
	r.result.Verdict, r.result.Verifications, r.result.Why = result, proof.Nodes, why
	r.result.Verified = result == verify.Clear
	outcome := map[verify.Result]Outcome{verify.Clear: Done, verify.Unknown: Skipped, verify.NotClear: Failed}[result]
	return r.record(stepEnd, outcome, strings.TrimSuffix("verify: "+strings.ReplaceAll(string(result), "-", " ")+": "+why, ": "), nil, nil)
}
