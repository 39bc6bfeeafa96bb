package upgrade

import (
	"fmt"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/wording"
)

// unfinished returns what shows that an upgrade of the pool has begun and not ended. "" if nothing does, or if the cloud reports
// the running upgrade.
func (u *Plan) unfinished(v *clusterview.View, p *pool) string {
	few, cordoned := clusterview.Unfinished(p.nodes)
	if u.Underway != nil || cordoned == nil {
		return ""
	}
	have := "have"
	if len(few) == 1 {
		have = "has"
	}
	return fmt.Sprintf("an upgrade is already in progress: %d of %d nodes %s a different node image (%s); %s",
		len(few), len(p.nodes), have, wording.First(few, 2), clusterview.CordonedFor(cordoned, v.Now))
}
