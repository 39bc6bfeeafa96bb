package agent

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/nodereport"
)

// clock asks the kernel whether somebody keeps its clock. How far it is off is told by the API server's answer, where
// there is one.
func clock(_ context.Context, h *Host, r *nodereport.Report) error {
	synchronised, offset, err := h.system.kernelTime()
	if err != nil {
		return err
	}
	step, watched := h.clockMark.since(time.Now())
	r.Clock = &nodereport.Clock{
		Step: step, Watched: watched, Source: h.text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
		Synchronized: &synchronised, Offset: offset, Shown: h.now.UTC().Truncate(time.Second),
		Ref: fmt.Sprintf("adjtimex: synchronised %t, offset %s", synchronised, offset),
	}
	return nil
}

// clockMark is what both clocks of the kernel showed at the look before: the one that people set, and the one that nobody can.
type clockMark struct {
	mu  sync.Mutex
	was time.Time
}

// smallestStep is by how much the clocks may part while the time service slews: at most half a millisecond in a second.
const smallestStep = time.Second

// since returns by how much the clock was set since the mark, and how long ago that was; it sets the mark anew.
func (m *clockMark) since(now time.Time) (step, watched time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := m.was
	m.was = now
	if was.IsZero() {
		return 0, 0
	}
	watched = now.Sub(was) // by the clock that nobody can set
	step = now.Round(0).Sub(was.Round(0)) - watched
	if step.Abs() < max(smallestStep, watched/1000) {
		step = 0
	}
	return step.Round(time.Millisecond), watched.Round(time.Second)
}
