package documents

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
)

const maxWindow = 4 << 10 // bytes of a maintenance configuration

// windowDoc is a maintenance configuration (Microsoft.ContainerService maintenanceConfigurations, 2025-10-01, and the
// older form by weekday and hour).
type windowDoc struct {
	Schedule struct {
		Daily *struct {
			IntervalDays int `json:"intervalDays"`
		} `json:"daily"`
		Weekly *struct {
			IntervalWeeks int    `json:"intervalWeeks"`
			DayOfWeek     string `json:"dayOfWeek"`
		} `json:"weekly"`
		AbsoluteMonthly *struct {
			IntervalMonths int `json:"intervalMonths"`
			DayOfMonth     int `json:"dayOfMonth"`
		} `json:"absoluteMonthly"`
		RelativeMonthly *struct {
			IntervalMonths int    `json:"intervalMonths"`
			WeekIndex      string `json:"weekIndex"`
			DayOfWeek      string `json:"dayOfWeek"`
		} `json:"relativeMonthly"`
	} `json:"schedule"`
	DurationHours   int         `json:"durationHours"`
	StartTime       string      `json:"startTime"`
	UTCOffset       string      `json:"utcOffset"`
	StartDate       string      `json:"startDate"`
	NotAllowedDates []windowDay `json:"notAllowedDates"`
}

type windowDay struct{ Start, End string }

// windowOf returns the window of a maintenance configuration; nil if it does not parse.
func windowOf(tree map[string]any, name string) *evidence.Window {
	w := &evidence.Window{Name: name, Zone: time.UTC}
	var doc windowDoc
	var blocked []windowDay
	part(tree, "notAllowedTime", &blocked) // absent: none
	if part(tree, "maintenanceWindow", &doc) {
		return scheduled(w, &doc, blocked)
	}
	var days []struct {
		Day       string `json:"day"`
		HourSlots []int  `json:"hourSlots"`
	}
	if !part(tree, "timeInWeek", &days) || len(days) == 0 {
		return nil
	}
	w.Every, w.Hours = evidence.EveryHour, map[time.Weekday][]int{}
	for _, d := range days {
		if day := weekday(d.Day); day >= 0 {
			w.Hours[day] = d.HourSlots
		}
	}
	w.Blocked = blocks(blocked, w.Zone)
	return w
}

// part decodes a field of the configuration, and reports whether it exists and parses.
func part(tree map[string]any, key string, into any) bool {
	for _, at := range []string{"properties." + key, key} {
		v, ok := lookup(tree, at)
		if !ok || v == nil {
			continue
		}
		raw, err := json.Marshal(v)
		return err == nil && len(raw) <= maxWindow && json.Unmarshal(raw, into) == nil
	}
	return false
}

func scheduled(w *evidence.Window, doc *windowDoc, blocked []windowDay) *evidence.Window {
	start, ok := clock(doc.StartTime)
	if !ok || doc.DurationHours <= 0 || doc.DurationHours > 24 {
		return nil
	}
	if doc.UTCOffset != "" {
		at, err := time.Parse("-07:00", doc.UTCOffset)
		if err != nil {
			return nil
		}
		w.Zone = at.Location()
	}
	w.From, _ = time.ParseInLocation(time.DateOnly, doc.StartDate, w.Zone) // else zero: unknown
	w.Duration, w.Start, w.Blocked = bounds.Times(int64(doc.DurationHours), time.Hour), start, blocks(append(blocked, doc.NotAllowedDates...), w.Zone)
	switch s := doc.Schedule; {
	case s.Daily != nil:
		w.Every, w.Interval = evidence.EveryDay, s.Daily.IntervalDays
	case s.Weekly != nil:
		w.Every, w.Interval, w.Weekday = evidence.EveryWeek, s.Weekly.IntervalWeeks, weekday(s.Weekly.DayOfWeek)
	case s.AbsoluteMonthly != nil:
		w.Every, w.Interval, w.Day = evidence.EveryMonth, s.AbsoluteMonthly.IntervalMonths, s.AbsoluteMonthly.DayOfMonth
	case s.RelativeMonthly != nil:
		w.Every, w.Interval, w.Weekday = evidence.EveryMonthByWeekday, s.RelativeMonthly.IntervalMonths, weekday(s.RelativeMonthly.DayOfWeek)
		w.Week = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "last": evidence.LastWeek}[strings.ToLower(s.RelativeMonthly.WeekIndex)]
	}
	return w
}

// blocks returns the valid time ranges. An end date includes that day.
func blocks(list []windowDay, zone *time.Location) (out []evidence.WindowBlock) {
	for _, d := range list {
		from, err1 := readDay(d.Start, zone)
		to, err2 := readDay(d.End, zone)
		if err1 != nil || err2 != nil {
			continue
		}
		if len(d.End) == len(time.DateOnly) {
			to = to.AddDate(0, 0, 1)
		}
		out = append(out, evidence.WindowBlock{From: from, To: to})
	}
	return out
}

func readDay(s string, zone *time.Location) (time.Time, error) {
	if len(s) == len(time.DateOnly) {
		return time.ParseInLocation(time.DateOnly, s, zone)
	}
	return time.Parse(time.RFC3339, s)
}

func clock(s string) (time.Duration, bool) {
	t, err := time.Parse("15:04", s)
	if err != nil {
		return 0, false
	}
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, true
}

// weekday returns the day with this name, or -1.
func weekday(s string) time.Weekday {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if strings.EqualFold(d.String(), s) {
			return d
		}
	}
	return -1
}
