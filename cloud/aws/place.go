package aws

import (
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// ofZones are the characters that names of zones consist of.
const ofZones = "abcdefghijklmnopqrstuvwxyz0123456789-"

// Place reads the provider id of a node: aws:///zone/instance.
func (Decoder) Place(providerID string) (cloud.Place, bool) {
	id, ok := strings.CutPrefix(providerID, "aws:///")
	if !ok {
		return cloud.Place{}, false
	}
	zone, instance, _ := strings.Cut(id, "/")
	return cloud.Place{Zone: zone, Number: instance}, true
}

// Asking fills the command that lists the machines; EC2 knows neither clusters nor pools.
func (d Decoder) Asking(about cloud.Scope) (ask cloud.Asking, ok bool) {
	for _, id := range about.ProviderIDs {
		if p, known := d.Place(id); known {
			// a zone is its region and a letter
			if len(p.Zone) > 1 && strings.Trim(p.Zone, ofZones) == "" {
				ask.Machines = shell.Format("aws ec2 describe-instances --region {region} --output json", strings.TrimRight(p.Zone, "abcdef"))
			}
			return ask, true
		}
	}
	return cloud.Asking{}, false
}
