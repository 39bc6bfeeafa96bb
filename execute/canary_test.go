package execute

import (
	"context"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/verify"
)

// A timeout is unknown, and no fault of the node.
func TestCanaryOutOfTime(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	opt := newServer(t).options(t)
	c := &canary{opt: CanaryOptions{Reader: opt.Reader, Timeout: time.Minute, Namespace: "ns"}}
	c.report(ctx, "canary", "canary-api", "api", "the API server answered")
	want := verify.Step{ID: "canary-api", Title: "reaches API", Result: verify.Unknown, Detail: "not checked: the canary's time limit of 60s was reached"}
	if len(c.steps) != 1 || c.steps[0] != want {
		t.Errorf("%+v, want %+v", c.steps, want)
	}
}
