package evidence

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Window is a planned maintenance window: when a cloud may begin what it does by itself.
type Window struct {
	Name     string
	duration time.Duration
	offset   *time.Location
	start    time.Duration // since midnight
	from     time.Time     // day from which the schedule counts; zero: not told
	schedule schedule
	slots    map[time.Weekday][]int // hours, of configurations of the old form
	blocked  []span
}

type schedule struct {
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
}

type span struct{ Start, End string }

// ReadWindow reads the window of a resource of type maintenance (Microsoft.ContainerService maintenanceConfigurations,
// 2025-10-01, and the older form by weekday and hour).
func ReadWindow(r *CloudResource) (*Window, bool) {
	w := &Window{Name: r.Name, offset: time.UTC}
	var doc struct {
		Schedule        schedule `json:"schedule"`
		DurationHours   int      `json:"durationHours"`
		StartTime       string   `json:"startTime"`
		UTCOffset       string   `json:"utcOffset"`
		StartDate       string   `json:"startDate"`
		NotAllowedDates []span   `json:"notAllowedDates"`
	}
	_ = json.Unmarshal([]byte(r.Properties["notAllowedTime"]), &w.blocked) // absent: none
	if json.Unmarshal([]byte(r.Properties["maintenanceWindow"]), &doc) == nil {
		start, ok := clock(doc.StartTime)
		if !ok || doc.DurationHours <= 0 || doc.DurationHours > 24 {
			return nil, false
		}
		if doc.UTCOffset != "" {
			at, err := time.Parse("-07:00", doc.UTCOffset)
			if err != nil {
				return nil, false
			}
			w.offset = at.Location()
		}
		w.from, _ = time.ParseInLocation(time.DateOnly, doc.StartDate, w.offset) // else zero: not told
		w.duration, w.start, w.schedule, w.blocked = time.Duration(doc.DurationHours)*time.Hour, start, doc.Schedule, append(w.blocked, doc.NotAllowedDates...)
		return w, true
	}
	var days []struct {
		Day       string `json:"day"`
		HourSlots []int  `json:"hourSlots"`
	}
	if json.Unmarshal([]byte(r.Properties["timeInWeek"]), &days) != nil || len(days) == 0 {
		return nil, false
	}
	w.slots = map[time.Weekday][]int{}
	for _, d := range days {
		if day, ok := weekday(d.Day); ok {
			w.slots[day] = d.HourSlots
		}
	}
	return w, true
}

// Holds tells whether the cloud may begin its work at that time. A schedule that counts days, weeks or months from a
// day that is not told leaves it open.
func (w *Window) Holds(t time.Time) Fact {
	t = t.In(w.offset)
	for _, b := range w.blocked {
		if b.holds(t, w.offset) {
			return False
		}
	}
	if w.slots != nil {
		for _, hour := range w.slots[t.Weekday()] {
			if hour == t.Hour() {
				return True
			}
		}
		return False
	}
	answer := False
	for back := range 2 { // it may have begun the day before
		day := time.Date(t.Year(), t.Month(), t.Day()-back, 0, 0, 0, 0, w.offset)
		begin := day.Add(w.start)
		if t.Before(begin) || !t.Before(begin.Add(w.duration)) {
			continue
		}
		if on := w.on(day); on == True || on == Unknown && answer == False {
			answer = on
		}
	}
	return answer
}

// on tells whether the window opens on that day.
func (w *Window) on(day time.Time) Fact {
	s := &w.schedule
	switch {
	case s.Daily != nil:
		return w.every(s.Daily.IntervalDays, int(day.Sub(w.from).Hours()/24))
	case s.Weekly != nil:
		if want, ok := weekday(s.Weekly.DayOfWeek); !ok || want != day.Weekday() {
			return Known(false)
		}
		return w.every(s.Weekly.IntervalWeeks, int(day.Sub(w.from).Hours()/24/7))
	case s.AbsoluteMonthly != nil:
		if s.AbsoluteMonthly.DayOfMonth != day.Day() {
			return False
		}
		return w.every(s.AbsoluteMonthly.IntervalMonths, w.months(day))
	case s.RelativeMonthly != nil:
		want, ok := weekday(s.RelativeMonthly.DayOfWeek)
		if !ok || want != day.Weekday() {
			return False
		}
		last := day.AddDate(0, 0, 7).Month() != day.Month()
		n := map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4}[strings.ToLower(s.RelativeMonthly.WeekIndex)]
		if strings.EqualFold(s.RelativeMonthly.WeekIndex, "Last") && !last || n > 0 && (day.Day()-1)/7+1 != n {
			return False
		}
		return w.every(s.RelativeMonthly.IntervalMonths, w.months(day))
	}
	return Unknown
}

func (w *Window) months(day time.Time) int {
	return (day.Year()-w.from.Year())*12 + int(day.Month()) - int(w.from.Month())
}

func (w *Window) every(interval, passed int) Fact {
	switch {
	case interval <= 1:
		return True
	case w.from.IsZero():
		return Unknown
	}
	return Known(passed >= 0 && passed%interval == 0)
}

func (s span) holds(t time.Time, at *time.Location) bool {
	from, err1 := readDay(s.Start, at)
	to, err2 := readDay(s.End, at)
	if err1 != nil || err2 != nil {
		return false
	}
	if len(s.End) == len(time.DateOnly) {
		to = to.AddDate(0, 0, 1) // the day counts as a whole
	}
	return !t.Before(from) && t.Before(to)
}

func readDay(s string, at *time.Location) (time.Time, error) {
	if len(s) == len(time.DateOnly) {
		return time.ParseInLocation(time.DateOnly, s, at)
	}
	return time.Parse(time.RFC3339, s)
}

// String is the window in words: "weekly on Sunday 00:00 +00:00 for 4h".
func (w *Window) String() string {
	if w.slots != nil {
		return w.Name + " by weekday and hour"
	}
	s, every := &w.schedule, "on a schedule that is not known"
	switch {
	case s.Daily != nil:
		every = times(s.Daily.IntervalDays, "day")
	case s.Weekly != nil:
		every = times(s.Weekly.IntervalWeeks, "week") + " on " + s.Weekly.DayOfWeek
	case s.AbsoluteMonthly != nil:
		every = times(s.AbsoluteMonthly.IntervalMonths, "month") + " on day " + strconv.Itoa(s.AbsoluteMonthly.DayOfMonth)
	case s.RelativeMonthly != nil:
		every = times(s.RelativeMonthly.IntervalMonths, "month") + " on the " + strings.ToLower(s.RelativeMonthly.WeekIndex) + " " + s.RelativeMonthly.DayOfWeek
	}
	return fmt.Sprintf("%s %s at %02d:%02d %s for %d hours", w.Name, every, int(w.start.Hours()), int(w.start.Minutes())%60,
		time.Time{}.In(w.offset).Format("-07:00"), int(w.duration.Hours()))
}

func times(n int, unit string) string {
	if n <= 1 {
		return "every " + unit
	}
	return fmt.Sprintf("every %d %ss", n, unit)
}

func clock(s string) (time.Duration, bool) {
	t, err := time.Parse("15:04", s)
	if err != nil {
		return 0, false
	}
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, true
}

func weekday(s string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if strings.EqualFold(d.String(), s) {
			return d, true
		}
	}
	return 0, false
}
