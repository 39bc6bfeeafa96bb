package collect

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// clockSetBack describes a clock that was set back after a line. The line was written while the clock was ahead, so it is older than
// its timestamp.
type clockSetBack struct {
	before time.Time     // by the corrected clock: when the first line after it was written
	quiet  time.Duration // for how long its writer logs after that
}

// clockStep is the minimum step of a clock. Smaller steps can come from lines that two threads wrote concurrently.
const clockStep = time.Minute

// matchSetBack reports whether the clock was set back after the last line of a match, or between its lines.
func (t *tails) matchSetBack(m *evidence.Match, last string, ref time.Time) (clockSetBack, bool) {
	own := logline.ReadOrigin(t.timed(m.LastLine, last), ref).Time
	if !own.IsZero() && m.Last.Sub(own) > clockStep {
		return clockSetBack{own, m.Quiet}, true
	}
	return t.clockSetBack(m.LastLine, last, m.Speaker, ref)
}

// clockSetBack reports whether the clock was set back after a line.
func (t *tails) clockSetBack(number int, line string, by logline.Speaker, ref time.Time) (clockSetBack, bool) {
	log := t.logOf(number)
	if log == nil {
		return clockSetBack{}, false
	}
	line = t.timed(number, line)
	end := t.end(log, number, line, by)
	if gone, known := logline.Between(line, end); !known || gone > -clockStep {
		return clockSetBack{}, false
	}
	for _, m := range t.marks {
		if m.number <= number || t.logOf(m.number) != log || formOf(m.text) != formOf(line) {
			continue
		}
		if gone, known := logline.Between(line, m.text); known && gone < -clockStep {
			quiet, _ := logline.Between(m.text, end)
			return clockSetBack{logline.ReadOrigin(m.text, ref).Time, max(quiet, 0)}, true
		}
		line = m.text
	}
	return clockSetBack{}, false
}

// correctTimes corrects times after the time of the evidence: they become the time at which the clock was set back. If no clock was
// set back, the time stays, because that clock is still wrong.
func (b *Builder) correctTimes() {
	taken := b.data.TakenAt
	if taken.IsZero() {
		return
	}
	future := taken.Add(clockStep)
	for what, back := range b.clockSetBack {
		before := withYear(back.before, taken)
		if before.IsZero() || before.After(future) {
			continue
		}
		switch x := what.(type) {
		case *evidence.Match:
			if x.Last.After(future) {
				x.First, x.Last, x.Quiet = earliest(x.First, before), before, back.quiet
				x.Ref.ObservedAt = earliest(x.Ref.ObservedAt, before)
			}
		case *evidence.Line:
			if x.Time.After(future) {
				x.Time, x.Ref.ObservedAt, x.Quiet = before, before, back.quiet
			}
		}
	}
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
