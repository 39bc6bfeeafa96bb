package main

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
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

// usageError is bad usage or unreadable input.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// unreadError says that an object was not found, and that it may exist: not all objects of its kind were read.
type unreadError struct{ err error }

func (e *unreadError) Error() string { return e.err.Error() }
func (e *unreadError) Unwrap() error { return e.err }

// absentf says that an object of one of the kinds is not in the evidence: not there, as far as all of them were read.
func absentf(s *evidence.Snapshot, kinds []evidence.Kind, format string, args ...any) error {
	if len(s.Incomplete(kinds...)) > 0 {
		return &unreadError{fmt.Errorf(format, args...)}
	}
	return usagef(format, args...)
}

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// exitFor is the exit code of a verdict; one that is not listed is good.
func exitFor[V comparable](verdict V, codes map[V]exitCode) error {
	if code, bad := codes[verdict]; bad {
		return code
	}
	return nil
}
