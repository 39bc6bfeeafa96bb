package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/report"
)

// watchFlags keep a view of a live cluster up to date. A terminal shows the screen, a pipe shows a line for each change.
type watchFlags struct {
	on    bool
	every time.Duration   // longer if reading takes long
	wake  <-chan struct{} // receives a value after the cluster changed; nil: it is not followed

	errors io.Writer // receives failures that cannot be part of the output
}

func (f *watchFlags) register(set *pflag.FlagSet) {
	f.every = 10 * time.Second
	set.BoolVarP(&f.on, "watch", "w", false, "Refresh after each change, and every 10 seconds. If the output is not a terminal, print one line per change. With -o json, print one document per refresh.")
}

// check rejects what cannot be watched.
func (f *watchFlags) check(src *sourceFlags, paths []string, out *outputFlags) error {
	switch {
	case !f.on:
		return nil
	case len(src.files)+len(paths) > 0:
		return hintf("leave -w out", "--watch needs a cluster: saved evidence never changes")
	case src.at != "":
		return hintf("leave one of them out", "--watch cannot be combined with --at %s", src.at)
	case !slices.Contains([]string{"", "wide", "json"}, out.format):
		return hintf("leave one of them out", "--watch cannot be combined with -o %s", out.format)
	}
	return nil
}

// look is a view at one time.
type look struct {
	page  func(io.Writer, report.Style) error // of a terminal
	whole func(io.Writer) error               // as JSON
	says  string                              // a summary
	facts map[string]string                   // by subject
}

// run looks again and again until the context ends. The first look must succeed. A later failure is printed and retried.
func (f *watchFlags) run(ctx context.Context, w io.Writer, out *outputFlags, see func() (look, error)) error {
	var before *look
	show := f.printer(w, out)
	for {
		begun := time.Now()
		now, err := see()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && before == nil:
			return err
		case err != nil:
			err = show(before, before, stamp(begun)+" refresh failed: "+said(err))
		default:
			err = show(before, &now, stamp(begun))
			before = &now
		}
		if err != nil {
			return err
		}
		f.pause(ctx, time.Since(begun))
	}
}

// afterChange is the least time between two looks at a cluster that changes all the time.
const afterChange = time.Second

// pause waits for the next look, after one that took so long: until the cluster changes, or for a period.
func (f *watchFlags) pause(ctx context.Context, took time.Duration) {
	first, cancel := context.WithTimeout(ctx, max(f.every, 4*took))
	defer cancel()
	select {
	case <-first.Done():
	case <-f.wake:
		_ = kube.Sleep(ctx, max(afterChange, took))
	}
}

// printer returns the function that shows a look after another one: as a document with -o json, else as a screen on a terminal and
// as lines in a pipe. Its text starts with the time.
func (f *watchFlags) printer(w io.Writer, out *outputFlags) func(before, now *look, text string) error {
	if out.format == "json" {
		return func(before, now *look, text string) error {
			if before == now { // the refresh failed
				_, err := fmt.Fprintln(f.errors, text)
				return err
			}
			return now.whole(w)
		}
	}
	if terminal := terminalOf(w); terminal != nil {
		return func(_, now *look, text string) error {
			return draw(terminal, out, now, fmt.Sprintf("%s (%s, Ctrl-C ends)", text, f.rhythm()))
		}
	}
	return func(before, now *look, text string) error { return printChanges(w, before, now, text) }
}

// rhythm says when the view is refreshed.
func (f *watchFlags) rhythm() string {
	if f.wake != nil {
		return "live"
	}
	return "refreshed every " + f.every.String()
}

// printChanges writes a line for each change; a summary first.
func printChanges(w io.Writer, before, now *look, text string) error {
	var lines []string
	switch before {
	case nil:
		lines = []string{text + " " + report.Clean(now.says)}
	case now:
		lines = []string{text}
	default:
		for _, line := range changed(before.facts, now.facts) {
			lines = append(lines, text+" "+report.Clean(line))
		}
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// changed returns what changed, a line for each subject.
func changed(before, now map[string]string) (out []string) {
	keys := maps.Clone(before)
	maps.Copy(keys, now)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		was, had := before[key]
		is, has := now[key]
		switch {
		case !had:
			out = append(out, key+": came, "+is)
		case !has:
			out = append(out, key+": went")
		case was != is:
			out = append(out, key+": "+was+" -> "+is)
		}
	}
	return out
}

func stamp(t time.Time) string { return t.UTC().Format("15:04:05Z") }
