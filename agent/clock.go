package agent

import (
	"context"
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// clock reads whether a time service synchronises the kernel clock. The answer of the API server shows the offset.
func clock(_ context.Context, h *Host, r *nodereport.Report) error {
	synchronised, offset, err := h.system.kernelTime()
	if err != nil {
		return err
	}
	mark := &h.before.clock
	mark.mu.Lock()
	defer mark.mu.Unlock()
	shown := bothClocks{time.Now(), h.system.running()}
	step, watched := shown.since(mark.was)
	mark.was = shown
	r.Clock = &nodereport.Clock{
		Step: step, Watched: watched, Source: h.text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
		Synchronized: &synchronised, Offset: offset, Shown: h.now.UTC().Truncate(time.Second),
		Ref: fmt.Sprintf("adjtimex: synchronised %t, offset %s", synchronised, offset),
	}
	return nil
}

// bothClocks is one reading of both kernel clocks: the wall clock, and the monotonic clock since boot.
type bothClocks struct {
	Shown   time.Time     `json:"shown"`
	Running time.Duration `json:"running"`
}

// smallestStep is the largest drift of the clocks while the time service slews: half a millisecond per second.
const smallestStep = time.Second

// since returns the size of the clock step since the earlier reading, and the time since that reading.
func (c bothClocks) since(was bothClocks) (step, watched time.Duration) {
	if was.Shown.IsZero() {
		return 0, 0
	}
	watched = c.Running - was.Running
	step = c.Shown.Round(0).Sub(was.Shown.Round(0)) - watched
	if step.Abs() < max(smallestStep, watched/1000) {
		step = 0
	}
	return step.Round(time.Millisecond), watched.Round(time.Second)
}
