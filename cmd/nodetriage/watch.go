package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/nodetriage/nodetriage/report"
)

// watchFlags keep a view of a live cluster up to date. A terminal shows the screen, a pipe shows a line for each change.
type watchFlags struct {
	on    bool
	every time.Duration // between two looks; a slow look makes it longer
}

func (f *watchFlags) register(set *pflag.FlagSet) {
	f.every = 10 * time.Second
	set.BoolVarP(&f.on, "watch", "w", false, "look again every 10 seconds: keep the screen up to date, in a pipe write a line for each change")
}

// check rejects what cannot be watched.
func (f *watchFlags) check(src *sourceFlags, paths []string, out *outputFlags) error {
	switch {
	case !f.on:
		return nil
	case len(src.files)+len(paths) > 0:
		return usagef("watch saved evidence: it does not change; leave -w out, or name a cluster")
	case src.at != "":
		return usagef("watch the cluster as of %s: it is about now; leave --at out", src.at)
	case out.format != "" && out.format != "wide":
		return usagef("watch with -o %s: it is for text and wide alone", out.format)
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
	for {
		begun := time.Now()
		now, err := see()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && before == nil:
			return err
		case err != nil:
			fmt.Fprintf(w, "%s cannot look: %s\n", stamp(begun), said(err))
		default:
			if err := f.show(w, out, before, &now, begun); err != nil {
				return err
			}
			before = &now
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(max(f.every, 4*time.Since(begun))):
		}
	}
}

// show writes a look: the whole view on a terminal, the changes elsewhere.
func (f *watchFlags) show(w io.Writer, out *outputFlags, before, now *look, at time.Time) error {
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		var page bytes.Buffer
		page.WriteString("\x1b[H\x1b[2J") // clears the screen
		style := out.style(w)
		if err := now.page(&page, style); err != nil {
			return err
		}
		fmt.Fprintf(&page, "\nas of %s; it is looked at again every %s, Ctrl-C ends\n", stamp(at), f.every)
		_, err := io.WriteString(w, byName(page.String()))
		return err
	}
	if before == nil {
		_, err := fmt.Fprintf(w, "%s %s\n", stamp(at), report.Clean(now.says))
		return err
	}
	for _, line := range changed(before.facts, now.facts) {
		if _, err := fmt.Fprintf(w, "%s %s\n", stamp(at), report.Clean(line)); err != nil {
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
