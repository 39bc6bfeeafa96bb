package aws

import (
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// ofZones are the valid characters of zone names.
const ofZones = "abcdefghijklmnopqrstuvwxyz0123456789-"

// Place parses the provider ID of a node: aws:///zone/instance.
func (Decoder) Place(providerID string) (cloud.Place, bool) {
	id, ok := strings.CutPrefix(providerID, "aws:///")
	if !ok {
		return cloud.Place{}, false
	}
	zone, instance, _ := strings.Cut(id, "/")
	return cloud.Place{Zone: zone, Number: instance}, true
}

// Asking returns the command that lists the machines. EC2 has no clusters or pools.
func (d Decoder) Asking(about cloud.Scope) (ask cloud.Asking, ok bool) {
	for _, id := range about.ProviderIDs {
		if p, known := d.Place(id); known {
			// a zone is a region plus a letter
			if len(p.Zone) > 1 && strings.Trim(p.Zone, ofZones) == "" {
				ask.Machines = shell.Format("aws ec2 describe-instances --region {region} --output json", strings.TrimRight(p.Zone, "abcdef"))
			}
			return ask, true
		}
	}
	return cloud.Asking{}, false
}
