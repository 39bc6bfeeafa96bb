package endings

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// NetworkManagerRestarted ends what a network manager does to the devices of others where it was started after it: what its
// configuration makes it do it does again at each start, and says so.
var NetworkManagerRestarted = &triage.Ending{
	ID:     "network-manager-restarted",
	Doc:    "The network manager was started after the message, and has not done it again.",
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
		return triage.End{By: u.Name + " was started again at " + timeline.Stamp(u.Since), At: u.Since}, true
	},
}

// byManager is the head of what a network manager says.
var byManager = lazyregexp.New(`\b(systemd-networkd|NetworkManager|firewalld|dhcpcd)(?:\[\d{1,7}\])?: `)

// configures is how long a network manager may take from its start to what it does to each device.
const configures = 5 * time.Second
