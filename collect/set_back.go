package collect

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// setBack is what a log tells behind a line that was written while the clock of its machine was ahead: such a line is older
// than its stamp.
type setBack struct {
	before time.Time     // by the clock that is right: when the first line behind was written
	quiet  time.Duration // for how long its writer goes on from there
}

// clockStep is how far a clock must be set back for its lines to be told from lines that two threads wrote at once.
const clockStep = time.Minute

// matchSetBack reports whether the clock was set back behind the last line of a match, or between its lines.
func (t *tails) matchSetBack(m *evidence.Match, last string, ref time.Time) (setBack, bool) {
	own := logline.ReadOrigin(t.timed(m.LastLine, last), ref).Time
	if !own.IsZero() && m.Last.Sub(own) > clockStep {
		return setBack{own, m.Quiet}, true
	}
	return t.setBack(m.LastLine, last, m.Speaker, ref)
}

// setBack reports whether the clock was set back behind a line.
func (t *tails) setBack(number int, line string, by logline.Speaker, ref time.Time) (setBack, bool) {
	log := t.logOf(number)
	if log == nil {
		return setBack{}, false
	}
	line = t.timed(number, line)
	end := t.end(log, number, line, by)
	if gone, known := logline.Between(line, end); !known || gone > -clockStep {
		return setBack{}, false
	}
	for _, m := range t.marks {
		if m.number <= number || t.logOf(m.number) != log || formOf(m.text) != formOf(line) {
			continue
		}
		if gone, known := logline.Between(line, m.text); known && gone < -clockStep {
			quiet, _ := logline.Between(m.text, end)
			return setBack{logline.ReadOrigin(m.text, ref).Time, max(quiet, 0)}, true
		}
		line = m.text
	}
	return setBack{}, false
}

// setRight gives what is dated after the time of the evidence the time at which the clock was set back behind it. Where no clock
// was, it stays: that clock is wrong now.
func (b *Builder) setRight() {
	taken := b.data.TakenAt
	if taken.IsZero() {
		return
	}
	future := taken.Add(clockStep)
	for what, back := range b.setBack {
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
