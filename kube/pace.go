package kube

import (
	"context"
	"sync"
	"time"
)

// pace limits the number of concurrent requests. It starts at the maximum, halves on 429, pauses all requests for
// Retry-After, and grows by one after each full round of successes. There is no fixed rate: API Priority and Fairness
// of the server decides.
type pace struct {
	mu       sync.Mutex
	most     int
	limit    int
	busy     int
	good     int // successes since the last change of limit
	until    time.Time
	released chan struct{} // closed and replaced at every release
}

func newPace(most int) *pace {
	return &pace{most: most, limit: most, released: make(chan struct{})}
}

// acquire waits for a free slot.
func (p *pace) acquire(ctx context.Context) error {
	for {
		p.mu.Lock()
		wait := time.Until(p.until)
		if wait <= 0 && p.busy < p.limit {
			p.busy++
			p.mu.Unlock()
			return nil
		}
		released := p.released
		p.mu.Unlock()
		if wait > 0 {
			if err := Sleep(ctx, wait); err != nil {
				return err
			}
			continue
		}
		select {
		case <-released:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// release frees the slot. throttled means that the server answered 429 with the given pause.
func (p *pace) release(throttled bool, pause time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy--
	switch {
	case throttled:
		p.limit, p.good = max(1, p.limit/2), 0
		if t := time.Now().Add(pause); t.After(p.until) {
			p.until = t
		}
	case p.limit < p.most:
		if p.good++; p.good >= p.limit {
			p.limit, p.good = p.limit+1, 0
		}
	}
	close(p.released)
	p.released = make(chan struct{})
}

// Sleep waits for d. It returns the error of ctx if ctx ends first.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
