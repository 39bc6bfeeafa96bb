package cloud

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/rules/facts"
	"github.com/nodetriage/nodetriage/triage"
)

// Room tells before the next upgrade whether the pool's subnet has addresses for the surge.
var Room = &triage.Rule{
	ID:    "cloud-room",
	Doc:   "Compares the free addresses of a pool's subnet with what the surge of an upgrade needs.",
	Needs: []evidence.Kind{evidence.CloudState},
	Check: func(p *triage.Pass) {
		free, ref := map[string]int{}, map[string]evidence.Ref{}
		for _, s := range facts.Resources(p, "subnet") {
			used, err1 := strconv.Atoi(s.Properties["currentValue"])
			limit, err2 := strconv.Atoi(s.Properties["limit"])
			if err1 == nil && err2 == nil {
				id := strings.ToLower(s.ID)
				free[id], ref[id] = limit-used, facts.CloudRef(s, "usage", fmt.Sprintf("%d of %d addresses of %s are used", used, limit, facts.LastSegment(s.ID)))
			}
		}
		for _, pool := range facts.Resources(p, "pool") {
			id := strings.ToLower(pool.Properties["vnetSubnetID"])
			left, read := free[id]
			need := evidence.SurgeAddresses(pool, facts.CloudCluster(p))
			subject := evidence.Subject{Kind: "Pool", Name: pool.Name}
			switch {
			case id == "" || need == 0:
			case !read:
				if facts.Failed(pool) || facts.Changing(pool) {
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
				if facts.Failed(pool) {
					c.Severity = ""
				}
				p.Found(c)
			}
		}
	},
}
