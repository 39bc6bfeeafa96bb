package facts

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// WhoseUpgrade tells, for an upgrade that began then, whether the cloud's own schedule began it: in a maintenance window,
// with a channel that upgrades by itself. "" if nothing tells.
func WhoseUpgrade(p *triage.Pass, began time.Time) (words string, refs []evidence.Ref) {
	c := CloudCluster(p)
	if c == nil || began.IsZero() {
		return "", nil
	}
	channel, automatic := c.ImageChannel, c.RenewsImages == evidence.True
	windows := 0
	for _, r := range Resources[*evidence.CloudWindow](p) {
		w := r.Opens
		if w == nil {
			continue
		}
		windows++
		if w.Holds(began) == evidence.True && automatic && !strings.EqualFold(w.Name, "default") {
			return "; it began inside of the maintenance window " + w.String() + ", node OS channel " + channel, []evidence.Ref{CloudRef(r, "window", w.String())}
		}
	}
	switch {
	case !automatic:
		return "", nil
	case windows == 0:
		p.Unknown("whether AKS announced the upgrade", "its notifications were not read, and no maintenance window is known",
			Cloud(p).Command(advice.ShowAnnounced, c.Name))
		return "; node OS channel " + channel + " begins upgrades by itself, and no maintenance window is known that would say when", []evidence.Ref{CloudRef(c, "nodeOSUpgradeChannel", channel)}
	}
	return "; node OS channel " + channel + ", but it began outside of the maintenance windows: somebody began it, or it is urgent", nil
}
