package cloud

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// askedSizes is how many sizes a targeted query returns; the list of a whole region has hundreds that an account cannot use.
const askedSizes = 5

// refusedSizes lists unavailable sizes that no pool in the evidence uses.
func refusedSizes(p *triage.Pass) {
	sizes := facts.Resources[*evidence.CloudSize](p)
	if len(sizes) > askedSizes {
		return
	}
	for _, s := range sizes {
		used := slices.ContainsFunc(facts.Resources[*evidence.CloudPool](p), func(pool *evidence.CloudPool) bool { return strings.EqualFold(pool.Size, s.Name) })
		why := s.Restricted(&evidence.CloudPool{})
		if why == "" && len(s.RefusedZones) > 0 {
			why = "not available in zones " + strings.Join(s.RefusedZones, ", ") + ": " + s.RefusedZonesWhy
		}
		if why != "" && !used {
			p.Unknown("which pools use VM size "+s.Name, "the size is "+why, facts.Cloud(p).Command(advice.ShowPool))
		}
	}
}
