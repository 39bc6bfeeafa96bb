package paste

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// clockKeys are the keys of timedatectl in all versions of systemd, and of chronyc tracking.
var clockKeys = map[string]bool{
	"Local time": true, "Universal time": true, "RTC time": true, "Time zone": true, "System clock synchronized": true,
	"NTP synchronized": true, "NTP service": true, "NTP enabled": true, "Network time on": true,
	"systemd-timesyncd.service active": true, "RTC in local TZ": true, "DST active": true, "Timezone": true,
	"Reference ID": true, "Stratum": true, "Ref time (UTC)": true, "System time": true, "Last offset": true,
	"RMS offset": true, "Frequency": true, "Residual freq": true, "Skew": true, "Root delay": true,
	"Root dispersion": true, "Update interval": true, "Leap status": true,
}

var chronyOffset = lazyregexp.New(`^([\d.]+) seconds (slow|fast) of NTP time`)

// startClock reads timedatectl and chronyc tracking, line by line.
func startClock(p *page, l line) reader {
	key, value, ok := splitKey(l.text)
	key = strings.TrimSpace(key)
	if !ok || !clockKeys[key] {
		return nil
	}
	r := each(func(l line) bool {
		key, value, ok := splitKey(l.text)
		key = strings.TrimSpace(key)
		if !ok || !clockKeys[key] {
			return false
		}
		p.clockLine(key, value, l)
		return true
	})
	p.clockLine(key, value, l)
	return r
}

func (p *page) clockLine(key, value string, l line) {
	set := func(change func(c *nodereport.Clock)) { p.setClock(l, change) }
	switch key {
	case "Universal time":
		if t, err := time.Parse("Mon 2006-01-02 15:04:05", strings.TrimSuffix(value, " UTC")); err == nil {
			p.setShown(t.UTC(), l)
		}
	case "RTC time":
		if t, err := time.Parse("Mon 2006-01-02 15:04:05", value); err == nil {
			set(func(c *nodereport.Clock) { c.Hardware = t })
		}
	case "RTC in local TZ":
		if value == "yes" {
			set(func(c *nodereport.Clock) { c.Hardware = time.Time{} })
		}
	case "System clock synchronized", "NTP synchronized":
		if yes, known := isSynchronized[value]; known {
			set(func(c *nodereport.Clock) { c.Synchronized = &yes })
		}
	case "NTP service":
		set(func(c *nodereport.Clock) { c.Service = value })
	case "NTP enabled", "Network time on", "systemd-timesyncd.service active":
		state := map[string]string{"yes": "active", "no": "inactive", "n/a": "n/a"}[value]
		set(func(c *nodereport.Clock) { c.Service = state })
	case "System time":
		if offset, ok := parseChronyOffset(value); ok {
			set(func(c *nodereport.Clock) { c.Offset = offset })
		}
	case "Leap status":
		if yes, known := leapStatus[value]; known {
			set(func(c *nodereport.Clock) { c.Synchronized = &yes })
		}
	}
}

// Values that show whether a clock is synchronized, of timedatectl and of chronyc. Others do not.
var (
	isSynchronized = map[string]bool{"yes": true, "no": false}
	leapStatus     = map[string]bool{"Normal": true, "Not synchronised": false}
)

// parseChronyOffset parses "0.000012 seconds slow of NTP time".
func parseChronyOffset(value string) (time.Duration, bool) {
	m := chronyOffset.FindStringSubmatch(value)
	if m == nil {
		return 0, false
	}
	s, err := strconv.ParseFloat(m[1], 64)
	if err != nil || s > math.MaxInt64/float64(time.Second)/2 {
		return 0, false
	}
	offset := time.Duration(s * float64(time.Second))
	if m[2] == "slow" {
		offset = -offset
	}
	return offset, true
}

func (p *page) setClock(l line, change func(c *nodereport.Clock)) {
	if !p.text.room("clock readings", l) {
		return
	}
	r := p.node()
	if r.Clock == nil {
		r.Clock = &nodereport.Clock{}
	}
	change(r.Clock)
	r.Clock.Ref = quote(l)
}

// setShown records the local time of the node. The first reading is the time of the report.
func (p *page) setShown(t time.Time, l line) {
	p.setClock(l, func(c *nodereport.Clock) { c.Shown = t })
	if r := p.node(); r.TakenAt.IsZero() {
		r.TakenAt = t
	}
}

// byHand is the maximum difference of two times that a person read in sequence.
const byHand = time.Hour

// setServed compares the local time of the node with the time that a server sent to the node.
func (p *page) setServed(t time.Time, l line) {
	r := p.node()
	if r.Clock == nil || r.Clock.Shown.IsZero() {
		return
	}
	if off := r.Clock.Shown.Sub(t); off.Abs() >= byHand {
		if r.TakenAt.Equal(r.Clock.Shown) {
			r.TakenAt = t
		}
		p.setClock(l, func(c *nodereport.Clock) { c.Offset = off })
	}
}

// zones maps abbreviations with a single meaning, or a single meaning where clusters run, to their offsets from UTC.
var zones = map[string]string{
	"WET": "+0000", "WEST": "+0100", "CET": "+0100", "CEST": "+0200", "EET": "+0200", "EEST": "+0300", "MSK": "+0300", "EST": "-0500", "EDT": "-0400",
	"CDT": "-0500", "MST": "-0700", "MDT": "-0600", "PST": "-0800", "PDT": "-0700", "JST": "+0900", "KST": "+0900", "AEST": "+1000", "AEDT": "+1100",
	"NZST": "+1200", "NZDT": "+1300", "SAST": "+0200", "HKT": "+0800",
}

var zoneName = lazyregexp.New(`\b[A-Z]{3,4}\b`)

// dateLayouts are the formats of date, without ambiguous zone abbreviations.
var dateLayouts = []string{
	"Mon Jan _2 15:04:05 UTC 2006", "Mon Jan _2 15:04:05 GMT 2006", "Mon Jan _2 03:04:05 PM UTC 2006",
	"Mon 02 Jan 2006 03:04:05 PM UTC", "Mon _2 Jan 15:04:05 UTC 2006", time.RFC3339, "2006-01-02T15:04:05-0700",
	"Mon, 02 Jan 2006 15:04:05 -0700", "2006-01-02 15:04:05-07:00", "Mon Jan _2 15:04:05 -07 2006",
	"Mon Jan _2 15:04:05 -0700 2006", "Mon 02 Jan 2006 03:04:05 PM -0700", "Mon Jan _2 03:04:05 PM -0700 2006", "Mon _2 Jan 15:04:05 -0700 2006", "Mon 02 Jan 2006 15:04:05 -0700",
}

// outputDate reads date. Times of several machines in one text can be compared across the reports.
func outputDate(p *page, c *command) reader {
	if c.filtered() {
		return nil
	}
	return each(func(l line) bool {
		text := zoneName.ReplaceAllStringFunc(strings.TrimSpace(l.text), func(zone string) string { return cmp.Or(zones[zone], zone) })
		for _, layout := range dateLayouts {
			if t, err := time.Parse(layout, text); err == nil {
				p.setShown(t.UTC(), l)
				return true
			}
		}
		return false
	})
}
