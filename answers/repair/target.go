package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// target is the target of a change, with its state in the cluster and in the cloud.
type target struct {
	s     *evidence.Snapshot
	opt   Options
	st    cloud.Standing
	nodes []*evidence.Node // of the target
	pool  string           // of the machine
}

// find finds the nodes of the target: one, those of a pool, or all.
func (r *target) find() {
	switch r.opt.Subject.Kind {
	case "Node":
		if n := r.s.Node(r.opt.Subject.Name); n != nil {
			r.nodes = []*evidence.Node{n}
			_, r.pool = n.PoolLabel()
		}
	case "Pool":
		r.nodes = r.ofPool(r.opt.Subject.Name)
	default:
		r.nodes = r.s.Data().Nodes
	}
}

func (r *target) ofPool(pool string) []*evidence.Node {
	var out []*evidence.Node
	for _, n := range r.s.Data().Nodes {
		if _, p := n.PoolLabel(); p == pool && pool != "" {
			out = append(out, n)
		}
	}
	return out
}

// onMachine reports whether the change is made to one machine without its pool.
func (r *target) onMachine() bool {
	return slices.Contains([]cloud.Verb{cloud.Refresh, cloud.Reimage, cloud.Restart, cloud.Redeploy, cloud.Start}, r.opt.Action)
}

// unit returns the pool or cluster that is changed, or nil.
func (r *target) unit() *cloud.Unit {
	if r.st.Pool != nil {
		return r.st.Pool
	}
	if r.st.Cluster.ID == "" {
		return nil
	}
	return &r.st.Cluster
}

func (r *target) state() string {
	switch m, u := r.st.Machine, r.unit(); {
	case m != nil:
		return strings.TrimSpace(m.Provisioning + " " + m.Power)
	case u != nil && u.Error != "":
		return u.Provisioning + " (" + u.Error + ")"
	case u != nil:
		return u.Provisioning
	}
	return r.saved()
}

// saved returns the state of the target in the evidence, for a plan without a query to the cloud.
func (r *target) saved() string {
	if r.opt.Subject.Kind == "Node" {
		if m := r.vm(); m != nil {
			return strings.TrimSpace(m.Provisioning + " " + m.Power)
		}
		return ""
	}
	for _, x := range r.s.Data().CloudResources {
		if r.isTarget(x) {
			return x.Item().State
		}
	}
	return ""
}

// isTarget reports whether the resource of the cloud is the pool or the cluster that is repaired.
func (r *target) isTarget(x evidence.CloudResource) bool {
	switch x := x.(type) {
	case *evidence.CloudCluster:
		return r.opt.Subject.Kind != "Pool"
	case *evidence.CloudPool:
		return r.opt.Subject.Kind == "Pool" && x.Name == r.opt.Subject.Name
	}
	return false
}

// vm returns the VM of the target: as the cloud reports it, or as the evidence shows it. It is nil if both are missing.
func (r *target) vm() *cloud.Machine {
	if r.st.Machine != nil || len(r.nodes) != 1 || r.opt.Subject.Kind != "Node" {
		return r.st.Machine
	}
	m := r.s.MachineOf(r.nodes[0])
	if m == nil {
		return nil
	}
	return &cloud.Machine{Name: m.Name, ID: m.ID, Instance: m.Number, Provisioning: m.State, Power: m.Power, Latest: m.Latest}
}

// counts: a reconcile scales the machines to the count of the pool, even if that was bypassed.
func (r *target) counts() *Gate {
	if r.opt.Action != cloud.Reconcile {
		return nil
	}
	g := &Gate{Name: GateCounts, State: Passed, Why: "the node counts of pools, scale sets and nodes agree"}
	pools := r.st.Pools
	if r.opt.Subject.Kind == "Pool" && r.st.Pool != nil {
		pools = []cloud.Unit{*r.st.Pool}
	}
	for _, p := range pools {
		nodes := len(r.ofPool(p.Name))
		switch {
		case p.Autoscaling || p.Power == "Stopped":
		case p.Count < 0 || r.s.Covers(evidence.Nodes) != evidence.Complete:
			g.State, g.Why = Unjudged, "the VM or node count of pool "+p.Name+" could not be read"
		case p.Capacity >= 0 && p.Capacity != p.Count:
			g.State, g.Why = Refused, fmt.Sprintf("pool %s specifies %d nodes, but its scale set has %d VMs: a reconcile would create or delete VMs", p.Name, p.Count, p.Capacity)
			g.How = "nodetriage repair scale-pool with the correct count"
			return g
		case nodes != p.Count:
			g.State, g.Why = Refused, fmt.Sprintf("pool %s specifies %s, but the cluster has %s of it", p.Name, wording.Count(p.Count, "VM"), wording.Count(nodes, "node"))
			g.How = "find the reason with nodetriage diagnose, then use delete-machine or scale-pool"
			return g
		}
	}
	return g
}

// upgradePending reports whether a node of the target still waits for an upgrade.
func (r *target) upgradePending() bool {
	for _, p := range r.st.Pools {
		if p.Pending && (r.st.Pool == nil || p.Name == r.st.Pool.Name) {
			return true
		}
	}
	images := map[string]string{}
	for _, n := range r.nodes {
		_, pool := n.PoolLabel()
		image := n.Labels[evidence.LabelNodeImage]
		if n.Labels[evidence.LabelUpgradeStatus] != "" || images[pool] != "" && image != "" && images[pool] != image {
			return true
		}
		if image != "" {
			images[pool] = image
		}
	}
	return false
}

func (r *target) about(f triage.Finding) bool {
	return f.Subject == r.opt.Subject || slices.Contains(f.Subjects, r.opt.Subject)
}
