package azure

import (
	"encoding/json"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// notKnown stands for a name that the evidence does not contain. No name has this form, so commands show a placeholder for it.
const notKnown = "<>"

// Describe returns the request of a change from evidence, without a query to Azure. The command has placeholders for names that
// the evidence does not contain; the request has no path then. It is empty if the cluster is not in Azure.
func Describe(d *evidence.Data, about cloud.About) cloud.Request {
	t, ok := targetIn(d, about)
	if !ok {
		return cloud.Request{}
	}
	c := cloud.Change{Verb: about.Verb, Target: t.id, Machine: about.Node, Count: about.Count, Own: about.Own, Like: about.Like}
	r, err := t.request(c)
	if err != nil {
		return cloud.Request{}
	}
	out := r.shown(c)
	if c.Verb == cloud.AddPool {
		out.Command, out.Missing, _ = t.addLike(c, copied(d, about.Like))
		out.Missing = append(out.Missing, "the settings of pool "+about.Like+" that are not in the evidence")
		out.Method, out.Path, out.Body = "", "", "" // the body is a copy of the pool, which was not read
		return out
	}
	if t.id == "" {
		out.Method, out.Path, out.Body = "", "", ""
	}
	return out
}

// targetIn returns the target of a change, as far as the evidence names it.
func targetIn(d *evidence.Data, about cloud.About) (target, bool) {
	id, ofNode := strings.CutPrefix(about.ProviderID, "azure://")
	if ofNode && about.Node != "" && about.Verb != cloud.DeleteMachine {
		return parseTarget(id)
	}
	cluster, known := clusterIn(d)
	switch {
	case !known && !ofNode:
		return target{}, false
	case !known:
		return target{group: notKnown, cluster: notKnown, pool: about.Pool}, true
	case about.Pool != "":
		return parseTarget(cluster.id + "/agentPools/" + about.Pool)
	}
	return cluster, true
}

// clusterIn returns the managed cluster that the evidence contains, itself or in the IDs of its pools.
func clusterIn(d *evidence.Data) (target, bool) {
	for _, r := range d.CloudResources {
		id, _, _ := strings.Cut(r.Item().ID, "/agentPools/")
		if t, ok := parseTarget(id); ok && t.cluster != "" && t.pool == "" {
			return t, true
		}
	}
	return target{}, false
}

// copied returns the pool to copy in the form of the API, with the settings that the evidence contains.
func copied(d *evidence.Data, name string) []byte {
	properties := map[string]any{}
	put := func(key, value string) {
		if value != "" {
			properties[key] = value
		}
	}
	for _, p := range evidence.CloudOf[*evidence.CloudPool](d) {
		if p.Name != name {
			continue
		}
		put("mode", p.Mode)
		put("vmSize", p.Size)
		put("osSKU", p.System)
		put("orchestratorVersion", p.Version)
		if len(p.Labels) > 0 {
			properties["nodeLabels"] = p.Labels
		}
		if len(p.Taints) > 0 {
			properties["nodeTaints"] = p.Taints
		}
	}
	for _, n := range d.Nodes {
		if _, pool := n.PoolLabel(); pool == name && properties["vmSize"] == nil {
			put("vmSize", n.Labels["node.kubernetes.io/instance-type"])
		}
	}
	raw, _ := json.Marshal(map[string]any{"properties": properties}) // strings only: it cannot fail
	return raw
}
