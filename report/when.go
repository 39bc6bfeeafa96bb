package report

import (
	"time"

	"github.com/nodetriage/nodetriage/wording"
)

// moment prints an instant; on the day of the report its time says all.
func moment(t, now *time.Time) string {
	if now != nil && t.UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly) {
		return t.UTC().Format("15:04:05Z")
	}
	return wording.Instant(*t)
}

// lasting prints since when something is so, how long that is, and when it was seen last, as far as that is known.
func lasting(since, last, now *time.Time) string {
	out := began(since, now)
	if since != nil && now != nil && now.Sub(*since) >= time.Second {
		out += " (" + wording.Duration(now.Sub(*since)) + ")"
	}
	return joined(", ", out, seen(since, last, now))
}

// began prints since when something is so.
func began(since, now *time.Time) string {
	if since == nil {
		return ""
	}
	return "since " + moment(since, now)
}

// seen prints when something was seen last, unless that is when it began.
func seen(since, last, now *time.Time) string {
	if last == nil || since != nil && last.Sub(*since).Abs() < time.Second {
		return ""
	}
	return "last seen " + moment(last, now)
}

// fromTo prints from when to when something was so, as far as that is known.
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
