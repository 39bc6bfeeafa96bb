// Command accuracy plays the recorded cases in several kinds of change, and judges unrelated texts and new incidents. See
// docs/measurements/accuracy.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/accuracy"
)

type options struct {
	cases, run, kind, variant, foreign, incidents, bench, lists, figures, failing, page, record string

	seed           uint64
	sample, groups int
	shrink, show   bool
	write, check   bool
}

func main() {
	var o options
	flag.StringVar(&o.cases, "cases", "cases", "folder of recorded cases")
	flag.StringVar(&o.run, "run", "", "play only cases whose name holds one of these, separated by commas")
	flag.StringVar(&o.kind, "kind", "", "play only these kinds, separated by commas: "+strings.Join(accuracy.Kinds(), ", "))
	flag.StringVar(&o.variant, "variant", "", "play only this variant of a kind")
	flag.Uint64Var(&o.seed, "seed", accuracy.FigureSeed, "the chance of all plays")
	flag.IntVar(&o.sample, "sample", 1, "play one case in so many")
	flag.IntVar(&o.groups, "groups", 25, "how many groups of failures to print")
	flag.BoolVar(&o.shrink, "shrink", false, "make each failure as small as it can be, and print it")
	flag.BoolVar(&o.show, "show", false, "print the evidence and the report of each failure")
	flag.StringVar(&o.foreign, "foreign", "", "judge each text below this folder alone, instead of playing cases")
	flag.StringVar(&o.incidents, "incidents", "", "judge the incidents below this folder, instead of playing cases")
	flag.StringVar(&o.bench, "opsbench", "", "judge the cases of this copy of Cloud-OpsBench, instead of playing cases; -record takes its commit")
	flag.StringVar(&o.lists, "lists", "", "write a line for each incident and each alarm into this folder")
	flag.StringVar(&o.record, "record", "", "add what was measured of foreign texts or incidents to the figures, under this name")
	flag.BoolVar(&o.write, "write", false, "write the figures and the page; what may only fall must not have risen")
	flag.BoolVar(&o.check, "check", false, "fail if a run fails that is not a known failure")
	flag.StringVar(&o.failing, "failing", "accuracy/failing.txt", "file of the plays that are known to fail")
	flag.StringVar(&o.figures, "figures", "accuracy/figures.yaml", "file of the figures")
	flag.StringVar(&o.page, "page", "docs/measurements/accuracy.md", "file of the page")
	flag.Parse()
	if err := o.do(); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

func (o options) do() error {
	switch {
	case o.foreign != "":
		return o.meetForeign()
	case o.incidents != "":
		return o.meetIncidents()
	case o.bench != "":
		return o.meetBench()
	}
	return o.play()
}

func (o options) play() error {
	w, err := accuracy.NewWorld(o.cases)
	if err != nil {
		return err
	}
	results := w.Run(o.selected())
	if o.variant != "" {
		results = slices.DeleteFunc(results, func(r accuracy.Result) bool { return r.Variant != o.variant })
	}
	printTallies(results)
	printGroups(results, o.groups)
	if o.shrink || o.show {
		if err := o.showFailures(w, results); err != nil {
			return err
		}
	}
	switch {
	case o.check:
		return o.newFailures(results)
	case o.write:
		return o.writeResults(results)
	}
	return nil
}

// selected returns the plays that the flags select.
func (o options) selected() accuracy.Sample {
	s := accuracy.Sample{Seed: o.seed, Of: o.sample, Kinds: o.kinds()}
	if o.run != "" {
		s.Cases = strings.Split(o.run, ",")
	}
	return s
}

// kinds returns the selected kinds; nil: all.
func (o options) kinds() []string {
	if o.kind == "" {
		return nil
	}
	return strings.Split(o.kind, ",")
}

func (o options) showFailures(w *accuracy.World, results []accuracy.Result) error {
	for _, r := range results {
		if r.Reason == "" {
			continue
		}
		if err := printFailure(w, r, o.shrink); err != nil {
			return err
		}
	}
	return nil
}

// writeResults writes the known failures and the figures, if no more plays fail than before.
func (o options) writeResults(results []accuracy.Result) error {
	if o.run+o.variant != "" || o.sample > 1 || o.seed != accuracy.FigureSeed {
		return fmt.Errorf("write figures: play all cases with seed %d", accuracy.FigureSeed)
	}
	kinds := o.kinds()
	if kinds == nil {
		if err := accuracy.FailingOf(results).Write(o.failing); err != nil {
			return err
		}
	}
	return o.writeFigures(func(f *accuracy.Figures) error {
		now := slices.DeleteFunc(accuracy.Measured(results), func(k accuracy.KindFigures) bool { return kinds != nil && !slices.Contains(kinds, k.Kind) })
		if worse := f.Worse(now); worse != nil {
			return fmt.Errorf("more plays fail than before, so no figures are written:\n  %s", strings.Join(worse, "\n  "))
		}
		f.Replace(now)
		return nil
	})
}

// newFailures returns an error if a play fails that is not a known failure.
func (o options) newFailures(results []accuracy.Result) error {
	known, err := accuracy.ReadFailing(o.failing)
	if err != nil {
		return err
	}
	failed := known.New(results)
	if len(failed) == 0 {
		return nil
	}
	var list strings.Builder
	for _, r := range failed {
		fmt.Fprintf(&list, "\n  go run ./accuracy/cmd/accuracy -shrink %s", r.Repeat())
	}
	return fmt.Errorf("%d plays fail that did not before:%s", len(failed), list.String())
}

func (o options) writeFigures(change func(*accuracy.Figures) error) error {
	f, err := accuracy.ReadFigures(o.figures)
	if err != nil {
		return err
	}
	if err := change(&f); err != nil {
		return err
	}
	if err := f.Write(o.figures); err != nil {
		return err
	}
	w, err := accuracy.NewWorld(o.cases)
	if err != nil {
		return err
	}
	return os.WriteFile(o.page, []byte(accuracy.Page(f, w.Cases)), 0o644)
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }
