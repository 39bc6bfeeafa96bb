package collect

import (
	"cmp"
	"time"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/logline"
)

// Bounds of what tells the zone of a machine.
const (
	zoneStep = 15 * time.Minute // zones differ by quarters of an hour
	farZone  = 14 * time.Hour   // from UTC
)

// zoneOf is how far the clock on the wall of the machine is ahead of UTC on which the texts were written: what it showed when systemctl
// was asked, beside the newest time of the cluster. Zero where nothing tells it, or clocks tell different zones.
func zoneOf(d *evidence.Data, texts []*paste.Text) time.Duration {
	c := readClocks(d, nil)
	var utc time.Time
	for _, beats := range []map[string]time.Time{c.leases, c.heartbeats} {
		for _, at := range beats {
			utc = later(utc, at)
		}
	}
	if utc.IsZero() {
		return 0
	}
	var zone time.Duration
	for _, t := range texts {
		for _, wall := range t.Walls() {
			ahead := wall.Sub(utc)
			step := ahead.Round(zoneStep)
			together := (ahead-step).Abs() <= heartbeatApart && step.Abs() <= farZone
			if !together || zone != 0 && zone != step {
				return 0
			}
			zone = step
		}
	}
	return zone
}

// inUTC sets right what lines told by a clock on the wall that was ahead of UTC. Containers have no zone of their own: the logs
// of pods are in UTC.
func inUTC(d *evidence.Data) {
	if d.Zone == 0 {
		return
	}
	shift := func(t *time.Time) {
		if !t.IsZero() {
			*t = t.Add(-d.Zone)
		}
	}
	for _, m := range d.Matches {
		if m.Line == 0 || m.Event != nil || m.Subject.Kind == "Pod" || logline.Zoned(cmp.Or(m.LastText, m.Ref.Text)) {
			continue
		}
		for _, t := range []*time.Time{&m.First, &m.Last, &m.Until, &m.Ref.ObservedAt} {
			shift(t)
		}
	}
	for _, l := range d.Lines {
		if l.Subject.Kind != "Pod" && !logline.Zoned(l.Ref.Text) {
			shift(&l.Time)
			l.Ref.ObservedAt = l.Time
		}
	}
}
