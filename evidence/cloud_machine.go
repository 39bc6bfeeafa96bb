package evidence

import (
	"time"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// CloudMachine is one virtual machine, or a part of its data: state and instance view may be in two answers.
type CloudMachine struct {
	CloudItem
	Host             string         // host name, which is the node name, in lower case; empty: unknown
	Set              string         // ID of its scale set in lower case; empty: none, or unknown
	Number           string         // instance ID in its set; empty: unknown
	Inside           string         // the guest process that answers the cloud: "cloud agent"
	Answer           string         // its state in the cloud: "Not Ready"; empty: unknown
	AnswerAt         string         // field of the answer with that state
	ProbeFails       bool           // the application health probe fails
	Joins            Fact           // it should be a node of the cluster
	AwaitsNode       Fact           // its object shows that its node does not exist yet
	TakenBack        Fact           // the cloud reports that it preempted the machine
	Answers          Fact           // the guest agent answers; Unknown also for an unknown state
	Latest           Fact           // it has the current model of its scale set
	Spot             Fact           // the cloud may preempt it
	FailedDisks      []string       // names of disks whose attach or detach failed
	FailedExtensions []string       // names of failed extensions
	Extensions       []CloudProgram // extensions with their results; nil: unknown
	Group            string         // its resource group; empty: unknown
	Size             string         // VM size; empty: unknown
	Image            string         // image of its OS disk; empty: unknown
	Zone             string         // empty: none, or unknown
	// Names are the placeholders that select it in cloud commands, if its ID is unknown.
	Names       map[string]string
	Created     time.Time      // zero: unknown
	Ago         *time.Duration // its age when the text was printed; nil: the text has no ages
	Deleted     time.Time      // time of the deletion request, if it is still in progress; zero: none, or unknown
	ReadInstead shell.Text     // command that shows the boot log; empty: unknown
}

// CloudProgram is an extension in a machine.
type CloudProgram struct {
	Name  string `json:"name"`
	State string `json:"state"` // state of the cloud: "succeeded"; empty: unknown
}

// CloudSize is a VM size and its restrictions for this subscription.
type CloudSize struct {
	CloudItem
	Family          string     // quota that counts its cores; empty: unknown
	Cores           CloudCount // per machine
	Refused         string     // restriction in the region, as the cloud names it; empty: none
	RefusedZones    []string   // zones with a restriction
	RefusedZonesWhy string     // reason of the cloud for these zones
}

// CloudQuota is a usage limit of a subscription.
type CloudQuota struct {
	CloudItem
	Used            CloudCount // in the unit of the quota: cores, addresses
	Limit           CloudCount // in the same unit
	PublicAddresses bool       // it counts public addresses
	AllCores        bool       // it counts all cores of the region
	Family          string     // VM family, as in CloudPool; empty: none
}

// CloudSubnet is a subnet of nodes or pods.
type CloudSubnet struct {
	CloudItem
	Used  CloudCount // addresses
	Limit CloudCount // addresses
}

// Free returns the remaining quota. It is unknown unless both numbers are known.
func (r *CloudQuota) Free() CloudCount { return left(r.Used, r.Limit) }

// Free returns the free addresses of the subnet. It is unknown unless both numbers are known.
func (r *CloudSubnet) Free() CloudCount { return left(r.Used, r.Limit) }

func left(used, limit CloudCount) CloudCount {
	if !used.Known || !limit.Known {
		return CloudCount{}
	}
	return CountOf(limit.Value - used.Value)
}

// CloudRouteTable has the default route of a network.
type CloudRouteTable struct {
	CloudItem
	DefaultRoute string // next hop of the default route, as the cloud names it; empty: unknown
	Drops        bool   // the next hop drops packets
	ToAppliance  bool   // the next hop is a firewall or another virtual appliance
}

// CloudRequired has egress endpoints that a cluster requires.
type CloudRequired struct {
	CloudItem
	Category  string   // category of the cloud; empty: unknown
	Endpoints []string // host:port; a host may start with a star
}
