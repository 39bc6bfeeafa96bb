package mcp

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodetriage/nodetriage/ask"
)

// progressPause is the least time between two notifications of one call.
const progressPause = 500 * time.Millisecond

// progressKey is the key of the *progress in the context of a call. The tools read their evidence in source.from, which has no
// other connection to the call.
type progressKey struct{}

// progress notifies a client how much evidence was read, if its call has a progress token.
type progress struct {
	session *sdk.ServerSession
	token   any

	mu   sync.Mutex
	most int64
	last time.Time
}

// withProgress returns the context of a call.
func withProgress(ctx context.Context, r *sdk.CallToolRequest) context.Context {
	token := r.Params.GetProgressToken()
	if token == nil {
		return ctx
	}
	return context.WithValue(ctx, progressKey{}, &progress{session: r.Session, token: token})
}

// reporting returns from with the progress of the call that has this context.
func reporting(ctx context.Context, from ask.From) ask.From {
	if p, ok := ctx.Value(progressKey{}).(*progress); ok {
		from.Progress = func(at ask.Progress) { p.tell(ctx, at) }
	}
	return from
}

// tell sends a notification if there is progress and the last one is old enough. A client that reads slowly delays one reader of
// evidence, not all: the others do not wait for it.
func (p *progress) tell(ctx context.Context, at ask.Progress) {
	if !p.mu.TryLock() {
		return
	}
	defer p.mu.Unlock()
	if at.Done <= p.most || time.Since(p.last) < progressPause {
		return
	}
	p.most, p.last = at.Done, time.Now()
	says := "bytes read"
	if at.Objects {
		says = "objects read"
	}
	// A notification that cannot be sent changes nothing about the answer.
	_ = p.session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: p.token, Message: says, Progress: float64(at.Done), Total: float64(at.Total)})
}
