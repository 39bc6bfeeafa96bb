package main

import (
	"errors"

	"github.com/nodetriage/nodetriage/atomicfile"
)

// hinted is an error with what to do about it, which is printed on a line of its own.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// hintOf is the hint of an error, as a line; empty: it has none.
func hintOf(err error) string {
	var h *hinted
	if errors.As(err, &h) {
		return "hint: " + h.hint + "\n"
	}
	return ""
}

// mayForce adds to the error of a file that exists how it can be replaced.
func mayForce(err error) error {
	if errors.Is(err, atomicfile.ErrExists) {
		return &hinted{err, "choose another name, or use --force to replace it"}
	}
	return err
}
