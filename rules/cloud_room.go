package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// cloudRoom tells before the next upgrade whether the pool's subnet has addresses for the surge.
var cloudRoom = &triage.Rule{
	ID:  "cloud-room",
	Doc: "Compares the free addresses of a pool's subnet with what the surge of an upgrade needs.",
	Check: func(p *triage.Pass) {
		free, ref := map[string]int{}, map[string]evidence.Ref{}
		for _, s := range resources(p, "subnet") {
			used, err1 := strconv.Atoi(s.Properties["currentValue"])
			limit, err2 := strconv.Atoi(s.Properties["limit"])
			if err1 == nil && err2 == nil {
				id := strings.ToLower(s.ID)
				free[id], ref[id] = limit-used, cloudRef(s, "usage", fmt.Sprintf("%d of %d addresses of %s are used", used, limit, lastSegment(s.ID)))
			}
		}
		for _, pool := range resources(p, "pool") {
			id := strings.ToLower(pool.Properties["vnetSubnetID"])
			left, read := free[id]
			need := surgeAddresses(p, pool)
			subject := evidence.Subject{Kind: "Pool", Name: pool.Name}
			switch {
			case id == "" || need == 0:
			case !read:
				if failed(pool) || changing(pool) {
					p.Unknown("whether the subnet of pool "+pool.Name+" has room", "its usage was not read",
						"az network vnet subnet show --ids "+pool.Properties["vnetSubnetID"])
				}
			case left >= need:
				p.RuleOut("cloud-subnet-full", subject, fmt.Sprintf("its subnet has %d free addresses, the surge of an upgrade needs %d", left, need))
			default:
				c := triage.Claim{
					Says: "cloud-subnet-full", Subject: subject, Confidence: triage.Likely, Key: "usage", Severity: catalog.Warning, Fill: map[string]string{"pool": pool.Name},
					Summary:  fmt.Sprintf("the subnet of pool %s has %d free addresses; the surge of an upgrade needs %d", pool.Name, max(left, 0), need),
					Evidence: []evidence.Ref{ref[id]},
				}
				if failed(pool) {
					c.Severity = ""
				}
				p.Found(c)
			}
		}
	},
}

// surgeAddresses is what the surge nodes of an upgrade take: an address each, and with the plugin that gives pods
// addresses of the same subnet as many more as pods may run there. 0: not known.
func surgeAddresses(p *triage.Pass, pool *evidence.CloudResource) int {
	nodes, err := strconv.Atoi(pool.Properties["count"])
	if err != nil {
		return 0
	}
	surge := 1
	if share, percent := strings.CutSuffix(pool.Properties["maxSurge"], "%"); percent {
		if f, err := strconv.ParseFloat(share, 64); err == nil && f > 0 && f <= 100 {
			surge = int(math.Ceil(float64(nodes) * f / 100))
		}
	} else if n, err := strconv.Atoi(share); err == nil {
		surge = n
	}
	clusters := resources(p, "cluster")
	if len(clusters) == 0 {
		return surge
	}
	network := clusters[0].Properties
	if network["networkPlugin"] != "azure" || network["networkPluginMode"] == "overlay" || pool.Properties["podSubnetID"] != "" {
		return surge
	}
	pods, err := strconv.Atoi(pool.Properties["maxPods"])
	if err != nil {
		return surge
	}
	return surge * (1 + pods)
}
