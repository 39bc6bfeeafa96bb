package facts

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/logline"
)

// logSilence is how long a log must go on without a message before that is over: components back off for five minutes at most
// (client-go tools/record, kubelet's image and container back-off, 1.36.3), so they would have said it three times.
const logSilence = 15 * time.Minute

// restless are components that are asked for something all the time. Those that take work from a queue may wait a quarter of an hour
// before they try it again (client-go util/workqueue/default_rate_limiters.go, v0.36.3).
var restless = []logline.Speaker{logline.Proxy, logline.APIServer}

// reflects are the lines of a client that lists and watches, or wants to lead, whoever it is: it tries again within half a minute
// (client-go tools/cache/reflector.go, tools/leaderelection, v0.36.3).
var reflects = lazyregexp.New(`\breflector\.go:\d+\]|\bleaderelection\.go:\d+\]`)

// restlessSilence is logSilence for those.
const restlessSilence = 5 * time.Minute

// Quiet reports whether a log has gone on for long enough without what its writer said in a line, every pause. Who ended with the line
// tries again when it is started, for which a kubelet may wait five minutes.
func Quiet(by logline.Speaker, line string, gone, pause time.Duration) bool {
	silence := logSilence
	soon := slices.Contains(restless, by) || reflects.MatchString(line)
	if soon && logline.GravityOf(line) < logline.Fatal {
		silence = restlessSilence
	}
	return gone > max(silence, 3*pause)
}

// Hushed reports whether a log that was saved to its end has nothing more of what a message says for so long that who writes it has got
// over it or hangs, which the evidence does not tell.
func Hushed(m *evidence.Match) bool {
	return m.Silent > 0 && Quiet(m.Speaker, lastText(m), m.Silent, again(m)/3)
}
