package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// upgradeGates lists, for each pool, the health monitors that the cloud asks during an upgrade, and the most that they can add.
func (r *reviewer) upgradeGates() {
	gates := cloudOf[*evidence.CloudGate](r)
	r.moot = len(gates) == 0
	sizes := map[string]int{}
	for _, n := range r.s.Data().Nodes {
		_, pool := n.PoolLabel()
		sizes[pool]++
	}
	for _, pool := range slices.Sorted(maps.Keys(sizes)) {
		var monitors []string
		for _, g := range gates {
			if each, gated := g.Of(pool); gated {
				monitors = append(monitors, fmt.Sprintf("%s can add up to %s to an upgrade (%s, %s each)",
					g.Provider, wording.Duration(each*time.Duration(sizes[pool])), wording.Count(sizes[pool], "node"), wording.Duration(each)))
			}
		}
		on := evidence.Subject{Kind: "Pool", Name: pool}
		if pool == "" {
			on = evidence.ClusterSubject()
		}
		if len(monitors) > 0 {
			r.add(on, strings.Join(monitors, "; "), "kubectl get upgradegatepolicies -o yaml")
		}
	}
}
