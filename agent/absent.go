package agent

import (
	"context"
	"maps"
	"sync"
	"time"
)

// absent tracks calls that have not returned. A call that hangs in the kernel cannot be ended, so it is not repeated
// until it returns.
type absent struct {
	mu    sync.Mutex
	since map[string]time.Time
}

func newAbsent() *absent { return &absent{since: map[string]time.Time{}} }

// outSince returns an absent that includes the calls of other processes.
func outSince(others map[string]time.Time) *absent {
	a := newAbsent()
	maps.Copy(a.since, others)
	return a
}

// out returns the calls that have not returned, with their start times.
func (a *absent) out() map[string]time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.since)
}

// within runs do and waits at most for the limit. It returns how long the call has been running, and whether it
// returned.
func (a *absent) within(ctx context.Context, name string, limit time.Duration, do func()) (time.Duration, bool) {
	now := time.Now()
	a.mu.Lock()
	since, away := a.since[name]
	if !away {
		a.since[name] = now
	}
	a.mu.Unlock()
	if away {
		return now.Sub(since), false
	}
	back := make(chan struct{})
	go func() {
		do()
		a.mu.Lock()
		delete(a.since, name)
		a.mu.Unlock()
		close(back)
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-back:
		return time.Since(now), true
	case <-timer.C:
	case <-ctx.Done():
	}
	return time.Since(now), false
}
