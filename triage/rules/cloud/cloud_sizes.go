package cloud

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// askedSizes is how many sizes somebody looks at who looks for one; a list of all of a region has hundreds that an account cannot have.
const askedSizes = 5

// refusedSizes tells of sizes that cannot be had where no pool that was read is of them.
func refusedSizes(p *triage.Pass) {
	sizes := facts.Resources[*evidence.CloudSize](p)
	if len(sizes) > askedSizes {
		return
	}
	for _, s := range sizes {
		used := slices.ContainsFunc(facts.Resources[*evidence.CloudPool](p), func(pool *evidence.CloudPool) bool { return strings.EqualFold(pool.Size, s.Name) })
		why := s.Restricted(&evidence.CloudPool{})
		if why == "" && len(s.RefusedZones) > 0 {
			why = "not to be had in zones " + strings.Join(s.RefusedZones, ", ") + ": " + s.RefusedZonesWhy
		}
		if why != "" && !used {
			p.Unknown("which pools are of size "+s.Name, "the size is "+why, facts.Cloud(p).Command(advice.ShowPool))
		}
	}
}
