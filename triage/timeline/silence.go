package timeline

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// EventSilence is how long after its last occurrence an event is resolved. client-go sends one event of a kind every five minutes
// (tools/record/events_cache.go, v0.36.3), and no component backs off for longer. Twice that is silence.
const EventSilence = 11 * time.Minute

// LogSilence is how long a log must continue without a message until the message is resolved. Components back off for at most five
// minutes (client-go tools/record, kubelet's image and container back-off, 1.36.3), so they would have logged it three times.
const LogSilence = 15 * time.Minute

// restless are components that receive requests all the time. Components with a work queue may wait 15 minutes before a retry
// (client-go util/workqueue/default_rate_limiters.go, v0.36.3).
var restless = []logline.Speaker{logline.Proxy, logline.APIServer}

// reflects matches lines of a client that lists and watches, or takes part in leader election. It retries within 30 s (client-go
// tools/cache/reflector.go, tools/leaderelection, v0.36.3).
var reflects = lazyregexp.New(`\breflector\.go:\d+\]|\bleaderelection\.go:\d+\]`)

// restlessSilence is LogSilence for restless components and such clients.
const restlessSilence = 5 * time.Minute

// If the pauses of a message are longer than any back-off, the failures are separate, and the component worked between them. After
// this time, the last failure is over.
const (
	longestSilence         = 12 * time.Hour
	longestRestlessSilence = time.Hour
)

// Quiet reports whether a log has continued long enough without a line that its writer logs every pause. A program that exited with
// the line retries only after a restart, which may take a kubelet five minutes.
func Quiet(by logline.Speaker, line string, gone, pause time.Duration) bool {
	silence, longest := LogSilence, longestSilence
	soon := slices.Contains(restless, by) || reflects.MatchString(line)
	if soon && logline.GravityOf(line) < logline.Fatal {
		silence, longest = restlessSilence, longestRestlessSilence
	}
	return gone > max(silence, min(3*pause, longest))
}

// StableAfter is how long a component must run at least to count as stable: most failing ones exit within a minute.
const StableAfter = 2 * time.Minute

// Again returns how long after a message its problem would have caused it again: three of its pauses.
func Again(m *evidence.Match) time.Duration {
	return max(StableAfter, 3*m.Span/time.Duration(max(m.Count-1, 1)))
}

// Pause returns the mean time between repeated messages, or for a single message more than any.
func Pause(m *evidence.Match) time.Duration {
	if m.Count < 2 {
		return 24 * time.Hour
	}
	return m.Span / time.Duration(m.Count-1)
}

// GoneOn returns for how long after a time the message could have come again: to the end of the log, or for an event to now, the
// time of the evidence.
func GoneOn(m *evidence.Match, since, now time.Time) time.Duration {
	switch {
	case m.Event != nil && !since.IsZero() && !now.IsZero():
		return now.Sub(since)
	case m.Event != nil || m.Until.IsZero():
		return 0
	}
	return m.Until.Sub(since)
}
