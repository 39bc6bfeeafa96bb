//go:build linux

// Command stories injects faults on real nodes, in sequence and at the same time. It runs nodetriage every few seconds
// with every kind of evidence, compares the answers with the state at that moment, and writes
// docs/measurements/stories.md. It stores the evidence, so that it can be evaluated again without a lab.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
	"github.com/nodetriage/nodetriage/lab/story"
	"github.com/nodetriage/nodetriage/lab/tool"
)

func main() { tool.Main("stories", run) }

type options struct {
	program, output, looks, only, pack string
	n, parallel                        int
	seed                               uint64
	replay, kept, list, verbose        bool
	later, systemd                     bool
}

func run(ctx context.Context, _ []string) error {
	var o options
	flag.StringVar(&o.program, "nodetriage", "", "the program to judge")
	flag.StringVar(&o.output, "o", "", "write the page to this file")
	flag.StringVar(&o.looks, "looks", "", "keep the looks below this `FOLDER`; to judge again, several with commas")
	flag.StringVar(&o.pack, "pack", "", "of a replay: keep the looks with the answers in this `FOLDER`, a file for each story")
	flag.StringVar(&o.only, "only", "", "scenarios to choose from, with commas; of kept looks, a part of the names of the stories")
	flag.IntVar(&o.n, "n", 10, "how many stories")
	flag.Uint64Var(&o.seed, "seed", 1, "chooses them")
	flag.IntVar(&o.parallel, "parallel", 2, "stories at once; of a replay, looks")
	flag.BoolVar(&o.kept, "kept", false, "play nothing and ask nothing: judge the answers that are kept")
	flag.BoolVar(&o.verbose, "v", false, "print each mistake with its snapshot, before the summary")
	flag.BoolVar(&o.list, "list", false, "print the stories and play none")
	flag.BoolVar(&o.later, "later", false, "ask only the live program while stories are played: the rest is for a replay")
	flag.BoolVar(&o.systemd, "systemd", false, "play on nodes whose first process is systemd, and what only these can show")
	flag.BoolVar(&o.replay, "replay", false, "play nothing: judge the looks that are kept again")
	flag.Parse()
	var err error
	if !o.kept && !o.list {
		if o.program, err = tool.Program(o.program); err != nil {
			return err
		}
	}
	if o.looks == "" {
		if o.replay || o.kept {
			return errors.New("judge again: say where the looks are, -looks FOLDER")
		}
		if o.looks, err = os.MkdirTemp("", "nodetriage-stories-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.looks)
	}
	play := o.play
	if o.replay || o.kept {
		play = o.again
	}
	played, failed := play(ctx)
	if len(played) == 0 {
		return failed
	}
	if o.verbose {
		for _, p := range played {
			fmt.Fprint(os.Stderr, details(p))
		}
	}
	fmt.Fprint(os.Stderr, repairs(played))
	text, bad := page(played, o.pack)
	if err := tool.Write(o.output, text); err != nil {
		return err
	}
	if bad > 0 {
		failed = errors.Join(failed, fmt.Errorf("%d answers are mistakes", bad))
	}
	return failed
}

// play runs new stories.
func (o options) play(ctx context.Context) ([]*story.Played, error) {
	from, can := scenario.All(), lab.CanRunMachines
	if o.systemd {
		from, can = scenario.OnSystemd(), lab.CanRunSystemd
	}
	from, err := scenario.Chosen(o.only, from)
	if err != nil {
		return nil, err
	}
	stories, err := story.Plan(o.n, o.seed, from)
	if err != nil {
		return nil, err
	}
	for i := range stories {
		stories[i].Systemd = o.systemd
	}
	if o.list {
		for _, s := range stories {
			fmt.Println(s.Name, s.Distance)
		}
		return nil, nil
	}
	if err := can(); err != nil {
		return nil, err
	}
	bin, err := lab.BuildNode(ctx, os.Stderr)
	if err != nil {
		return nil, err
	}
	player := story.Player{Program: o.program, Kubectl: filepath.Join(bin, "kubectl"), Dir: o.looks, Later: o.later, Log: os.Stderr}
	results, errs := make([]*story.Played, len(stories)), make([]error, len(stories))
	var group errgroup.Group // a failure does not stop the others
	group.SetLimit(o.parallel)
	for i, s := range stories {
		group.Go(func() error {
			if ctx.Err() != nil {
				return nil // interrupted: remaining stories are not started
			}
			if results[i], errs[i] = player.Play(ctx, s); errs[i] != nil {
				fmt.Fprintln(os.Stderr, s.Name+":", errs[i])
			} else {
				fmt.Fprint(os.Stderr, row(results[i]))
			}
			return nil
		})
	}
	_ = group.Wait()
	var out []*story.Played
	for _, p := range results {
		if p != nil {
			out = append(out, p)
		}
	}
	return out, errors.Join(errs...)
}

// again evaluates the stored stories.
func (o options) again(ctx context.Context) ([]*story.Played, error) {
	var out []*story.Played
	for dir := range strings.SplitSeq(o.looks, ",") {
		played, err := o.keptIn(ctx, dir)
		if err != nil {
			return nil, err
		}
		out = append(out, played...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("replay: %s has no story named like %q", o.looks, o.only)
	}
	return out, nil
}

// keptIn evaluates the stored stories of one folder.
func (o options) keptIn(ctx context.Context, dir string) ([]*story.Played, error) {
	folder, done, err := story.Open(dir)
	if err != nil {
		return nil, err
	}
	defer done()
	all, err := story.Load(folder)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(p *story.Played) bool { return !strings.Contains(p.Story.Name, o.only) })
	if o.kept {
		return all, nil
	}
	var group errgroup.Group
	group.SetLimit(o.parallel)
	for _, p := range all {
		for _, l := range p.Looks {
			group.Go(func() error {
				p.Replay(ctx, o.program, folder, l)
				return ctx.Err()
			})
		}
	}
	if err := group.Wait(); err != nil || o.pack == "" {
		return all, err
	}
	return all, story.Pack(all, folder, o.pack)
}
