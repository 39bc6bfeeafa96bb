package endings

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
	"github.com/nodetriage/nodetriage/wording"
)

// LogGoesOn resolves a message that its log has not repeated for longer than the writer takes to retry.
var LogGoesOn = &triage.Ending{
	ID:    "log-goes-on",
	Doc:   "The log continues without the message for longer than the retry interval of the component.",
	Texts: logs,
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		// A single message has no pause here: only its writer's silence counts (timeline.Pause is for messages that did recur).
		pause := max(f.Span/time.Duration(max(f.Count-1, 1)), time.Duration(f.Signature.Again))
		by := fmt.Sprintf("its log continues for %s without it", wording.Duration(f.Quiet))
		if ofKernel := f.Speaker == logline.Kernel && f.Signature.Again > 0; ofKernel && f.Quiet > max(timeline.StableAfter, 3*pause) {
			return triage.End{By: by, At: f.Last}, true // the kernel repeats it as long as it lasts
		}
		mayEnd := f.Rebooted || !lasting(p, f) // a state that lasts until reboot is reported once
		return triage.End{By: by, At: f.Last}, mayEnd && timeline.Quiet(f.Speaker, timeline.LastText(f.Match), f.Quiet, pause)
	},
}
