package facts

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// byManager is the head of what a network manager says.
var byManager = lazyregexp.New(`\b(systemd-networkd|NetworkManager|firewalld|dhcpcd)(?:\[\d{1,7}\])?: `)

// managerAnew reports whether a report of the node shows that the network manager which said something was started after it. What its
// configuration makes it do it does again at each start, and says so.
func managerAnew(p *triage.Pass, m *evidence.Match) (ending, bool) {
	sig := p.Signatures.Lookup(m.Signature)
	node := NodeOf(p.Snapshot, m.Subject)
	if sig == nil || sig.Says != "host-network-manager-conflict" || node == "" || m.Last.IsZero() {
		return ending{}, false
	}
	by := byManager.FindStringSubmatch(lastText(m))
	for _, r := range p.Snapshot.Reports(node) {
		for _, u := range r.Units {
			if by != nil && u.Name == by[1]+".service" && u.Active == "active" && u.Since.After(m.Last) && r.TakenAt.Sub(u.Since) > configures {
				return ending{u.Name + " was started again at " + stamp(u.Since), u.Since}, true
			}
		}
	}
	return ending{}, false
}

// configures is how long a network manager may take from its start to what it does to each device.
const configures = 5 * time.Second

// lostCarrier is what kernel and network managers say of a device whose cable is not connected.
var lostCarrier = lazyregexp.New(`\b([a-z][\w.-]{1,14}): (?:Lost carrier|carrier lost|(?:NIC )?Link is Down)`)

// carrierBack reports whether a report of the node that was made after a device had lost its carrier shows it up.
func carrierBack(p *triage.Pass, m *evidence.Match) (ending, bool) {
	lost := lostCarrier.FindStringSubmatch(lastText(m))
	node := NodeOf(p.Snapshot, m.Subject)
	if lost == nil || node == "" || m.Last.IsZero() {
		return ending{}, false
	}
	for _, r := range p.Snapshot.Reports(node) {
		if r.TakenAt.After(m.Last) && slices.ContainsFunc(r.Links, func(l nodereport.Link) bool { return l.Name == lost[1] && l.State == "UP" }) {
			return ending{lost[1] + " is up", r.TakenAt}, true
		}
	}
	return ending{}, false
}
