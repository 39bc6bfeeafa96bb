package main

import (
	"errors"
	"fmt"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/atomicfile"
)

// hintf returns the error for bad usage with a hint: what to do instead.
func hintf(hint, format string, args ...any) error {
	return hinted(fmt.Errorf(format, args...), hint)
}

// hinted adds a hint to an error for bad usage or unreadable input.
func hinted(err error, hint string) error { return badUsage(&ask.HintError{Err: err, Hint: hint}) }

// hintOf returns the outermost hint of an error, as a line; empty if it has none.
func hintOf(err error) string {
	var h *ask.HintError
	if errors.As(err, &h) {
		return "hint: " + clean(h.Hint) + "\n"
	}
	return ""
}

// mayForce adds to the error of an existing file how to overwrite it.
func mayForce(err error) error {
	switch {
	case errors.Is(err, atomicfile.ErrExists):
		return hinted(err, "choose another name, or use --force to replace it")
	case errors.Is(err, atomicfile.ErrNotEmpty):
		return hinted(err, "choose another name")
	}
	return badUsage(err)
}
