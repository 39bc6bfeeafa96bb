package timeline

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// EventSilence is after how long without a repetition an event is over: client-go lets one event of a kind through in five
// minutes (tools/record/events_cache.go, v0.36.3), and no component backs off for longer than that. Twice it is silence.
const EventSilence = 11 * time.Minute

// LogSilence is how long a log must go on without a message before that is over: components back off for five minutes at most
// (client-go tools/record, kubelet's image and container back-off, 1.36.3), so they would have said it three times.
const LogSilence = 15 * time.Minute

// restless are components that are asked for something all the time. Those that take work from a queue may wait a quarter of an hour
// before they try it again (client-go util/workqueue/default_rate_limiters.go, v0.36.3).
var restless = []logline.Speaker{logline.Proxy, logline.APIServer}

// reflects are the lines of a client that lists and watches, or wants to lead, whoever it is: it tries again within half a minute
// (client-go tools/cache/reflector.go, tools/leaderelection, v0.36.3).
var reflects = lazyregexp.New(`\breflector\.go:\d+\]|\bleaderelection\.go:\d+\]`)

// restlessSilence is LogSilence for those.
const restlessSilence = 5 * time.Minute

// Quiet reports whether a log has gone on for long enough without what its writer said in a line, every pause. Who ended with the line
// tries again when it is started, for which a kubelet may wait five minutes.
func Quiet(by logline.Speaker, line string, gone, pause time.Duration) bool {
	silence := LogSilence
	soon := slices.Contains(restless, by) || reflects.MatchString(line)
	if soon && logline.GravityOf(line) < logline.Fatal {
		silence = restlessSilence
	}
	return gone > max(silence, 3*pause)
}

// Settled is how long, at the least, a component must run before it counts as one that stays up: most that fail do so within a minute.
const Settled = 2 * time.Minute

// Again is after how long without a message that what brings it about would have brought it once more: three of its pauses.
func Again(m *evidence.Match) time.Duration {
	return max(Settled, 3*m.Span/time.Duration(max(m.Count-1, 1)))
}

// Pause is the time between two of several messages; of a single one more than any.
func Pause(m *evidence.Match) time.Duration {
	if m.Count < 2 {
		return 24 * time.Hour
	}
	return m.Span / time.Duration(m.Count-1)
}

// GoneOn is for how long after a time what was said could have been said again: as far as the log goes, or to now, the time of the
// evidence, for an event.
func GoneOn(m *evidence.Match, since, now time.Time) time.Duration {
	switch {
	case m.Event != nil && !since.IsZero() && !now.IsZero():
		return now.Sub(since)
	case m.Event != nil || m.Until.IsZero():
		return 0
	}
	return m.Until.Sub(since)
}
