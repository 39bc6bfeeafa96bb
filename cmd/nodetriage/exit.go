package main

import (
	"fmt"

	"github.com/nodetriage/nodetriage/ask"
)

// exitCode ends the program without a message: the output already said everything.
type exitCode int

// What the exit codes mean to scripts.
const (
	exitFailed   exitCode = 1 // the tool failed
	exitUsage    exitCode = 2 // bad usage or unreadable input
	exitProblem  exitCode = 3 // a problem was found, or a plan is blocked
	exitWarnings exitCode = 4 // warnings only
	exitUnclear  exitCode = 5 // could not see enough to judge, or to say that something is not there
)

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// badUsage is the error of bad usage or unreadable input.
func badUsage(err error) error { return &ask.UsageError{Err: err} }

func usagef(format string, args ...any) error { return badUsage(fmt.Errorf(format, args...)) }

// exitFor is the exit code of a verdict; one that is not listed is good.
func exitFor[V comparable](verdict V, codes map[V]exitCode) error {
	if code, bad := codes[verdict]; bad {
		return code
	}
	return nil
}
