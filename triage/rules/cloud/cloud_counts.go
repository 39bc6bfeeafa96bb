package cloud

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// joinTime is how long a machine may take from its creation to its Node object: the service limits the bootstrap to 16 minutes.
const joinTime = 20 * time.Minute

// Counts compares the desired count of a pool with its scale set and its nodes: different counts, and machines that never became
// nodes.
var Counts = &triage.Rule{
	ID:    "cloud-counts",
	Doc:   "Compares the node count of a pool with the capacity of its scale set, and the VMs with the nodes.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.CloudState},
	Check: func(p *triage.Pass) {
		for _, set := range facts.Resources[*evidence.CloudSet](p) {
			name, capacity := set.Pool, set.Capacity.Value
			if name == "" || !set.Capacity.Known {
				continue
			}
			pool := facts.CloudPool(p, name)
			if pool == nil {
				p.Unknown("whether the scale set "+set.Name+" has as many VMs as its pool specifies", "the pool was not read", facts.Cloud(p).Command(advice.ShowPool))
				continue
			}
			if !pool.Count.Known {
				continue
			}
			wanted := pool.Count.Value
			subject := evidence.Subject{Kind: "Pool", Name: name}
			if wanted == capacity || facts.Changing(&pool.CloudItem) || pool.Autoscaling == evidence.True {
				p.RuleOut("cloud-pool-count-differs", subject, fmt.Sprintf("the pool and its scale set agree: %d and %d VMs", wanted, capacity))
				continue
			}
			p.Found(triage.Claim{
				Says: "cloud-pool-count-differs", Subject: subject, Certainty: triage.Certain, Fill: map[string]string{"pool": name},
				Summary:  fmt.Sprintf("pool %s specifies %s, but its scale set has %d: the scale set was changed outside of AKS", name, wording.Count(wanted, "VM"), capacity),
				Evidence: []evidence.Ref{facts.CloudRef(pool, "count", strconv.Itoa(wanted)), facts.CloudRef(set, "capacity", strconv.Itoa(capacity))},
			})
		}
		unregistered(p)
		failedAmong(p)
	},
}

// unregistered finds running machines without a node.
func unregistered(p *triage.Pass) {
	if p.Snapshot.Covers(evidence.Nodes) != evidence.Complete {
		return
	}
	byNode, _ := facts.Machines(p)
	for _, host := range facts.SortedKeys(byNode) {
		m := byNode[host]
		host = cmp.Or(strings.ToLower(m.Host), host)
		age, known := p.Age(m.Created)
		if m.AwaitsNode == evidence.True { // its own object shows more
			continue
		}
		young := known && age < joinTime
		if young || m.Joins != evidence.True || stopped(m) || p.Snapshot.Node(host) != nil {
			continue
		}
		p.Found(triage.Claim{
			Says: "node-not-registered", Subject: evidence.NodeSubject(host), Key: "machine",
			Summary:  "the VM exists, but the cluster has no node for it",
			Evidence: []evidence.Ref{facts.CloudRef(m, "instance", "power "+facts.OrUnknown(m.Power)+", provisioning "+facts.OrUnknown(m.State))},
		})
	}
}

// failedAmong finds pools whose scale sets count failed machines without an instance view, because there are too many.
func failedAmong(p *triage.Pass) {
	seen := map[string]int{}
	for _, m := range facts.Resources[*evidence.CloudMachine](p) {
		if m.Failed() {
			seen[m.Set]++
		}
	}
	for _, set := range facts.Resources[*evidence.CloudSet](p) {
		all := set.Counted()
		if n := set.States[evidence.StageFailed] - seen[strings.ToLower(set.ID)]; n > 0 && set.ID != "" {
			p.Unknown(fmt.Sprintf("which %d of the %d VMs of %s failed, and why", n, all, set.Name), "the scale set reports only the number; the VMs were not read",
				facts.Cloud(p).Command(advice.ShowFailed, set.Name))
			if set.Pool == "" {
				continue
			}
			p.Found(triage.Claim{
				Says: "cloud-vm-failed", Subject: evidence.Subject{Kind: "Pool", Name: set.Pool}, Certainty: triage.Likely, Key: "machine",
				Summary:  fmt.Sprintf("%d of the %d VMs of scale set %s failed", n, all, set.Name),
				Evidence: []evidence.Ref{facts.CloudRef(set, "machines", fmt.Sprintf("%d of %d failed", n, all))},
			})
		}
	}
}
