package execute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/verify"
)

// Proof is what one look shows of a change that the cloud has done.
type Proof struct {
	Missing []string               // what must hold and does not
	Nodes   []*verify.Verification // of nodes that were changed, each looked at with its kubelet, log and pods
	Others  []*verify.Verification // of all others of the pool or cluster, by what the API and the cloud tell
	Unseen  string                 // why there may be nodes that were not looked at; empty: there are none
}

// Checked is how many nodes were looked at in the end, and how closely.
type Checked struct {
	Nodes   int      `json:"nodes"`   // of what was changed, as far as they are known
	Closely []string `json:"closely"` // looked at with their kubelets, logs and pods
	Others  int      `json:"others"`  // looked at by Steps alone
	Steps   []string `json:"steps"`
	Unseen  string   `json:"unseen,omitempty"` // why there may be more
}

// checked says what was looked at on how many nodes.
func (p Proof) checked() *Checked {
	c := &Checked{Nodes: len(p.Nodes) + len(p.Others), Closely: []string{}, Others: len(p.Others), Steps: []string{}, Unseen: p.Unseen}
	for _, v := range p.Nodes {
		c.Closely = append(c.Closely, v.Node)
	}
	for _, v := range p.Others {
		for _, s := range v.Steps {
			if !slices.Contains(c.Steps, s.ID) {
				c.Steps = append(c.Steps, s.ID)
			}
		}
	}
	return c
}

// String says it in words: what the others were not asked is not proven on them.
func (c *Checked) String() string {
	if c.Others == 0 {
		return ""
	}
	return fmt.Sprintf("looked at %d nodes: %d with kubelet, log and pods, %d by %s alone", c.Nodes, len(c.Closely), c.Others, strings.Join(c.Steps, ", "))
}

// verdict is clear where nothing is missing and every node is verified; a node that only has something left to do is. It
// says what stands against it, and reports whether an unknown will be known soon.
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
	for r, list := range alike(p.Others) {
		said[r] = append(said[r], list...)
	}
	for _, v := range p.Others {
		soon = soon || slices.ContainsFunc(v.Steps, func(s verify.Step) bool { return s.Result == verify.Unknown && s.Soon })
	}
	if p.Unseen != "" {
		said[verify.Unknown] = append(said[verify.Unknown], p.Unseen)
	}
	for _, r := range []verify.Result{verify.NotClear, verify.Unknown} {
		if list := said[r]; len(list) > 0 {
			return r, some(list), soon
		}
	}
	return verify.Clear, some(said[verify.Warning]), false
}

// some joins the first of a list, and says how many are left out.
func some(list []string) string {
	const most = 20
	if more := len(list) - most; more > 0 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, "; ")
}

// mostTold bounds the verifications of a result.
const mostTold = 50

const named = 3 // nodes that are named where many have the same

// alike says what stands against many nodes: what is the same of several once, with their number.
func alike(list []*verify.Verification) map[verify.Result][]string {
	type same struct {
		result verify.Result
		text   string
	}
	nodes := map[same][]string{}
	var order []same
	for _, v := range list {
		for _, s := range v.Steps {
			if s.Result == verify.Clear {
				continue
			}
			k := same{s.Result, s.Title + ": " + s.Detail}
			if nodes[k] == nil {
				order = append(order, k)
			}
			nodes[k] = append(nodes[k], v.Node)
		}
	}
	out := map[verify.Result][]string{}
	for _, k := range order {
		on := nodes[k]
		text := "node " + on[0]
		if len(on) > 1 {
			text = fmt.Sprintf("%d nodes (%s", len(on), strings.Join(on[:min(named, len(on))], ", "))
			if more := len(on) - named; more > 0 {
				text += fmt.Sprintf(" and %d more", more)
			}
			text += ")"
		}
		out[k.result] = append(out[k.result], text+": "+k.text)
	}
	return out
}

// verify waits until everything holds that must, or what is not known will not be, and does what is left then.
func (r *repairer) verify(ctx context.Context) error {
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
func (r *repairer) end(ctx context.Context, proof Proof, result verify.Result, why string, finish bool) error {
	if finish {
		opened, err := r.opt.Finish(ctx)
		if err != nil {
			return fmt.Errorf("finish: %w", err)
		}
		if opened {
			for _, v := range proof.Nodes {
				v.Opened()
			}
			result, why, _ = proof.verdict()
		}
	}
	r.result.Verdict, r.result.Verifications, r.result.Why = result, proof.Nodes, why
	for _, v := range proof.Others { // those that are clear have nothing to tell
		if v.Verdict != verify.Clear && len(r.result.Verifications) < mostTold {
			r.result.Verifications = append(r.result.Verifications, v)
		}
	}
	r.result.Checked = proof.checked()
	r.result.Verified = result == verify.Clear
	outcome := map[verify.Result]Outcome{verify.Clear: Done, verify.Unknown: Skipped, verify.NotClear: Failed}[result]
	return r.record(stepEnd, outcome, strings.TrimSuffix("verify: "+strings.ReplaceAll(string(result), "-", " ")+": "+why, ": "), nil, nil)
}
