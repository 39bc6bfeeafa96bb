package collect

import (
	"cmp"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Bounds of what tells the zone of a machine.
const (
	zoneStep = 15 * time.Minute // zones differ by quarters of an hour
	farZone  = 14 * time.Hour   // from UTC
)

// namedZones are abbreviations that one zone alone has; most others are shared by several (IST, CST, BST).
var namedZones = map[string]time.Duration{
	"UTC": 0, "GMT": 0, "CET": time.Hour, "CEST": 2 * time.Hour, "EET": 2 * time.Hour, "EEST": 3 * time.Hour, "MSK": 3 * time.Hour, "JST": 9 * time.Hour,
	"EST": -5 * time.Hour, "EDT": -4 * time.Hour, "CDT": -5 * time.Hour, "MDT": -6 * time.Hour, "PST": -8 * time.Hour, "PDT": -7 * time.Hour,
}

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
	for i, wall := range walls(texts) {
		ahead := wall.Shown.Sub(utc)
		step := ahead.Round(zoneStep)
		known, named := namedZones[wall.Zone]
		together := (ahead-step).Abs() <= heartbeatApart && step.Abs() <= farZone
		misnamed, other := named && known != step, i > 0 && zone != step
		if !together || misnamed || other {
			return 0
		}
		zone = step
	}
	return zone
}

// walls are the clocks that the texts show.
func walls(texts []*paste.Text) (out []paste.Wall) {
	for _, t := range texts {
		out = append(out, t.Walls()...)
	}
	return out
}

// inUTC sets right what hosts told by a clock on the wall that was ahead of UTC. Containers have no zone of their own: what does not
// come from a log of the host is in UTC.
func (b *Builder) inUTC(d *evidence.Data) {
	if d.Zone == 0 {
		return
	}
	shift := func(t *time.Time) {
		if !t.IsZero() {
			*t = t.Add(-d.Zone)
		}
	}
	for _, m := range d.Matches {
		if text := cmp.Or(m.LastText, m.Ref.Text); m.Line > 0 && m.Event == nil && ofHost(m.Subject, m.Speaker, text) {
			for _, t := range []*time.Time{&m.First, &m.Last, &m.Until, &m.Ref.ObservedAt} {
				shift(t)
			}
		}
	}
	for _, l := range d.Lines {
		if ofHost(l.Subject, l.Speaker, l.Ref.Text) {
			shift(&l.Time)
			l.Ref.ObservedAt = l.Time
		}
	}
	for what, back := range b.setBack {
		shift(&back.before)
		b.setBack[what] = back
	}
}

// ofHost reports whether a line stands in a log of the machine itself, and does not tell its zone: a journal, the kernel's ring buffer,
// what a kubelet writes, or systemctl's state of a unit.
func ofHost(about evidence.Subject, by logline.Speaker, text string) bool {
	journal := logline.Program(text) != "" || by == logline.Kernel || by == logline.Kubelet
	state := strings.HasPrefix(strings.TrimSpace(text), "Active: ")
	return (journal || state) && about.Kind != "Pod" && !logline.Zoned(text)
}
