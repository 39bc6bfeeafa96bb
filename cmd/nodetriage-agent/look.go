package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/agent"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// carried is the state that one snapshot passes to the next, across processes.
type carried struct {
	agent.Carried
	Away  time.Time          `json:"away,omitzero"` // when a report was last saved for later
	Sick  bool               `json:"sick,omitempty"`
	Saved []nodereport.Saved `json:"saved,omitempty"`
}

// outcome is the result of a snapshot.
type outcome struct {
	Report  json.RawMessage `json:"report,omitempty"` // empty: unchanged
	Gaps    int             `json:"gaps"`
	Hung    int             `json:"hung"`
	Failed  string          `json:"failed,omitempty"` // why a write to disk failed
	More    bool            `json:"more,omitempty"`   // another outcome of the same snapshot follows
	Carried carried         `json:"carried"`
}

// writing names the disk calls that may hang. writeLimit is their timeout, including 15 seconds for Gather.
const (
	writing    = "write reports"
	writeLimit = 30 * time.Second
)

// hanging returns the calls of a snapshot that have not returned, with their start times by name. Callers poll it until
// it is empty.
type hanging func() map[string]time.Time

// looker takes snapshots in this process and stores the results.
type looker struct {
	opt   agent.Options
	store store
}

// look delivers the report before it writes to disk, because a write may fail or hang. It delivers once more at the
// end.
func (l looker) look(ctx context.Context, before carried, deliver func(outcome)) (hanging, error) {
	opt := l.opt
	var err error
	if opt.Signatures, err = smallSignatures(); err != nil {
		return nil, err
	}
	opt.Before = before.Carried
	a := agent.New(opt)
	left := func() map[string]time.Time { return without(a.Carried().Out, before.Out) }
	report := a.Look(ctx)
	if ctx.Err() != nil {
		return left, ctx.Err() // ctx ended during the snapshot
	}
	report.Saved = before.Saved
	if since, hangs := before.Out[writing]; hangs {
		report.Gaps = append(report.Gaps, l.store.hangs(report.TakenAt.Sub(since)))
	}
	out := outcome{Gaps: len(report.Gaps), Hung: len(report.Hung), More: true}
	if out.Report, err = json.Marshal(report); err != nil {
		return left, fmt.Errorf("write the report: %w", err)
	}
	out.Carried = before
	out.Carried.Carried = a.Carried()
	deliver(out)
	a.Rest()
	release()

	kept := make(chan outcome, 1)
	if _, back := a.Call(ctx, writing, writeLimit, func() { kept <- l.keep(ctx, a, report, out) }); back {
		out = <-kept
	} else {
		out.Failed = "write to " + l.store.dir + ": it does not return"
	}
	out.Report, out.More, out.Carried.Carried = nil, false, a.Carried()
	deliver(out)
	return left, nil
}

// keep writes the report. If the node became unhealthy, it also saves the evidence that a reboot destroys. A failed
// write is repeated with the next snapshot.
func (l looker) keep(ctx context.Context, a *agent.Agent, report *nodereport.Report, out outcome) outcome {
	var err error
	out.Carried.Away, err = l.store.keep(out.Report, report, out.Carried.Away)
	out.Carried.Saved = l.store.saved()
	if err == nil {
		wasSick := out.Carried.Sick
		out.Carried.Sick = report.Sick() != ""
		if out.Carried.Sick && !wasSick && saveAgain(out.Carried.Saved, report.TakenAt) {
			out.Carried.Saved, err = l.store.save(a.Gather(ctx), report)
		}
	}
	if err != nil {
		out.Failed = err.Error()
	}
	return out
}

// smallSignatures returns the built-in signatures without the text for people, for one snapshot.
func smallSignatures() (*signatures.Set, error) {
	set, err := signatures.ReadBuiltin()
	if err != nil {
		return nil, fmt.Errorf("read the signatures: %w", err)
	}
	set.DropTexts()
	return set, nil
}

// without returns the calls that are not in others.
func without(calls, others map[string]time.Time) map[string]time.Time {
	out := map[string]time.Time{}
	for name, since := range calls {
		if _, known := others[name]; !known {
			out[name] = since
		}
	}
	return out
}
