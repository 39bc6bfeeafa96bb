package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// The steps that the cloud tells, of a node whose machine is one of Azure's. Other nodes do not have them.

// azureMachine is the id of the node's machine in Azure (cloud-provider-azure pkg/provider/azure_standard.go writes it so), or "".
func (j *judge) azureMachine() string {
	if j.node == nil {
		return ""
	}
	id, _ := strings.CutPrefix(j.node.Spec.ProviderID, "azure://")
	if id == j.node.Spec.ProviderID || !strings.HasPrefix(strings.ToLower(id), "/subscriptions/") {
		return ""
	}
	return id
}

// cloud are the steps that the node's cloud tells.
func (j *judge) cloud() []Step {
	id := j.azureMachine()
	if id == "" {
		return nil
	}
	steps := []Step{j.machine(id)}
	if pool := j.azurePool(); pool != "" && !j.noPools() {
		steps = append(steps, j.pool(pool))
	}
	return steps
}

// noPools tells that the cluster is one of availability sets: it has no pools that could be asked for.
func (j *judge) noPools() bool {
	return slices.ContainsFunc(j.Snapshot.Data().Gaps, func(g evidence.Gap) bool { return strings.Contains(g.Why, "AgentPoolAPIsNotSupported") })
}

// azurePool is the name of the node's agent pool; a node that Karpenter made has none.
func (j *judge) azurePool() string {
	if j.node.Labels["karpenter.sh/nodepool"] != "" {
		return ""
	}
	return cmp.Or(j.node.Labels["kubernetes.azure.com/agentpool"], j.node.Labels["agentpool"])
}

// unread is a step for which nothing of the cloud was read, with the reason if that is known.
func (j *judge) unread(id, title, what string) Step {
	s := unseen(id, title, what+" was not read", "az login and verify again; the role Reader is enough")
	for _, g := range j.Snapshot.Data().Gaps {
		if strings.Contains(strings.ToLower(g.What), "azure") {
			s.Detail, s.How = s.Detail+": "+g.Why, cmp.Or(g.How, s.How)
			break
		}
	}
	return s
}

// machine is what the cloud says of the machine: its state, its agent, and whether it is what its scale set wants.
func (j *judge) machine(id string) Step {
	s := Step{ID: "machine", Title: "machine"}
	m := j.machineSeen(id)
	if m == nil {
		if counted, ok := j.counted(id); ok {
			return counted
		}
		return j.unread(s.ID, s.Title, "what the cloud says of the machine")
	}
	agent, latest := m.Properties["vmAgent"], m.Properties["latestModelApplied"]
	ofSet := strings.Contains(strings.ToLower(id), "/virtualmachinescalesets/")
	switch {
	case ended(m.Provisioning) && !strings.EqualFold(m.Provisioning, "Succeeded"):
		s.Result, s.Detail = NotClear, "its state in the cloud is "+m.Provisioning
	case m.Power != "" && !strings.EqualFold(m.Power, "running"):
		s.Result, s.Detail = NotClear, "it is "+m.Power
	case agent != "" && !strings.EqualFold(agent, "Ready"):
		s.Result, s.Detail = NotClear, "its agent is "+agent
	case m.Provisioning != "" && !ended(m.Provisioning):
		s.Result, s.Detail, s.Soon, s.How = Unknown, "it is being changed: "+m.Provisioning, true, "ask again in a minute"
	case m.Provisioning == "" || m.Power == "" || agent == "" || ofSet && latest == "":
		return j.unread(s.ID, s.Title, "the view of the machine from inside the cloud")
	case latest == "false":
		s.Result, s.Detail, s.How = Warning, "it works, but has not the newest model of its scale set", "nodetriage repair refresh "+j.Node
	case ofSet:
		s.Result, s.Detail = Clear, "Succeeded and running, its agent is Ready, it has the newest model"
	default:
		s.Result, s.Detail = Clear, "Succeeded and running, its agent is Ready"
	}
	return s
}

// machineSeen is what the cloud's answers say of one machine together: its state and its view may have been read apart. Of
// states that differ the one that is not well counts.
func (j *judge) machineSeen(id string) *evidence.CloudResource {
	var seen *evidence.CloudResource
	for _, r := range j.Snapshot.Data().CloudResources {
		view := r.ID == "" && strings.EqualFold(r.Properties["host"], j.Node)
		if r.Type != "instance" || !view && !strings.EqualFold(r.ID, id) {
			continue
		}
		if seen == nil {
			seen = &evidence.CloudResource{Properties: map[string]string{}}
		}
		if seen.Provisioning == "" || strings.EqualFold(seen.Provisioning, "Succeeded") {
			seen.Provisioning = cmp.Or(r.Provisioning, seen.Provisioning)
		}
		seen.Power = cmp.Or(seen.Power, r.Power)
		for _, k := range []string{"vmAgent", "latestModelApplied"} {
			seen.Properties[k] = cmp.Or(seen.Properties[k], r.Properties[k])
		}
	}
	return seen
}

// ended tells states that stay from those that pass; states are an open set.
func ended(state string) bool {
	low := strings.ToLower(state)
	return low == "succeeded" || low == "canceled" || strings.HasPrefix(low, "failed")
}

// pool is what the cloud says of the node's pool: its state, as many machines as it wants, and the image of the node.
func (j *judge) pool(name string) Step {
	s := Step{ID: "pool", Title: "pool", How: "nodetriage diagnose " + j.Node}
	p := j.poolSeen(name)
	if p == nil || p.Provisioning == "" {
		return j.unread(s.ID, s.Title, "what the cloud says of pool "+name)
	}
	image, wants := j.node.Labels["kubernetes.azure.com/node-image-version"], p.Properties["nodeImageVersion"]
	differ := j.countsDiffer(p)
	switch {
	case ended(p.Provisioning) && (!strings.EqualFold(p.Provisioning, "Succeeded") || len(p.Errors) > 0):
		s.Result, s.Detail = NotClear, "pool "+name+" is "+p.Provisioning
		if n := len(p.Errors); n > 0 && p.Errors[n-1].Code != "" {
			s.Detail += ": " + p.Errors[n-1].Code
		}
	case !ended(p.Provisioning):
		s.Result, s.Detail, s.Soon, s.How = Unknown, "pool "+name+" is "+p.Provisioning, true, "ask again when the operation is over"
	case differ != "":
		s.Result, s.Detail = Warning, differ
	case image != "" && wants != "" && image != wants:
		s.Result, s.Detail = Warning, "the node has image "+image+", the pool "+wants
	default:
		s.Result, s.Detail, s.How = Clear, "pool "+name+" is Succeeded and has the machines that it wants", ""
	}
	return s
}

// poolSeen is the pool as it was read by itself, or else within its cluster.
func (j *judge) poolSeen(name string) *evidence.CloudResource {
	var pool *evidence.CloudResource
	for _, r := range j.Snapshot.Data().CloudResources {
		if r.Type == "pool" && r.Name == name && (pool == nil || pool.ID == "") {
			pool = r
		}
	}
	return pool
}

// countsDiffer says how the count of a pool, the machines of its scale sets and its nodes differ; the autoscaler may be about
// to change them.
func (j *judge) countsDiffer(pool *evidence.CloudResource) string {
	wants, err := strconv.Atoi(pool.Properties["count"])
	if err != nil || pool.Properties["enableAutoScaling"] == "true" {
		return ""
	}
	has, known := 0, false
	for _, r := range j.Snapshot.Data().CloudResources {
		if n, err := strconv.Atoi(r.Properties["capacity"]); r.Type == "scale-set" && r.Properties["pool"] == pool.Name && err == nil {
			has, known = has+n, true
		}
	}
	if known && has != wants {
		return fmt.Sprintf("pool %s wants %d machines, its scale set has %d", pool.Name, wants, has)
	}
	if nodes := j.sizes[pool.Name]; j.sizes != nil && nodes != wants {
		return fmt.Sprintf("pool %s wants %d machines, the cluster has %d nodes of it", pool.Name, wants, nodes)
	}
	return ""
}

// sizes counts the nodes of each pool; nil where not all nodes were read.
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
