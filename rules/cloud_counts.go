package rules

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// joinTime is how long a machine may take from its creation to its node: AKS gives the bootstrap 16 minutes.
const joinTime = 20 * time.Minute

// cloudCounts compares what a pool wants, what its scale set has, and what joined: counts that differ, and machines that
// never became nodes.
var cloudCounts = &triage.Rule{
	ID:    "cloud-counts",
	Doc:   "Compares the count of a pool with the capacity of its scale set, and its machines with the nodes.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, set := range resources[*evidence.CloudSet](p) {
			name, capacity := set.Pool, set.Capacity.Value
			if name == "" || !set.Capacity.Known {
				continue
			}
			pool := cloudPool(p, name)
			if pool == nil {
				p.Unknown("whether the scale set "+set.Name+" has as many machines as its pool wants", "the pool was not read", "az aks nodepool show")
				continue
			}
			if !pool.Count.Known {
				continue
			}
			wanted := pool.Count.Value
			subject := evidence.Subject{Kind: "Pool", Name: name}
			if wanted == capacity || changing(&pool.CloudItem) || pool.Autoscaling == evidence.True {
				p.RuleOut("cloud-pool-count-differs", subject, fmt.Sprintf("the pool wants %d, its scale set has %d", wanted, capacity))
				continue
			}
			p.Found(triage.Claim{
				Says: "cloud-pool-count-differs", Subject: subject, Confidence: triage.Certain, Fill: map[string]string{"pool": name},
				Summary:  fmt.Sprintf("pool %s wants %s, but its scale set has %d: somebody changed it past AKS", name, count(wanted, "machine"), capacity),
				Evidence: []evidence.Ref{cloudRef(pool, "count", strconv.Itoa(wanted)), cloudRef(set, "capacity", strconv.Itoa(capacity))},
			})
		}
		unregistered(p)
		failedAmong(p)
	},
}

// unregistered finds machines that run and are no nodes.
func unregistered(p *triage.Pass) {
	if p.Snapshot.Covers(evidence.Nodes) != evidence.Complete {
		return
	}
	byNode, _ := machines(p)
	for _, host := range sortedKeys(byNode) {
		m := byNode[host]
		age, known := p.Age(m.Created)
		if p.Snapshot.Node(host) != nil || !strings.HasPrefix(host, "aks") || m.Up.Off() || m.Up == evidence.PowerEnded || known && age < joinTime {
			continue
		}
		p.Found(triage.Claim{
			Says: "node-not-registered", Subject: evidence.NodeSubject(host), Key: "machine",
			Summary:  "the cloud has the machine, the cluster has no such node",
			Evidence: []evidence.Ref{cloudRef(m, "instance", "power "+orUnknown(m.Power)+", provisioning "+orUnknown(m.State))},
		})
	}
}

// failedAmong names the scale sets that count machines as failed of which no view was read: they have too many.
func failedAmong(p *triage.Pass) {
	seen := map[string]int{}
	for _, m := range resources[*evidence.CloudMachine](p) {
		if m.Failed() {
			seen[m.Set]++
		}
	}
	for _, set := range resources[*evidence.CloudSet](p) {
		all := set.Counted()
		if n := set.States[evidence.StageFailed] - seen[strings.ToLower(set.ID)]; n > 0 && set.ID != "" {
			p.Unknown(fmt.Sprintf("which %d of the %d machines of %s failed, and why", n, all, set.Name), "the scale set counts them as failed, and they were not read one by one",
				"az vmss list-instances --expand instanceView -g <node-resource-group> -n "+set.Name+" --query \"[?provisioningState=='Failed']\"")
		}
	}
}

// changing reports whether an operation on the pool or cluster may be under way: counts differ meanwhile.
func changing(r *evidence.CloudItem) bool { return r.Changing() || r.Stage == evidence.StageUnknown }
