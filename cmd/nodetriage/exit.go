package main

import (
	"fmt"

	"github.com/nodetriage/nodetriage/ask"
)

// exitCode ends the program without a message: the output already said everything.
type exitCode int

// Exit codes for scripts.
const (
	exitFailed   exitCode = 1 // internal error
	exitUsage    exitCode = 2 // bad usage or unreadable input
	exitProblem  exitCode = 3 // a problem was found, or a plan is blocked
	exitWarnings exitCode = 4 // warnings only
	exitUnclear  exitCode = 5 // not enough evidence to judge, or to rule something out
)

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// badUsage returns the error for bad usage or unreadable input.
func badUsage(err error) error { return &ask.UsageError{Err: err} }

func usagef(format string, args ...any) error { return badUsage(fmt.Errorf(format, args...)) }

// exitFor returns the exit code of a verdict. A verdict that is not listed is success.
func exitFor[V comparable](verdict V, codes map[V]exitCode) error {
	if code, bad := codes[verdict]; bad {
		return code
	}
	return nil
}
