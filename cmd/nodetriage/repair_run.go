package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/azure"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/redact"
	"github.com/nodetriage/nodetriage/execute"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// recent is how long the same change is not made again without confirmation.
const recent = 15 * time.Minute

// carryOut reads, saves the evidence, asks for confirmation, and makes the one change, or resumes it.
func (r *repairing) carryOut() error {
	if err := os.MkdirAll(r.f.dir(), 0o700); err != nil {
		return hinted(fmt.Errorf("create the folder of the journal: %w", err), "choose another folder with --state")
	}
	texts, err := bundle.NewTexts(r.f.dir())
	if err != nil {
		return badUsage(err)
	}
	defer texts.Close()
	from := r.from // later readings are not saved
	from.Texts = texts
	s, err := ask.Read(r.cmd.Context(), from, ask.Scope{Cloud: true})
	if err != nil {
		return err
	}
	seen := time.Now()
	r.f.Place = repair.ProviderID(s) // also for a resumed change, which may end without a node
	j, err := r.journal()
	if err != nil {
		return err
	}
	defer j.Close()
	if p := j.Pending(); p != nil {
		return r.resume(j, p)
	}
	if at := j.DoneAt(r.f.Subject(), r.f.Action, r.f.Machines()); time.Since(at) < recent && !r.f.again {
		fmt.Fprintf(os.Stderr, "nodetriage: nothing was done: the same was done at %s (%s); --again does it once more\n", at.Format(time.RFC3339), j.Path())
		return nil
	}
	opt := r.f.RepairOptions
	opt.Seen, opt.SeenAt = s, seen
	l, err := ask.Repair(r.cmd.Context(), r.from, opt)
	if err != nil {
		return err
	}
	if err := r.accept(l, texts); err != nil {
		return err
	}
	return r.execute(j, l.Plan, l.Report, l.Plan.Bundle)
}

// journal opens the journal of the cluster.
func (r *repairing) journal() (*execute.Journal, error) {
	j, err := execute.JournalOf(r.f.dir(), r.f.Place)
	switch {
	case errors.Is(err, repair.ErrNoCloud):
		return nil, usagef("repair: %w", err)
	case errors.Is(err, execute.ErrBusy):
		fmt.Fprintln(os.Stderr, "nodetriage: nothing was done: "+err.Error())
		return nil, exitProblem
	}
	return j, err
}

// accept shows the plan, saves the evidence and asks for confirmation. It returns an error if the change must not be made.
func (r *repairing) accept(l *ask.Repairing, texts *bundle.Texts) error {
	if err := r.show(l.Plan); err != nil {
		return err
	}
	if code := repairCode(l.Plan.Verdict); code != nil {
		fmt.Fprintln(os.Stderr, "nodetriage: nothing was done")
		return code
	}
	if err := r.saveEvidence(l, texts); err != nil {
		return err
	}
	if !r.f.yes {
		if err := r.confirm(r.f.Subject()); err != nil {
			return err
		}
	}
	if l.Replan(time.Now()); l.Plan.Verdict != plan.Clear { // the confirmation may have taken long
		fmt.Fprintln(os.Stderr, "nodetriage: nothing was done: the plan has become outdated; plan again")
		return exitProblem
	}
	return nil
}

// resume resumes a change. It asks for no confirmation, because nothing is sent to the cloud.
func (r *repairing) resume(j *execute.Journal, p *execute.Pending) error {
	if !p.Is(r.f.Action, r.f.Subject(), r.f.Machines(), r.f.Own()) {
		fmt.Fprintf(os.Stderr, "nodetriage: nothing was done: another change of this cluster was begun at %s and is not over; resume it with: %s\n",
			p.Begun.Format(time.RFC3339), "nodetriage repair "+p.Arguments()+" --apply")
		return exitProblem
	}
	var before *triage.Report
	b := collect.NewBuilder(evidence.Source{Kind: "file", Name: p.Bundle}, r.from.Knowledge.Signatures)
	if err := b.AddPath(p.Bundle); err == nil {
		before = r.from.Knowledge.Judge(b.Snapshot(), time.Time{})
	}
	return r.execute(j, &repair.Plan{Action: r.f.Action, Subject: p.Subject, Change: p.Change}, before, p.Bundle)
}

// execute creates the Operator. It does so only after the plan, or the change that is resumed, was shown and accepted.
func (r *repairing) execute(j *execute.Journal, p *repair.Plan, before *triage.Report, bundle string) error {
	operator, err := azure.NewOperator(r.src.cloud.azure)
	if err != nil {
		return badUsage(err)
	}
	prover := &execute.Prover{
		Observer: observer{r}, Action: r.f.Action, Subject: r.f.Subject(), Count: r.f.Machines(), Before: before,
		Judge: r.from.Knowledge.Verifying(),
	}
	begin := time.Now()
	defer hold(r.cmd.Context(), "the journal notes how far the change is")()
	result, err := execute.Repair(r.cmd.Context(), p, execute.RepairOptions{
		Operator: operator, Journal: j, Bundle: bundle, Timeout: r.f.timeout, VerifyTimeout: r.f.verify,
		Check: func(ctx context.Context) (*repair.Plan, error) {
			opt := r.f.RepairOptions
			opt.Archive = nil // they were queried before
			l, err := ask.Repair(ctx, r.from, opt)
			if err != nil {
				return nil, err
			}
			return l.Plan, nil
		},
		Verify: func(ctx context.Context) (execute.Proof, error) { return prover.Prove(ctx, j.Pending()) },
		Finish: func(ctx context.Context) (bool, error) { return r.open(ctx, begin) },
		Log:    func(e execute.Entry) { r.log(e, begin) },
	})
	if err != nil {
		return fmt.Errorf("%s %s: %w; the journal is %s", p.Action, report.Clean(r.f.Target), err, j.Path())
	}
	if err := r.finish(result); err != nil {
		return err
	}
	switch {
	case result.Verified:
		return nil
	case result.Left, result.Verdict == verify.Unknown:
		return exitUnclear
	}
	return exitProblem
}

// open uncordons the node, and reports whether it was cordoned.
func (r *repairing) open(ctx context.Context, begin time.Time) (bool, error) {
	subject := r.f.Subject()
	if subject.Kind != "Node" || r.f.Action == cloud.DeleteMachine {
		return false, nil
	}
	reader, writer, err := r.src.writer(false)
	if err != nil {
		return false, err
	}
	opened, why, err := execute.Open(ctx, reader, writer, subject.Name, r.f.uncordon)
	if err != nil {
		return false, err
	}
	e := execute.Entry{At: time.Now().UTC(), Do: "uncordon", Kind: "Node", Name: subject.Name, Result: execute.Done, Why: why}
	if !opened {
		e.Result = execute.Skipped
	}
	r.log(e, begin)
	return opened, nil
}

// confirm makes the user type the name of the target on a terminal. Without a terminal it requires --yes.
func (r *repairing) confirm(subject evidence.Subject) error {
	in, ok := r.cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return hintf("use --yes to skip the confirmation", "repair: confirmation is required, and standard input is not a terminal")
	}
	name := subject.Name
	if name == "" {
		name = "cluster"
	}
	fmt.Fprintf(os.Stderr, "\nType %s to %s it: ", report.Clean(name), r.f.Action)
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the answer: %w", err)
	}
	if strings.TrimSpace(answer) != name {
		fmt.Fprintln(os.Stderr, "nodetriage: nothing was done")
		return exitFailed
	}
	return nil
}

func (r *repairing) show(p *repair.Plan) error {
	w := r.cmd.OutOrStdout()
	if r.out.format == "json" {
		return writeLine(w, p) // one line, like the following ones
	}
	r.out.after = 3 // where the evidence is saved, and an empty row; the question has the row of the prompt
	return repairForms.print(w, r.out, p)
}

func (r *repairing) log(e execute.Entry, begin time.Time) {
	redact.New(false).Object(&e) // it quotes the cloud
	w := r.cmd.OutOrStdout()
	if r.out.format == "json" {
		_ = writeLine(w, e)
		return
	}
	verb := map[execute.Outcome]string{execute.Waits: "waits", execute.Skipped: "left alone"}[e.Result]
	if verb == "" {
		verb = e.Do
	}
	step := report.Step{After: time.Since(begin), Verb: verb, Object: e.Name, Why: e.Why}
	_ = r.out.say(w, func(w io.Writer, s report.Style) error { return report.Progress(w, step, s) })
}

func (r *repairing) finish(result *execute.RepairResult) error {
	w := r.cmd.OutOrStdout()
	if r.out.format == "json" {
		return writeLine(w, struct {
			Kind string `json:"kind"`
			*execute.RepairResult
		}{"RepairResult", result})
	}
	for _, v := range result.Verifications {
		if len(result.Verifications) == 1 || v.Verdict != verify.Clear {
			fmt.Fprintln(w)
			if err := r.out.say(w, func(w io.Writer, s report.Style) error { return report.Verification(w, v, s) }); err != nil {
				return err
			}
		}
	}
	end := report.RepairEnd{Changed: result.Changed, Verified: result.Verified, Left: result.Left, Why: result.Why, Verdict: result.Verdict}
	if result.Checked != nil {
		end.Checked = result.Checked.String()
	}
	return r.out.say(w, func(w io.Writer, s report.Style) error { return report.Repaired(w, end, s) })
}
