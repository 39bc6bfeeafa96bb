//go:build unix

package conformance

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// restart kills the controller manager of a control plane once, at a time that all its scenarios agree on.
type restart struct {
	ready  sync.WaitGroup // a scenario each
	once   sync.Once
	at     time.Time
	failed error
}

// restartIn is the time from when all scenarios are ready; the events come before it.
const restartIn = 100 * time.Second

// agree waits until all scenarios are ready, and returns the time of the event of this scenario.
func (p *plane) agree(ctx context.Context, before time.Duration) time.Time {
	r := p.restart
	r.ready.Done()
	r.ready.Wait()
	r.once.Do(func() {
		r.at = time.Now().Add(restartIn)
		go func() {
			if pause(ctx, restartIn) != nil {
				return
			}
			if r.failed = p.KillManager(); r.failed == nil && !p.standby {
				r.failed = p.StartManager()
			}
		}()
	})
	return r.at.Add(-before)
}

// awaitEvent waits for that time after predict has run.
func awaitEvent(ctx context.Context, at time.Time) error {
	if late := time.Since(at); late > 0 {
		return fmt.Errorf("predict took %s too long", late)
	}
	return pause(ctx, time.Until(at))
}
