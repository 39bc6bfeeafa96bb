package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Steps that use the cloud, for a node whose machine the cloud's readers support. Other nodes do not have them.

// cloudMachine returns the id of the node's machine in its cloud, or "".
func (j *judge) cloudMachine() string {
	if j.node == nil {
		return ""
	}
	id, ok := evidence.ManagedMachine(j.node.Spec.ProviderID)
	if !ok || !strings.HasPrefix(strings.ToLower(id), "/subscriptions/") {
		return ""
	}
	return id
}

// cloud returns the steps that use the node's cloud.
func (j *judge) cloud() []Step {
	id := j.cloudMachine()
	if id == "" {
		return nil
	}
	steps := []Step{j.machine(id)}
	if pool := j.cloudPool(); pool != "" && !j.noPools() {
		steps = append(steps, j.pool(pool))
	}
	return steps
}

// noPools reports whether the cluster uses availability sets, which have no pools.
func (j *judge) noPools() bool {
	return slices.ContainsFunc(j.Snapshot.Data().Gaps, func(g evidence.Gap) bool { return strings.Contains(g.Why, "AgentPoolAPIsNotSupported") })
}

// cloudPool returns the node's agent pool. A node of Karpenter has none.
func (j *judge) cloudPool() string {
	if j.node.Labels["karpenter.sh/nodepool"] != "" {
		return ""
	}
	return cmp.Or(j.node.Labels[evidence.LabelAgentPool], j.node.Labels["agentpool"])
}

// unread returns a step without data from the cloud, with the reason if known.
func (j *judge) unread(id, title, what string) Step {
	s := unseen(id, title, what+" was not read", advice.Default.Command(advice.SignIn)+" and verify again (the Reader role is sufficient)")
	for _, g := range j.Snapshot.Data().Gaps {
		if strings.Contains(strings.ToLower(g.What), "azure") {
			s.Detail, s.How = s.Detail+": "+g.Why, cmp.Or(g.How, s.How)
			break
		}
	}
	return s
}

// machine checks the machine in the cloud: its state, its agent, and whether it has the model of its scale set.
func (j *judge) machine(id string) Step {
	s := Step{ID: "machine", Title: "VM"}
	m := j.machineSeen(id)
	if m == nil {
		if counted, ok := j.counted(id); ok {
			return counted
		}
		return j.unread(s.ID, s.Title, "the VM's state")
	}
	ofSet := strings.Contains(strings.ToLower(id), "/virtualmachinescalesets/")
	if fault := faultOf(m); fault != "" {
		s.Result, s.Detail = NotClear, fault
		return s
	}
	seen := m.Stage != evidence.StageUnknown && m.Power != "" && m.Answer != ""
	switch {
	case m.Stage != evidence.StageUnknown && !ended(m.Stage):
		s.Result, s.Detail, s.Soon, s.How = Unknown, "an operation is in progress: "+m.State, true, "repeat in a minute"
	case !seen, ofSet && m.Latest == evidence.Unknown:
		return j.unread(s.ID, s.Title, "the VM's instance view")
	case m.Latest == evidence.False:
		s.Result, s.Detail, s.How = Warning, "it works, but does not have the latest model of its scale set", shell.Format("nodetriage repair refresh {node}", j.Node)
	case ofSet:
		s.Result, s.Detail = Clear, "Succeeded, running, VM agent Ready, latest model"
	default:
		s.Result, s.Detail = Clear, "Succeeded, running, VM agent Ready"
	}
	return s
}

// faultOf returns what is wrong with a machine according to the cloud; empty if nothing in the evidence is.
func faultOf(m *evidence.CloudMachine) string {
	switch {
	case ended(m.Stage) && m.Stage != evidence.StageDone:
		return "its state in the cloud is " + m.State
	case m.Power != "" && m.Up != evidence.PowerOn:
		return "it is " + m.Power
	case m.Answer != "" && m.Answers != evidence.True:
		return "its VM agent is " + m.Answer
	}
	return ""
}

// machineSeen merges the cloud's answers about one machine, because its state and its view may be read separately. Of different
// states, the unhealthy one counts.
func (j *judge) machineSeen(id string) *evidence.CloudMachine {
	var seen *evidence.CloudMachine
	for _, r := range evidence.CloudOf[*evidence.CloudMachine](j.Snapshot.Data()) {
		view := r.ID == "" && strings.EqualFold(r.Host, j.Node)
		if !view && !strings.EqualFold(r.ID, id) {
			continue
		}
		if seen == nil {
			seen = &evidence.CloudMachine{}
		}
		if (seen.Stage == evidence.StageUnknown || seen.Stage == evidence.StageDone) && r.Stage != evidence.StageUnknown {
			seen.State, seen.Stage = r.State, r.Stage
		}
		if seen.Power == "" {
			seen.Power, seen.Up = r.Power, r.Up
		}
		if seen.Answer == "" {
			seen.Answer, seen.Answers = r.Answer, r.Answers
		}
		seen.Latest = cmp.Or(seen.Latest, r.Latest)
	}
	return seen
}

// ended reports whether a state is final rather than transitional.
func ended(s evidence.CloudStage) bool {
	return s == evidence.StageDone || s == evidence.StageCanceled || s == evidence.StageFailed
}

// pool checks the node's pool in the cloud: its state, its number of machines, and the image of the node.
func (j *judge) pool(name string) Step {
	s := Step{ID: "pool", Title: "pool", How: shell.Format("nodetriage diagnose {node}", j.Node)}
	p := j.poolSeen(name)
	if p == nil || p.Stage == evidence.StageUnknown {
		return j.unread(s.ID, s.Title, "the state of pool "+name)
	}
	image, wants := j.node.Labels[evidence.LabelNodeImage], p.Image
	differ := j.countsDiffer(p)
	switch {
	case ended(p.Stage) && (p.Stage != evidence.StageDone || len(p.Errors) > 0):
		s.Result, s.Detail = NotClear, "pool "+name+" is "+p.State
		if n := len(p.Errors); n > 0 && p.Errors[n-1].Code != "" {
			s.Detail += ": " + p.Errors[n-1].Code
		}
	case !ended(p.Stage):
		s.Result, s.Detail, s.Soon, s.How = Unknown, "pool "+name+" is "+p.State, true, "repeat when the operation has ended"
	case differ != "":
		s.Result, s.Detail = Warning, differ
	case image != "" && wants != "" && image != wants:
		s.Result, s.Detail = Warning, "the node has image "+image+", but the pool has "+wants
	default:
		s.Result, s.Detail, s.How = Clear, "pool "+name+" is Succeeded and has the specified number of nodes", ""
	}
	return s
}

// poolSeen returns the pool as it was read separately, or else within its cluster.
func (j *judge) poolSeen(name string) *evidence.CloudPool {
	var pool *evidence.CloudPool
	for _, r := range evidence.CloudOf[*evidence.CloudPool](j.Snapshot.Data()) {
		if r.Name == name && (pool == nil || pool.ID == "") {
			pool = r
		}
	}
	return pool
}

// countsDiffer describes how the count of a pool, the machines of its scale sets and its nodes differ. The autoscaler may be
// about to change them.
func (j *judge) countsDiffer(pool *evidence.CloudPool) string {
	wants := pool.Count.Value
	if !pool.Count.Known || pool.Autoscaling == evidence.True {
		return ""
	}
	has, known := 0, false
	for _, r := range evidence.CloudOf[*evidence.CloudSet](j.Snapshot.Data()) {
		if r.Pool == pool.Name && r.Capacity.Known {
			has, known = has+r.Capacity.Value, true
		}
	}
	if known && has != wants {
		return fmt.Sprintf("pool %s specifies %d nodes, but its scale set has %d VMs", pool.Name, wants, has)
	}
	if nodes := j.sizes[pool.Name]; j.sizes != nil && nodes != wants {
		return fmt.Sprintf("pool %s specifies %d nodes, but the cluster has %d", pool.Name, wants, nodes)
	}
	return ""
}

// sizes counts the nodes of each pool; nil if not all nodes were read.
func sizes(s *evidence.Snapshot) map[string]int {
	if s.Covers(evidence.Nodes) != evidence.Complete {
		return nil
	}
	out := map[string]int{}
	for _, n := range s.Data().Nodes {
		_, pool := n.PoolLabel()
		out[pool]++
	}
	return out
}
