package execute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/verify"
)

// Proof is the result of one check after a completed cloud operation.
type Proof struct {
	Missing []string               // requirements that are not met
	Nodes   []*verify.Verification // changed nodes, each checked with its kubelet, logs and pods
	Others  []*verify.Verification // all other nodes of the pool or cluster, checked by the API and the cloud
	Unseen  string                 // why some nodes may be unchecked; empty: all were checked
}

// Checked is the number of checked nodes and the depth of the checks.
type Checked struct {
	Nodes   int      `json:"nodes"`   // known changed nodes
	Closely []string `json:"closely"` // checked with their kubelets, logs and pods
	Others  int      `json:"others"`  // checked only by Steps
	Steps   []string `json:"steps"`
	Unseen  string   `json:"unseen,omitempty"` // why there may be more nodes
}

// checked returns the number of checked nodes and the depth of the checks.
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

// String returns the text for people. It names the steps that other nodes were not checked for.
func (c *Checked) String() string {
	if c.Others == 0 {
		return ""
	}
	return fmt.Sprintf("checked %d nodes: %d with kubelet, log and pods, %d only by %s", c.Nodes, len(c.Closely), c.Others, strings.Join(c.Steps, ", "))
}

// verdict returns clear if no requirement is missing and every node is verified. A node with only a remaining task is
// verified. It also returns the reasons against it, and whether an unknown will be known soon.
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

// some joins the first entries of a list and counts the rest.
func some(list []string) string {
	const most = 20
	if more := len(list) - most; more > 0 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, "; ")
}

// mostTold bounds the verifications in a result.
const mostTold = 50

const named = 3 // nodes to name if many have the same problem

// alike groups the problems of many nodes: an identical problem appears once with the number of nodes.
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

// verify waits until every requirement is met or cannot be known. It then does the last step.
func (r *repairer) verify(ctx context.Context) error {
	until, wait, said := time.Now().Add(r.opt.VerifyTimeout), firstPoll, ""
	for {
		proof, err := r.opt.Verify(ctx)
		result, why, soon := proof.verdict()
		if err != nil {
			result, why, soon = verify.Unknown, "it could not be checked: "+err.Error(), true
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
			r.result.Why = "the change was made, but not verified; run the same command to verify it"
			r.tell("left", Waits, r.result.Why)
			return errLeft
		}
		wait = min(wait*2, slowestPoll)
	}
}

// end writes the result. If there is no problem, it does the last step.
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
	for _, v := range proof.Others { // clear nodes have nothing to report
		if v.Verdict != verify.Clear && len(r.result.Verifications) < mostTold {
			r.result.Verifications = append(r.result.Verifications, v)
		}
	}
	r.result.Checked = proof.checked()
	r.result.Verified = result == verify.Clear
	outcome := map[verify.Result]Outcome{verify.Clear: Done, verify.Unknown: Skipped, verify.NotClear: Failed}[result]
	return r.record(stepEnd, outcome, strings.TrimSuffix("verify: "+strings.ReplaceAll(string(result), "-", " ")+": "+why, ": "), nil, nil)
}
