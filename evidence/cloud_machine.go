package evidence

import (
	"time"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// CloudMachine is one virtual machine, or a part of what is known of it: its state and the view from inside may come in two
// answers.
type CloudMachine struct {
	CloudItem
	Host             string         // name of the machine, which is its node's, in lower case; empty: not told
	Set              string         // id of the set to which it belongs, in lower case; empty: none, or not told
	Number           string         // in its set; empty: not told
	Inside           string         // what inside of the machine answers the cloud, in words: "cloud agent"
	Answer           string         // what the cloud says of it, in its word: "Not Ready"; empty: not told
	AnswerAt         string         // name of the field of the cloud's answer that tells it
	ProbeFails       bool           // an application inside of it, which the cloud was told to ask, does not answer as it should
	Joins            Fact           // it is to be a node of the cluster
	AwaitsNode       Fact           // its own object shows that its node is not there yet
	TakenBack        Fact           // the cloud took it back, by its own word
	Answers          Fact           // it answers; Unknown also for a word that is not known
	Latest           Fact           // it is as its set wants its machines now
	Spot             Fact           // the cloud may take it back
	FailedDisks      []string       // names of disks that were not attached or detached
	FailedExtensions []string       // names of the cloud's programs inside that failed
	Extensions       []CloudProgram // the cloud's programs inside, with how each ended; nil: not told
	Group            string         // of resources in which it lies; empty: not told
	Size             string         // name of its size; empty: not told
	Image            string         // from which its system disk was made; empty: not told
	Zone             string         // empty: none, or not told
	// Names are those that lead to it in commands of its cloud, where its id is not told.
	Names       map[string]string
	Created     time.Time      // zero: not told
	Ago         *time.Duration // how old it was when its text was printed; nil: the text does not show ages
	Deleted     time.Time      // when somebody asked for its deletion, which is not over; zero: nobody did, or not told
	ReadInstead shell.Text     // command that shows what the machine printed while it started; empty: none is known
}

// CloudProgram is a program of the cloud inside a machine.
type CloudProgram struct {
	Name  string `json:"name"`
	State string `json:"state"` // in the cloud's word: "succeeded"; empty: not told
}

// CloudSize is a size of machines, as this account may have it.
type CloudSize struct {
	CloudItem
	Family          string     // name of the quota that counts its cores; empty: not told
	Cores           CloudCount // of one machine
	Refused         string     // why the account cannot have it in the region, in the cloud's word; empty: it can
	RefusedZones    []string   // zones in which the account cannot have it
	RefusedZonesWhy string     // why not, in the cloud's word
}

// CloudQuota is how much of something an account may have.
type CloudQuota struct {
	CloudItem
	Used            CloudCount // in the unit of what is counted: cores, addresses
	Limit           CloudCount // in the same unit
	PublicAddresses bool       // it counts public addresses
	AllCores        bool       // it counts all cores of the region
	Family          string     // of sizes whose cores it counts, as CloudPool has it; empty: of none
}

// CloudSubnet is a subnet of nodes or pods.
type CloudSubnet struct {
	CloudItem
	Used  CloudCount // addresses
	Limit CloudCount // addresses
}

// Free is how much of the quota is left; not known unless both numbers are.
func (r *CloudQuota) Free() CloudCount { return left(r.Used, r.Limit) }

// Free is how many addresses of the subnet are left; not known unless both numbers are.
func (r *CloudSubnet) Free() CloudCount { return left(r.Used, r.Limit) }

func left(used, limit CloudCount) CloudCount {
	if !used.Known || !limit.Known {
		return CloudCount{}
	}
	return CountOf(limit.Value - used.Value)
}

// CloudRouteTable says where a network sends what leaves it.
type CloudRouteTable struct {
	CloudItem
	DefaultRoute string // where everything goes that has no other route, in the cloud's words; empty: not told
	Drops        bool   // it goes nowhere
	ToAppliance  bool   // it goes to a firewall or another machine of the network
}

// CloudRequired are addresses that a cluster must reach.
type CloudRequired struct {
	CloudItem
	Category  string   // what they are for, in the cloud's words; empty: not told
	Endpoints []string // host:port; a host may begin with a star
}
