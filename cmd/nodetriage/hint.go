package main

import (
	"errors"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/atomicfile"
)

// hinted is an error with a hint. The hint is printed on its own line.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// hintOf returns the hint of an error, as a line; empty if it has none.
func hintOf(err error) string {
	var h *hinted
	var asked *ask.HintedError
	switch {
	case errors.As(err, &h):
		return "hint: " + h.hint + "\n"
	case errors.As(err, &asked):
		return "hint: " + byName(asked.Hint) + "\n"
	}
	return ""
}

// mayForce adds to the error of an existing file how to overwrite it.
func mayForce(err error) error {
	if errors.Is(err, atomicfile.ErrExists) {
		return &hinted{err, "choose another name, or use --force to replace it"}
	}
	return err
}
