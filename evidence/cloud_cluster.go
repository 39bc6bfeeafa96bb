package evidence

import "time"

// CloudCluster is a managed cluster.
type CloudCluster struct {
	CloudItem
	Version       string   // of the control plane, "1.33.2"; empty: not told
	ClosedLevel   string   // how far the group of its machines is closed to everybody but the service, in the cloud's word
	Closed        Fact     // nobody but the service may write to that group
	Account       string   // id of the account as which it acts by a password or certificate that expires; empty: none, or not told
	ActsByAccount Fact     // it acts as such an account; False: as an identity whose secrets the cloud keeps
	Identity      string   // id of the identity as which it acts; empty: not told
	Admitted      []string // ranges of addresses that alone reach its API server; empty: all do, or not told
	Outbound      string   // how its nodes go out to the internet, in the cloud's word; empty: not told
	PodsInSubnet  bool     // its pods have addresses of the nodes' subnet
	ImageChannel  string   // by which node images are renewed, in the cloud's word; empty: not told
	RenewsImages  Fact     // the cloud renews node images by itself
}

// CloudPool is a pool of a managed cluster.
type CloudPool struct {
	CloudItem
	Count          CloudCount        // machines that it wants
	Min            CloudCount        // machines that the autoscaler leaves at least
	Max            CloudCount        // machines to which the autoscaler may go
	Mode           string            // for whose pods it is, in the cloud's word: "System", "User"; empty: not told
	Priority       string            // how its machines are paid for, in the cloud's word: "Spot"; empty: not told
	System         string            // of its machines, in the cloud's word: "Ubuntu"; empty: not told
	Labels         map[string]string // that the cloud gives its nodes because somebody asked for them
	Taints         []string          // that the cloud gives its nodes: key=value:effect
	Size           string            // name of the size of its machines; empty: not told
	Family         string            // of that size, as quotas have it; empty: not told
	Cores          CloudCount        // of one machine of that size
	Account        string            // in which its cluster is; empty: not told
	Group          string            // of resources in which its cluster lies; empty: not told
	MachineGroup   string            // how the name of the group of its machines begins, where nobody chose one; empty: not told
	Image          string            // name of the node image that its nodes should have; empty: not told
	Version        string            // of the kubelets, "1.33.2"; empty: not told
	Autoscaling    Fact              // the autoscaler changes its count
	Spot           Fact              // the cloud may take its machines back
	MaxPods        CloudCount        // pods that one node may run
	Subnet         string            // id of the subnet of its nodes; empty: not told
	PodSubnet      string            // id of a subnet that its pods have for themselves; empty: none, or not told
	MaxSurge       string            // nodes that an upgrade adds: a number or a percentage, as it is set; empty: not told
	MaxUnavailable string            // nodes that an upgrade may take away: a number or a percentage, as it is set; empty: not told
	DrainTimeout   time.Duration     // how long an upgrade waits for the drain of one node; 0: not told
	Soak           time.Duration     // how long an upgrade waits after each node; 0: not at all, or not told
	Undrainable    string            // what becomes of a node that cannot be drained, in the cloud's word; empty: not told
	Zones          []string          // of its machines; empty: none, or not told
}

// CloudSet is a group of like machines, which the cloud keeps at a count.
type CloudSet struct {
	CloudItem
	Pool     string             // name of the pool whose machines these are; empty: not told
	Group    string             // of resources in which it lies; empty: not told
	Capacity CloudCount         // machines that it has
	Size     string             // name of the size of its machines; empty: not told
	Family   string             // of that size, as quotas have it; empty: not told
	Cores    CloudCount         // of one machine of that size
	States   map[CloudStage]int // how many machines are in which stage, by its own count; nil: not read
}

// Counted is how many machines a set counts in all stages together.
func (r *CloudSet) Counted() (all int) {
	for _, n := range r.States {
		all += n
	}
	return all
}

// CloudPoolUpgrade is what a pool can be upgraded to.
type CloudPoolUpgrade struct {
	CloudItem
	Pool        string // its name
	LatestImage string // name of the newest node image; empty: not told
}

// CloudSaid is that somebody says in words that a pool failed: no document shows it.
type CloudSaid struct {
	CloudItem            // its name is the pool's; empty: not told
	Size      string     // name of the size of its machines; empty: not told
	Family    string     // of that size, as quotas have it; empty: not told
	Cores     CloudCount // of one machine of that size
}

// CloudWindow is a time in which the cloud may begin what it does by itself.
type CloudWindow struct {
	CloudItem
	Opens *Window // nil: the schedule cannot be read
}
