package agent

import (
	"context"
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// clock asks the kernel whether somebody keeps its clock. How far it is off is told by the API server's answer, where
// there is one.
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

// bothClocks is what both clocks of the kernel showed at once: the one that people set, and the one that nobody can, since the boot.
type bothClocks struct {
	Shown   time.Time     `json:"shown"`
	Running time.Duration `json:"running"`
}

// smallestStep is by how much the clocks may part while the time service slews: at most half a millisecond in a second.
const smallestStep = time.Second

// since returns by how much the clock was set since the earlier time, and how long ago that was.
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
