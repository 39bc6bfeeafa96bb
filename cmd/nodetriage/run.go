package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence/redact"
	"github.com/nodetriage/nodetriage/report"
)

// run is main without os.Exit, so that tests can call it.
func run() int {
	ctx, signals, stop := interruptible(context.Background())
	defer stop()
	root := newRoot()
	root.SetArgs(arguments(os.Args))
	err := root.ExecuteContext(ctx)
	clearProgress()
	if code := signals.ended(); code != 0 {
		why := ""
		if other := exitCode(0); err != nil && !errors.As(err, &other) {
			why = ": " + said(err)
		}
		fmt.Fprintln(os.Stderr, "nodetriage: interrupted"+why)
		return code
	}
	var code exitCode
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprint(os.Stderr, "nodetriage: "+said(err)+"\n"+hintOf(err))
	var usage *ask.UsageError
	var unread *ask.UnreadError
	switch {
	case errors.As(err, &unread):
		return int(exitUnclear)
	case errors.As(err, &usage):
		return int(exitUsage)
	}
	return int(exitFailed)
}

// said returns the text of an error, which may quote a cluster or a file.
func said(err error) string { return clean(err.Error()) }

// clean makes a text of the program safe to print, with the name that the program was called by.
func clean(text string) string { return byName(report.Clean(redact.New(false).Text(text))) }
