package cloud

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Room checks whether the pool's subnet has free addresses for the surge of the next upgrade.
var Room = &triage.Rule{
	ID:    "cloud-room",
	Doc:   "Compares the free addresses of a pool's subnet with the addresses that the surge nodes of an upgrade need.",
	Needs: []evidence.Kind{evidence.CloudState},
	Check: func(p *triage.Pass) {
		free, ref := map[string]int{}, map[string]evidence.Ref{}
		for _, s := range facts.Resources[*evidence.CloudSubnet](p) {
			id := strings.ToLower(cmp.Or(s.ID, s.Name))
			left := s.Free()
			if before, read := free[id]; left.Known && (!read || left.Value < before) {
				free[id], ref[id] = left.Value, facts.CloudRef(s, "usage", fmt.Sprintf("%d of %d addresses of %s are used", s.Used.Value, s.Limit.Value, cmp.Or(facts.LastSegment(s.ID), s.Name)))
			}
		}
		for _, pool := range facts.Resources[*evidence.CloudPool](p) {
			id := strings.ToLower(pool.Subnet)
			left, read := free[id]
			need := pool.SurgeAddresses(facts.CloudCluster(p))
			subject := evidence.Subject{Kind: "Pool", Name: pool.Name}
			summary := fmt.Sprintf("the subnet of pool %s has %d free IP addresses; the surge of an upgrade needs %d", pool.Name, max(left, 0), need)
			if need == 0 && pool.Failed() && read && left <= 0 { // how many addresses the surge needs is unknown
				need, summary = 1, "the subnet of pool "+pool.Name+" has no free IP address for another node"
			}
			switch {
			case id == "" || need == 0:
			case !read:
				if pool.Failed() || facts.Changing(&pool.CloudItem) {
					p.Unknown("whether the subnet of pool "+pool.Name+" has free IP addresses", "its usage was not read",
						facts.Cloud(p).Command(advice.ShowSubnet, pool.Subnet))
				}
			case left >= need:
				p.RuleOut("cloud-subnet-full", subject, fmt.Sprintf("its subnet has %d free IP addresses; the surge of an upgrade needs %d", left, need))
			default:
				c := triage.Claim{
					Says: "cloud-subnet-full", Subject: subject, Certainty: triage.Likely, Key: "usage", Severity: catalog.Warning, Fill: map[string]string{"pool": pool.Name},
					Summary: summary, Evidence: []evidence.Ref{ref[id]},
				}
				if pool.Failed() {
					c.Severity = ""
				}
				p.Found(c)
			}
		}
		for _, pool := range unexplained(p) {
			if pool.Subnet == "" {
				perhaps(p, pool, free, ref)
			}
		}
	},
}

// perhaps claims full subnets if the subnet of the failed pool is unknown.
func perhaps(p *triage.Pass, pool *evidence.CloudPool, free map[string]int, ref map[string]evidence.Ref) {
	for _, id := range facts.SortedKeys(free) {
		if free[id] > 0 {
			continue
		}
		p.Found(triage.Claim{
			Says: "cloud-subnet-full", Subject: about(pool), Certainty: triage.Possible, Key: "usage",
			Evidence: []evidence.Ref{ref[id]}, Fill: map[string]string{"pool": pool.Name},
			Summary: canBeWhy(pool, ", if it uses this subnet") + ref[id].Text,
		})
	}
}
