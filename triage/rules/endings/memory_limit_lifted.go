package endings

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// MemoryLimitLifted resolves OOM kills of a unit at its memory limit, if it was started since and no longer has a limit. With the
// limit it will happen again.
var MemoryLimitLifted = &triage.Ending{
	ID:     "memory-limit-lifted",
	Doc:    "The unit that was killed at its memory limit has been restarted without a limit.",
	Ends:   []string{"unit-memory"},
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.NodeReports},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		name := f.Captures["unit"]
		if name == "" || strings.HasSuffix(name, ".slice") {
			return triage.End{}, false
		}
		name = strings.TrimSuffix(name, ".service") + ".service"
		u, _ := unitOf(p, f, func(u nodereport.Unit, _ *nodereport.Report) bool {
			return u.Name == name && u.Active == "active" && u.MemoryMax == 0
		})
		if u == nil {
			return triage.End{}, false
		}
		return triage.End{By: name + " has been running without a memory limit since " + timeline.Stamp(u.Since), At: u.Since}, true
	},
}
