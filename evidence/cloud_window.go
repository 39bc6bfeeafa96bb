package evidence

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Window is a planned maintenance window for automatic operations of a cloud. It opens every day, week or month, or at
// hours of weekdays.
type Window struct {
	Name     string
	Zone     *time.Location // of its times
	Duration time.Duration  // how long it is open
	Start    time.Duration  // start time, since midnight
	From     time.Time      // start date of the schedule; zero: unknown
	Every    WindowUnit
	Interval int                    // days, weeks or months from one opening to the next; 0: 1
	Weekday  time.Weekday           // EveryWeek and EveryMonthByWeekday; -1: does not parse
	Day      int                    // EveryMonth: of the month
	Week     int                    // EveryMonthByWeekday: which week of the month, 1 to 4; LastWeek; 0: any
	Hours    map[time.Weekday][]int // EveryHour: open hours
	Blocked  []WindowBlock          // times without a window
}

// LastWeek is the week of the month's last such weekday.
const LastWeek = -1

// WindowUnit is the recurrence of a window.
type WindowUnit string

// Units.
const (
	EveryUnknown        WindowUnit = "" // an unknown schedule
	EveryDay            WindowUnit = "day"
	EveryWeek           WindowUnit = "week"
	EveryMonth          WindowUnit = "month"
	EveryMonthByWeekday WindowUnit = "month by weekday"
	EveryHour           WindowUnit = "hour" // on a weekday
)

// WindowBlock is a time during which a window does not open.
type WindowBlock struct{ From, To time.Time } // To: the first moment after it

// Holds reports whether the cloud may start operations at that time. It is Unknown for a schedule that counts from an
// unknown day.
func (w *Window) Holds(t time.Time) Fact {
	t = t.In(w.Zone)
	for _, b := range w.Blocked {
		if !t.Before(b.From) && t.Before(b.To) {
			return False
		}
	}
	if w.Every == EveryHour {
		return Known(slices.Contains(w.Hours[t.Weekday()], t.Hour()))
	}
	answer := False
	for back := range 2 { // it may have started the day before
		day := time.Date(t.Year(), t.Month(), t.Day()-back, 0, 0, 0, 0, w.Zone)
		begin := day.Add(w.Start)
		if t.Before(begin) || !t.Before(begin.Add(w.Duration)) {
			continue
		}
		if on := w.on(day); on == True || on == Unknown && answer == False {
			answer = on
		}
	}
	return answer
}

// on reports whether the window opens on that day.
func (w *Window) on(day time.Time) Fact {
	switch w.Every {
	case EveryDay:
		return w.every(int(day.Sub(w.From).Hours() / 24))
	case EveryWeek:
		if w.Weekday != day.Weekday() {
			return False
		}
		return w.every(int(day.Sub(w.From).Hours() / 24 / 7))
	case EveryMonth:
		if w.Day != day.Day() {
			return False
		}
		return w.every(w.months(day))
	case EveryMonthByWeekday:
		if w.Weekday != day.Weekday() {
			return False
		}
		last := day.AddDate(0, 0, 7).Month() != day.Month()
		if w.Week == LastWeek && !last || w.Week > 0 && (day.Day()-1)/7+1 != w.Week {
			return False
		}
		return w.every(w.months(day))
	}
	return Unknown
}

func (w *Window) months(day time.Time) int {
	return (day.Year()-w.From.Year())*12 + int(day.Month()) - int(w.From.Month())
}

func (w *Window) every(passed int) Fact {
	switch {
	case w.Interval <= 1:
		return True
	case w.From.IsZero():
		return Unknown
	}
	return Known(passed >= 0 && passed%w.Interval == 0)
}

// String returns the window as text: "weekly on Sunday 00:00 +00:00 for 4h".
func (w *Window) String() string {
	every := "on an unknown schedule"
	switch w.Every {
	case EveryHour:
		return w.Name + " by weekday and hour"
	case EveryDay:
		every = times(w.Interval, "day")
	case EveryWeek:
		every = times(w.Interval, "week") + " on " + w.Weekday.String()
	case EveryMonth:
		every = times(w.Interval, "month") + " on day " + strconv.Itoa(w.Day)
	case EveryMonthByWeekday:
		every = times(w.Interval, "month") + " on the " + map[int]string{1: "first", 2: "second", 3: "third", 4: "fourth", LastWeek: "last"}[w.Week] + " " + w.Weekday.String()
	}
	return fmt.Sprintf("%s %s at %02d:%02d %s for %d hours", w.Name, every, int(w.Start.Hours()), int(w.Start.Minutes())%60,
		time.Time{}.In(w.Zone).Format("-07:00"), int(w.Duration.Hours()))
}

func times(n int, unit string) string {
	if n <= 1 {
		return "every " + unit
	}
	return fmt.Sprintf("every %d %ss", n, unit)
}
