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

// carried is what one look leaves for the next, in whatever process that is made.
type carried struct {
	agent.Carried
	Away  time.Time          `json:"away,omitzero"` // when a report was last kept for later
	Sick  bool               `json:"sick,omitempty"`
	Saved []nodereport.Saved `json:"saved,omitempty"`
}

// outcome is what a look came to.
type outcome struct {
	Report  json.RawMessage `json:"report,omitempty"` // empty: as told before
	Gaps    int             `json:"gaps"`
	Hung    int             `json:"hung"`
	Failed  string          `json:"failed,omitempty"` // why something could not be written to disk
	More    bool            `json:"more,omitempty"`   // another outcome of the same look follows
	Carried carried         `json:"carried"`
}

// writing is the name of what may hang with the disk, and writeLimit how long it may take; of that Gather takes a quarter of a minute.
const (
	writing    = "write reports"
	writeLimit = 30 * time.Second
)

// hanging are calls of a look that have not come back: since when, by name. It is asked again and again, until there are none.
type hanging func() map[string]time.Time

// looker makes looks in this process, and keeps what they say.
type looker struct {
	opt   agent.Options
	store store
}

// look hands over the report before anything is written, which may fail or hang, and once more at its end.
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
		return left, ctx.Err() // it was told to end while it looked
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

// keep writes the report, and what else is lost with a reboot where the node has become sick. A node counts as sick once that was
// written: one whose disk takes nothing is tried again.
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

// smallSignatures are those of the program without what only people read, for one look.
func smallSignatures() (*signatures.Set, error) {
	set, err := signatures.ReadBuiltin()
	if err != nil {
		return nil, fmt.Errorf("read the signatures: %w", err)
	}
	set.DropTexts()
	return set, nil
}

// without returns the calls that are not among the others.
func without(calls, others map[string]time.Time) map[string]time.Time {
	out := map[string]time.Time{}
	for name, since := range calls {
		if _, known := others[name]; !known {
			out[name] = since
		}
	}
	return out
}
