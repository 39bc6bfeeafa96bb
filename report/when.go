package report

import (
	"time"

	"github.com/nodetriage/nodetriage/wording"
)

// moment formats an instant. On the day of the report it shows only the time.
func moment(t, now *time.Time) string {
	if now != nil && t.UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly) {
		return t.UTC().Format("15:04:05Z")
	}
	return wording.Instant(*t)
}

// lasting formats when something began, its duration, and when it was last seen, if known.
func lasting(since, last, now *time.Time) string {
	out := began(since, now)
	if since != nil && now != nil && now.Sub(*since) >= time.Second {
		out += " (" + wording.Duration(now.Sub(*since)) + ")"
	}
	return joined(", ", out, seen(since, last, now))
}

// began formats since when something is the case.
func began(since, now *time.Time) string {
	if since == nil {
		return ""
	}
	return "since " + moment(since, now)
}

// seen formats when something was last seen, unless that is when it began.
func seen(since, last, now *time.Time) string {
	if last == nil || since != nil && last.Sub(*since).Abs() < time.Second {
		return ""
	}
	return "last seen " + moment(last, now)
}

// fromTo formats when something began and ended, if known.
func fromTo(from, to, now *time.Time) string {
	switch {
	case from == nil && to == nil:
		return ""
	case from == nil:
		return "until " + moment(to, now)
	case to == nil:
		return "from " + moment(from, now)
	case to.Sub(*from).Abs() < time.Second:
		return "at " + moment(to, now)
	}
	return moment(from, now) + " - " + moment(to, now)
}
