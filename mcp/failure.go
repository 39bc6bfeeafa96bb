package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

// failure is the error of a tool. Its text is JSON, because the reason may quote a cluster.
type failure struct {
	Problem   string `json:"error"`
	Untrusted Data   `json:"untrusted,omitzero"`
}

func (f *failure) Error() string {
	text, err := json.Marshal(f)
	if err != nil {
		return `{"error":"the reason cannot be shown"}`
	}
	return string(text)
}

// refuse returns the error for a question that is invalid for any evidence.
func refuse(problem string) error { return &failure{Problem: problem} }

// failed returns the error of a question that was not answered. hide replaces names.
func failed(ctx context.Context, err error, hide func(string) string) error {
	var own *failure
	if errors.As(err, &own) {
		return own
	}
	said := func(text string) string { return hide(redact.New(false).Text(text)) }
	d := Data{Says: said(err.Error())}
	var hint *ask.HintError
	if errors.As(err, &hint) {
		d.Says += "; hint: " + said(hint.Hint)
	}
	return &failure{problemOf(ctx, err), d.bounded()}
}

// problemOf returns what kind of error it is.
func problemOf(ctx context.Context, err error) string {
	var usage *ask.UsageError
	var unread *ask.UnreadError
	switch {
	case errors.As(err, &unread):
		return "not found, but it may exist: not all objects of its kind could be read"
	case errors.As(err, &usage):
		return "the question is invalid, or its evidence cannot be read"
	case errors.Is(context.Cause(ctx), errTimeout):
		return "no answer in time: the evidence could not be read"
	case ctx.Err() != nil:
		return "cancelled"
	}
	return "the evidence could not be read"
}
