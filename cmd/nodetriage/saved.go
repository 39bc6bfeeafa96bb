package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/execute"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/report"
)

// Limits for fetching archives from agents before nodes are changed.
const (
	fetchedAtOnce   = 4
	longestFetching = 2 * time.Minute // for all nodes together: a repair begins only while its plan is recent
)

// archiveIn returns a function that names the files for the agents' archives in a folder.
func archiveIn(dir string) func(node string, at time.Time) string {
	return func(node string, at time.Time) string { return execute.SavedPath(dir, node, at) }
}

// fetch fetches the agents' archives into the files of the plan. A failure is printed and stops nothing. The error is an
// interruption.
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
	var nodes [][]plan.Saved // the archives of one node are fetched in sequence
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

// fetchOne fetches one archive completely or not at all.
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

// fetched describes the result for an archive.
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

// each calls do for every index, up to atOnce at a time.
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
