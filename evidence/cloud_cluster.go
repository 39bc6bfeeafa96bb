package evidence

import "time"

// CloudCluster is a managed cluster.
type CloudCluster struct {
	CloudItem
	Version       string   // of the control plane, "1.33.2"; empty: unknown
	ClosedLevel   string   // node resource group restriction level of the cloud
	Closed        Fact     // only the service may write to the node resource group
	Account       string   // ID of its service principal, whose secret expires; empty: none, or unknown
	ActsByAccount Fact     // it uses a service principal; False: a managed identity
	Identity      string   // ID of its identity; empty: unknown
	Admitted      []string // authorized IP ranges of its API server; empty: all, or unknown
	Outbound      string   // outbound type of the cloud; empty: unknown
	PodsInSubnet  bool     // pods have addresses of the node subnet
	ImageChannel  string   // node image upgrade channel of the cloud; empty: unknown
	RenewsImages  Fact     // the cloud upgrades node images automatically
}

// CloudPool is a pool of a managed cluster.
type CloudPool struct {
	CloudItem
	Count          CloudCount        // desired machines
	Min            CloudCount        // minimum of the autoscaler
	Max            CloudCount        // maximum of the autoscaler
	Mode           string            // mode of the cloud: "System", "User"; empty: unknown
	Priority       string            // priority of the cloud: "Spot"; empty: unknown
	System         string            // operating system of its machines: "Ubuntu"; empty: unknown
	Labels         map[string]string // node labels in the pool configuration
	Taints         []string          // node taints in the pool configuration: key=value:effect
	Size           string            // VM size of its machines; empty: unknown
	Family         string            // quota family of that size; empty: unknown
	Cores          CloudCount        // cores per machine of that size
	Account        string            // subscription of its cluster; empty: unknown
	Group          string            // resource group of its cluster; empty: unknown
	MachineGroup   string            // prefix of the default node resource group name; empty: unknown
	Image          string            // desired node image; empty: unknown
	Version        string            // version of the kubelets, "1.33.2"; empty: unknown
	Autoscaling    Fact              // the autoscaler changes its count
	Spot           Fact              // the cloud may preempt its machines
	MaxPods        CloudCount        // maximum pods per node
	Subnet         string            // ID of the node subnet; empty: unknown
	PodSubnet      string            // ID of a separate pod subnet; empty: none, or unknown
	MaxSurge       string            // extra nodes during an upgrade, number or percentage; empty: unknown
	MaxUnavailable string            // unavailable nodes during an upgrade, number or percentage; empty: unknown
	DrainTimeout   time.Duration     // drain timeout per node during an upgrade; 0: unknown
	Soak           time.Duration     // pause after each node during an upgrade; 0: none, or unknown
	Undrainable    string            // cloud setting for nodes that cannot be drained; empty: unknown
	Zones          []string          // of its machines; empty: none, or unknown
}

// CloudSet is a group of identical machines with a desired count.
type CloudSet struct {
	CloudItem
	Pool     string             // pool of these machines; empty: unknown
	Group    string             // its resource group; empty: unknown
	Capacity CloudCount         // number of machines
	Size     string             // VM size of its machines; empty: unknown
	Family   string             // quota family of that size; empty: unknown
	Cores    CloudCount         // cores per machine of that size
	States   map[CloudStage]int // machines per stage in its instance view; nil: not read
}

// Counted returns the number of machines in all stages.
func (r *CloudSet) Counted() (all int) {
	for _, n := range r.States {
		all += n
	}
	return all
}

// CloudPoolUpgrade has the available upgrades of a pool.
type CloudPoolUpgrade struct {
	CloudItem
	Pool        string // name of the pool
	LatestImage string // newest node image; empty: unknown
}

// CloudSaid is a failed pool in a sentence of the user, without a document.
type CloudSaid struct {
	CloudItem            // Name is the pool; empty: unknown
	Size      string     // VM size of its machines; empty: unknown
	Family    string     // quota family of that size; empty: unknown
	Cores     CloudCount // cores per machine of that size
}

// CloudWindow is a maintenance window for automatic operations of the cloud.
type CloudWindow struct {
	CloudItem
	Opens *Window // nil: the schedule does not parse
}
