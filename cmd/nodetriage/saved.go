package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/execute"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/plan"
	"github.com/nodetriage/nodetriage/report"
)

// Bounds of what is asked of agents before nodes are changed.
const (
	askedAtOnce   = 20
	fetchedAtOnce = 4
	// longestAsking and longestFetching are for all nodes together: a repair begins only while its plan is young.
	longestAsking   = time.Minute
	longestFetching = 2 * time.Minute
)

// saved tells what the agents on nodes of a live cluster saved, and where below dir it is put before the nodes are changed.
func (f *sourceFlags) saved(ctx context.Context, s *evidence.Snapshot, nodes []string, dir string) ([]plan.Saved, error) {
	if len(f.files) > 0 || len(nodes) == 0 {
		return nil, nil
	}
	reader, err := f.reader()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, longestAsking)
	defer cancel()
	out := make([][]plan.Saved, len(nodes))
	each(len(nodes), askedAtOnce, func(i int) {
		list, err := survey.Saved(ctx, reader, nodes[i], survey.Options{})
		if err != nil && runsAgent(s, nodes[i]) { // of other nodes nobody knows whether there is an agent to ask
			out[i] = []plan.Saved{{Node: nodes[i], NotFetched: err.Error()}}
		}
		for _, x := range list {
			out[i] = append(out[i], planned(nodes[i], x, dir))
		}
	})
	return slices.Concat(out...), nil
}

// runsAgent reports whether a pod of the agent's DaemonSet is on the node.
func runsAgent(s *evidence.Snapshot, node string) bool {
	return slices.ContainsFunc(s.PodsOn(node), func(p *evidence.Pod) bool {
		return p.Owner.Name == "nodetriage-agent"
	})
}

// planned is an archive with its place. Its time is that of its name, which alone was checked.
func planned(node string, s nodereport.Saved, dir string) plan.Saved {
	out := plan.Saved{Node: node, File: s.File, Why: s.Why, Bytes: s.Bytes}
	if err := survey.Unfit(s); err != nil {
		out.NotFetched = err.Error()
		return out
	}
	out.At, _ = nodereport.SavedAt(s.File)
	out.Path = execute.SavedPath(dir, node, out.At)
	return out
}

// fetch puts what agents saved where the plan says. What cannot be fetched is told and stops nothing; the error is an interruption.
func (f *sourceFlags) fetch(ctx context.Context, list []plan.Saved) error {
	if len(list) == 0 {
		return nil
	}
	reader, err := f.reader()
	if err != nil {
		return err
	}
	within, cancel := context.WithTimeoutCause(ctx, longestFetching, fmt.Errorf("all that agents saved was to be fetched within %s", longestFetching))
	defer cancel()
	var nodes [][]plan.Saved // a node's one after the other
	for _, s := range list {
		if n := len(nodes); n > 0 && nodes[n-1][0].Node == s.Node {
			nodes[n-1] = append(nodes[n-1], s)
		} else {
			nodes = append(nodes, []plan.Saved{s})
		}
	}
	each(len(nodes), fetchedAtOnce, func(i int) {
		for _, s := range nodes[i] {
			err := fetchOne(within, reader, s)
			if interrupted(ctx) {
				return
			}
			fmt.Fprintln(os.Stderr, "nodetriage: "+fetched(s, err))
		}
	})
	if interrupted(ctx) {
		return fmt.Errorf("fetch what agents saved: %w", context.Cause(ctx))
	}
	return nil
}

// fetchOne fetches one archive, as a whole or not at all.
func fetchOne(ctx context.Context, reader *kube.Reader, s plan.Saved) error {
	if s.NotFetched != "" {
		return errors.New(s.NotFetched)
	}
	if err := os.MkdirAll(filepath.Dir(s.Path), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(s.Path, atomicfile.Options{}, func(w io.Writer) error {
		return survey.FetchSaved(ctx, reader, s.Node, nodereport.Saved{File: s.File, Bytes: s.Bytes}, w, survey.Options{})
	})
}

// fetched says what became of an archive.
func fetched(s plan.Saved, err error) string {
	what := "what the agent on node " + report.Clean(s.Node)
	switch {
	case s.File == "":
		what += " may have saved"
	case s.At.IsZero():
		what += " saved as " + report.Clean(s.File)
	default:
		what += " saved at " + s.At.Format(time.RFC3339)
	}
	switch {
	case err == nil:
		return what + " was fetched: " + s.Path
	case errors.Is(err, atomicfile.ErrExists):
		return what + " was fetched before: " + s.Path
	}
	return what + " could not be fetched: " + said(err) + "; it stays on the node alone, below /var/log/nodetriage"
}

// each does something for every index, so many at a time.
func each(n, atOnce int, do func(i int)) {
	var wait sync.WaitGroup
	turns := make(chan struct{}, atOnce)
	for i := range n {
		turns <- struct{}{}
		wait.Go(func() {
			defer func() { <-turns }()
			do(i)
		})
	}
	wait.Wait()
}
