package collect

import (
	"cmp"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Bounds for the time zone of a machine.
const (
	zoneStep = 15 * time.Minute // zones differ by multiples of 15 minutes
	farZone  = 14 * time.Hour   // from UTC
)

// namedZones are abbreviations of a single zone. Several zones share most others (IST, CST, BST).
var namedZones = map[string]time.Duration{
	"UTC": 0, "GMT": 0, "CET": time.Hour, "CEST": 2 * time.Hour, "EET": 2 * time.Hour, "EEST": 3 * time.Hour, "MSK": 3 * time.Hour, "JST": 9 * time.Hour,
	"EST": -5 * time.Hour, "EDT": -4 * time.Hour, "CDT": -5 * time.Hour, "MDT": -6 * time.Hour, "PST": -8 * time.Hour, "PDT": -7 * time.Hour,
}

// zoneOf returns how far the local time of the machine is ahead of UTC. It compares the time at which systemctl ran with the
// newest time of the cluster. It returns zero if the offset is unknown or clocks disagree.
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

// walls returns the local clocks in the texts.
func walls(texts []*paste.Text) (out []paste.Wall) {
	for _, t := range texts {
		out = append(out, t.Walls()...)
	}
	return out
}

// inUTC converts local times of hosts to UTC. Containers use UTC: only logs of the host are converted.
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
	for what, back := range b.clockSetBack {
		shift(&back.before)
		b.clockSetBack[what] = back
	}
}

// ofHost reports whether a line without a zone is from the machine itself. That is a journal, the kernel ring buffer, a kubelet
// log, or the unit state of systemctl.
func ofHost(about evidence.Subject, by logline.Speaker, text string) bool {
	journal := logline.Program(text) != "" || by == logline.Kernel || by == logline.Kubelet
	state := strings.HasPrefix(strings.TrimSpace(text), "Active: ")
	return (journal || state) && about.Kind != "Pod" && !logline.Zoned(text)
}
