package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/wording"
)

// Options configure an Agent.
type Options struct {
	// Root is the folder with the root file system of the node; empty: /.
	Root string
	// Node is the name of the node; empty: from the settings of the kubelet.
	Node string
	// Since is the age of the oldest log lines to read; 0: one hour.
	Since time.Duration
	// Signatures match log lines.
	Signatures *signatures.Set
	// Pace is the time between the starts of two probes. It limits peak memory. 0: all start together.
	Pace time.Duration
	// Before is the state of the previous snapshot.
	Before Carried
	// Egress also tests the egress paths of the node, which sends packets to hosts other than the API server and the
	// cloud.
	Egress bool
}

// Agent takes snapshots of one machine.
type Agent struct {
	opt    Options
	system system
	probes []probe

	absent *absent
	before *before
}

// New returns an Agent.
func New(opt Options) *Agent {
	if opt.Root == "" {
		opt.Root = "/"
	}
	if opt.Since == 0 {
		opt.Since = time.Hour
	}
	a := &Agent{opt: opt, probes: probes(), absent: outSince(opt.Before.Out), before: opt.Before.before(), system: folderSystem()}
	if opt.Egress {
		a.probes = append(a.probes, egressProbe())
	}
	if machineRoot(opt.Root) {
		a.system = realSystem()
	}
	return a
}

// answer is the result of one probe.
type answer struct {
	part *nodereport.Report
	err  error
}

// Look runs all probes and returns their report. It takes as long as the slowest probe, at most its limit. Missing
// results are in the gaps.
func (a *Agent) Look(ctx context.Context) *nodereport.Report {
	host, report, probes := a.begin()
	answers := make([]answer, len(probes))
	var done sync.WaitGroup
	for i, p := range probes {
		done.Go(func() { answers[i] = a.ask(ctx, p, host) })
		pause(ctx, a.opt.Pace)
	}
	done.Wait()
	for i, p := range probes {
		answers[i].join(report, p)
	}
	return report
}

// pause waits for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// begin returns the head of a report and the probes that apply to this machine.
func (a *Agent) begin() (*Host, *nodereport.Report, []probe) {
	host := newHost(a.opt, a.system, a.absent)
	host.before = a.before
	report := &nodereport.Report{APIVersion: nodereport.APIVersion, Kind: nodereport.Kind, TakenAt: host.now.UTC().Truncate(time.Second)}
	if report.Node = a.opt.Node; report.Node == "" {
		report.Node = host.nodeName()
	}
	if host.isNode() {
		return host, report, a.probes
	}
	report.Gaps = append(report.Gaps, nodereport.Gap{
		What: "kubelet and runtime", Why: "neither was found, so this does not seem to be a node", How: "run it on the node, or set the root folder with --root",
	})
	return host, report, slices.DeleteFunc(slices.Clone(a.probes), func(p probe) bool { return p.node })
}

// join adds the result of the probe to the report.
func (a answer) join(report *nodereport.Report, p probe) {
	join(report, a.part)
	if a.err != nil {
		report.Gaps = append(report.Gaps, nodereport.Gap{What: p.name, Why: why(a.err), How: p.how()})
	}
}

// ask runs one probe until it returns or times out. A probe that watches its context ends by itself; the margin is for
// its last results.
func (a *Agent) ask(ctx context.Context, p probe, host *Host) answer {
	var got answer
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	result := make(chan answer, 1)
	after, back := a.absent.within(context.WithoutCancel(ctx), "probe "+p.name, p.limit+500*time.Millisecond, func() {
		part := &nodereport.Report{}
		err := p.look(ctx, host, part)
		result <- answer{part, err}
	})
	if back {
		return <-result
	}
	after = after.Round(time.Second / 10)
	got.part = &nodereport.Report{Hung: []nodereport.Hung{{What: "probe", Name: p.name, After: after}}}
	got.err = fmt.Errorf("it has not returned for %s and was abandoned", after)
	return got
}

// Call runs a function that may hang in the kernel and waits at most for the limit. It does not run it while an earlier
// call of this name has not returned, in any process. It returns how long the call has been running, and whether it
// returned.
func (a *Agent) Call(ctx context.Context, name string, limit time.Duration, do func()) (time.Duration, bool) {
	return a.absent.within(ctx, name, limit, do)
}

// why formats an error for a person. A missing permission is more useful than the name of the failed call.
func why(err error) string {
	text := wording.Cut(err.Error(), 300)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return text + ": " + needed(err)
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time: " + text
	}
	return text
}

// join merges the part of a probe into the report: lists and maps grow, and other sections are replaced. It names only
// two sections, so a new section needs no code here.
func join(to, part *nodereport.Report) {
	if part == nil {
		return
	}
	runtime, clock := to.Runtime, to.Clock
	whole, said := reflect.ValueOf(to).Elem(), reflect.ValueOf(part).Elem()
	for i := range said.NumField() {
		from, into := said.Field(i), whole.Field(i)
		switch from.Kind() {
		case reflect.Slice:
			if from.Len() > 0 {
				into.Set(reflect.AppendSlice(into, from))
			}
		case reflect.Map:
			if into.IsNil() && from.Len() > 0 {
				into.Set(reflect.MakeMap(from.Type()))
			}
			for entry := from.MapRange(); entry.Next(); {
				into.SetMapIndex(entry.Key(), entry.Value())
			}
		case reflect.Pointer:
			if !from.IsNil() {
				into.Set(from)
			}
		}
	}
	to.Runtime, to.Clock = runtime, clock
	joinRuntime(to, part.Runtime)
	joinClock(to, part.Clock)
}

// joinRuntime merges the answer of the runtime and the number of shims from the process list.
func joinRuntime(to *nodereport.Report, part *nodereport.Runtime) {
	switch {
	case part == nil:
	case to.Runtime == nil:
		to.Runtime = part
	case part.Shims != nil:
		to.Runtime.Shims = part.Shims
	default:
		part.Shims = to.Runtime.Shims
		to.Runtime = part
	}
}

// joinClock merges the kernel's clock state and the offset to the API server.
func joinClock(to *nodereport.Report, part *nodereport.Clock) {
	switch {
	case part == nil:
	case to.Clock == nil:
		to.Clock = part
	default:
		c := to.Clock
		if part.Offset.Abs() > c.Offset.Abs() {
			c.Offset, c.Ref = part.Offset, part.Ref
		}
		if part.Synchronized != nil {
			c.Synchronized = part.Synchronized
			c.Source, c.Step, c.Watched = part.Source, part.Step, part.Watched
		}
	}
}

// gap records what a probe could not read although it read the rest.
func gap(r *nodereport.Report, what string, err error, how shell.Text) {
	g := nodereport.Gap{What: what, Why: why(err), How: string(how)}
	if !slices.Contains(r.Gaps, g) {
		r.Gaps = append(r.Gaps, g)
	}
}
