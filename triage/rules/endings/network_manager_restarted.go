package endings

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// NetworkManagerRestarted resolves a network manager's changes to devices of others, if it was started after them. What its
// configuration causes would happen again, and be logged, at each start.
var NetworkManagerRestarted = &triage.Ending{
	ID:     "network-manager-restarted",
	Doc:    "The network manager was restarted after the message, and it did not recur.",
	Ends:   []string{"host-network-setup"},
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.NodeReports},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		by := byManager.FindStringSubmatch(timeline.LastText(f.Match))
		if by == nil {
			return triage.End{}, false
		}
		u, _ := unitOf(p, f, func(u nodereport.Unit, r *nodereport.Report) bool {
			return u.Name == by[1]+".service" && u.Active == "active" && r.TakenAt.Sub(u.Since) > configures
		})
		if u == nil {
			return triage.End{}, false
		}
		return triage.End{By: u.Name + " was restarted at " + timeline.Stamp(u.Since), At: u.Since}, true
	},
}

// byManager matches the start of a message from a network manager.
var byManager = lazyregexp.New(`\b(systemd-networkd|NetworkManager|firewalld|dhcpcd)(?:\[\d{1,7}\])?: `)

// configures is how long after its start a network manager may take to configure each device.
const configures = 5 * time.Second
