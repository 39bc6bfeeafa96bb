package mcp

import (
	"context"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Limits of what a call may echo.
const (
	longToolName = 128
	longError    = 6000
)

// limited bounds the errors of calls. The errors of the SDK quote arguments, which may be as long as a message.
func limited(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if p, ok := r.GetParams().(*sdk.CallToolParamsRaw); ok && len(p.Name) > longToolName {
			return nil, errors.New("unknown tool: its name is too long")
		}
		out, err := next(ctx, method, r)
		called, ok := out.(*sdk.CallToolResult)
		if !ok || called == nil || !called.IsError {
			return out, err
		}
		for _, c := range called.Content {
			if text, ok := c.(*sdk.TextContent); ok {
				text.Text = cutLines(text.Text, longError)
			}
		}
		return called, err
	}
}
