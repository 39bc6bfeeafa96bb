package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/report"
)

// watchFlags keep a view of a live cluster up to date. A terminal shows the screen, a pipe shows a line for each change.
type watchFlags struct {
	on    bool
	every time.Duration // longer if reading takes long
}

func (f *watchFlags) register(set *pflag.FlagSet) {
	f.every = 10 * time.Second
	set.BoolVarP(&f.on, "watch", "w", false, "Refresh every 10 seconds. When piped, print one line per change.")
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
	case out.format != "" && out.format != "wide":
		return hintf("leave one of them out", "--watch cannot be combined with -o %s", out.format)
	}
	return nil
}

// look is a view at one time.
type look struct {
	page  func(io.Writer, report.Style) error // of a terminal
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
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(max(f.every, 4*time.Since(begun))):
		}
	}
}

// printer returns the function that shows a look after another one: as a screen on a terminal, as lines elsewhere. Its text
// starts with the time.
func (f *watchFlags) printer(w io.Writer, out *outputFlags) func(before, now *look, text string) error {
	if terminal := terminalOf(w); terminal != nil {
		return func(_, now *look, text string) error {
			return draw(terminal, out, now, fmt.Sprintf("%s (refreshed every %s, Ctrl-C ends)", text, f.every))
		}
	}
	return func(before, now *look, text string) error { return printChanges(w, before, now, text) }
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
