package upgrade

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// Gate is a health monitor that can stop the upgrade. The cloud waits for its verdict after each node.
type Gate struct {
	Provider string `json:"provider"`
	Each     int    `json:"eachSeconds"` // how long a node may wait
	Most     int    `json:"mostSeconds"` // what the monitor can add: all nodes wait that long
}

// gates finds the health monitors that gate the pool.
func (u *Plan) gates(s *evidence.Snapshot) {
	for _, g := range evidence.CloudOf[*evidence.CloudGate](s.Data()) {
		each, gated := g.Of(u.Pool)
		if !gated {
			continue
		}
		most := each * time.Duration(len(u.Nodes))
		u.Gates = append(u.Gates, Gate{g.Provider, int(each.Seconds()), int(most.Seconds())})
		u.SideEffects = append(u.SideEffects, fmt.Sprintf("health monitor %s (UpgradeGatePolicy %s) is asked about each node: it can add up to %s (%s, %s each), and stops the upgrade if it reports a node unhealthy or does not answer",
			g.Provider, g.Name, wording.Duration(most), wording.Count(len(u.Nodes), "node"), wording.Duration(each)))
	}
}
