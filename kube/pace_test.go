package kube

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// After a 429 all requests wait for Retry-After. Then half as many run in parallel, and more after successes.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPace(8)
		for range 8 {
			if err := p.acquire(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 8 {
			p.release(i == 0, 3*time.Second)
		}
		begin := time.Now()
		if most := busiest(t, p, 4); most != 4 {
			t.Errorf("%d at once after a 429, want 4", most)
		}
		if waited := time.Since(begin); waited < 3*time.Second {
			t.Errorf("waited %s, the server asked for 3 s", waited)
		}
		if most := busiest(t, p, 100); most != 8 {
			t.Errorf("%d at once after a hundred good answers, want 8 again", most)
		}
	})
}

// busiest sends n requests of a second each and returns the maximum number in parallel.
func busiest(t *testing.T, p *pace, n int) int {
	var wait sync.WaitGroup
	var mu sync.Mutex
	now, most := 0, 0
	for range n {
		wait.Go(func() {
			if err := p.acquire(t.Context()); err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			now--
			mu.Unlock()
			p.release(false, 0)
		})
	}
	wait.Wait()
	return most
}

// A canceled request does not block the others.
func TestPaceCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPace(1)
		if err := p.acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := contextWithTimeout(t, time.Second)
		defer cancel()
		if err := p.acquire(ctx); err == nil {
			t.Error("a second request went beside the first")
		}
		p.release(false, 0)
		if err := p.acquire(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
