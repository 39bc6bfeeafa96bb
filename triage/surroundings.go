package triage

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/clouds"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// surroundings has the names that cloud commands need, from the IDs of machines and of the cluster.
type surroundings struct {
	// provider is the provider of all nodes; nil: none or several.
	provider *catalog.Provider
	// foreign: the nodes have IDs of a provider without commands in the pages, or are not in a cloud.
	foreign bool
	// unsaid: the cloud of the nodes is unknown.
	unsaid bool
	// text returns the result of saidBy.
	text func() string
	// only returns the result of onlyNamed.
	only func() map[string]string
	// managed: the provider runs the control plane, so there is no shell on it.
	managed bool
	alone   string            // the only node of the evidence, if there are no Node objects
	shared  map[string]string // names with the same value for all nodes and the cluster
	nodes   map[string]map[string]string
	pools   map[string]map[string]string // the same for each pool, from documents or command output
	ofPools map[string]map[string]string // cache of ofPool
	// reached are up to two Ready nodes with their addresses.
	reached []reachedNode
}

type reachedNode struct{ name, address string }

func reachedNodes(s *evidence.Snapshot) (out []reachedNode) {
	for _, n := range s.Nodes() {
		i := slices.IndexFunc(n.Node.Status.Addresses, func(a corev1.NodeAddress) bool { return a.Type == corev1.NodeInternalIP })
		if i >= 0 && n.Ready() == evidence.True {
			out = append(out, reachedNode{n.Name, n.Node.Status.Addresses[i].Address})
		}
		if len(out) == 2 { // one of the two differs from any given node
			break
		}
	}
	return out
}

func newSurroundings(s *evidence.Snapshot, set *signatures.Set) *surroundings {
	out := namesAround(s, set)
	out.ofPools, out.reached = map[string]map[string]string{}, reachedNodes(s)
	out.text = sync.OnceValue(func() string { return saidBy(s) })
	out.only = sync.OnceValue(func() map[string]string { return onlyNamed(s) })
	return out
}

// namesAround returns the surroundings with the names only.
func namesAround(s *evidence.Snapshot, set *signatures.Set) *surroundings {
	out := &surroundings{alone: onlyNode(s), shared: map[string]string{}, nodes: map[string]map[string]string{}}
	api := map[string]string{"api-endpoint": apiEndpoint(s)}
	seen, several := out.ofNodes(s)
	if several {
		return &surroundings{shared: api, nodes: map[string]map[string]string{}, managed: managed(s)}
	}
	out.share(api)
	out.managed = managed(s)
	out.foreign = seen && out.provider == nil
	if !seen {
		out.provider = cloudOf(s, set)
		out.foreign = noCloud(s)
		out.unsaid = out.provider == nil
	}
	out.machines(s)
	out.clusters(s)
	out.told(s)
	out.messages(s)
	maps.DeleteFunc(out.shared, func(_, v string) bool { return v == "" })
	return out
}

// ofNodes sets the provider of the nodes and adds the names in their provider IDs. It reports whether a node has such an ID, and
// whether they are of several providers.
func (x *surroundings) ofNodes(s *evidence.Snapshot) (seen, several bool) {
	for _, n := range s.Nodes() {
		if n.Partial || n.Spec.ProviderID == "" {
			continue
		}
		p := catalog.ProviderOf(n.Spec.ProviderID)
		if seen && p != x.provider {
			return true, true
		}
		x.provider, seen = p, true
		if p != nil {
			names := p.Names(n.Spec.ProviderID)
			x.nodes[n.Name] = names
			x.share(names)
		}
	}
	return seen, false
}

// clusters adds the names in the IDs of clusters.
func (x *surroundings) clusters(s *evidence.Snapshot) {
	for _, c := range evidence.CloudOf[*evidence.CloudCluster](s.Data()) {
		for _, p := range catalog.Providers() {
			x.share(p.Names(c.ID))
		}
	}
}

// messages adds the names in messages that a signature matched.
func (x *surroundings) messages(s *evidence.Snapshot) {
	for _, m := range s.Matches() {
		text := m.Ref.Text + "\n" + m.LastText
		named := catalog.Named(text)
		if len(named) == 0 {
			named = catalog.Providers()
		}
		for _, p := range named {
			p.Told(text, func(name, value string) { x.share(map[string]string{name: value}) })
		}
	}
}

// told adds names from cloud documents and command output.
func (x *surroundings) told(s *evidence.Snapshot) {
	x.pools = map[string]map[string]string{}
	for _, names := range s.Data().CloudNames {
		x.share(names)
		if pool := names["pool"]; pool != "" {
			of := &surroundings{shared: x.pools[pool]}
			if of.shared == nil {
				of.shared = map[string]string{}
			}
			of.share(names)
			x.pools[pool] = of.shared
		}
	}
}

// calledAPI matches a URL of the API server in messages of its clients.
var calledAPI = lazyregexp.New(`https://([A-Za-z0-9.-]+(?::\d+)?)/(?:api/v1/(?:nodes|namespaces|pods|services|events)|apis/[a-z0-9.-]+/v\d)`)

// apiEndpoint returns the host and port of the API server in the messages, or "" if there are several.
func apiEndpoint(s *evidence.Snapshot) string {
	host := ""
	for _, m := range s.Matches() {
		for _, found := range calledAPI.FindAllStringSubmatch(m.Ref.Text, -1) {
			if host != "" && host != found[1] {
				return ""
			}
			host = found[1]
		}
	}
	return host
}

// machines adds the machines of the cloud that are not nodes in the evidence.
func (x *surroundings) machines(s *evidence.Snapshot) {
	for _, m := range evidence.CloudOf[*evidence.CloudMachine](s.Data()) {
		host := strings.ToLower(cmp.Or(m.Host, m.Name))
		if host == "" || len(x.nodes[host]) > 0 {
			continue
		}
		if m.ID == "" {
			if len(m.Names) > 1 {
				x.nodes[host] = m.Names
			}
			continue
		}
		for _, p := range catalog.Providers() {
			for _, scheme := range clouds.Named(p.Name).Schemes { // node IDs begin with it
				if names := p.Names(scheme + "://" + m.ID); len(names) > 0 {
					x.nodes[host] = names
				}
			}
		}
	}
}

// ofPool returns the names that the machines of the pool share.
func (x *surroundings) ofPool(s *evidence.Snapshot, pool string) map[string]string {
	if known, ok := x.ofPools[pool]; ok {
		return known
	}
	of := &surroundings{shared: map[string]string{}}
	for _, n := range s.Nodes() {
		if _, name := n.PoolLabel(); pool != "" && name == pool {
			of.share(x.nodes[n.Name])
		}
	}
	of.share(x.pools[pool])
	x.ofPools[pool] = of.shared
	return of.shared
}

// ofAll returns the shared names. For a known machine it leaves out the names of machines, because IDs of other machines do not
// apply.
func (x *surroundings) ofAll(node string) map[string]string {
	if x.provider == nil || len(x.nodes[node]) == 0 {
		return x.shared
	}
	out := maps.Clone(x.shared)
	maps.DeleteFunc(out, func(name, _ string) bool { return x.provider.OfMachine(name) })
	return out
}

// completed fills known names into the commands of gaps and removes commands of other clouds.
func (x *surroundings) completed(list []NotChecked) []NotChecked {
	for i := range list {
		list[i].How = list[i].How.Complete(x.shared)
		if p := catalog.ProviderOfCommand(list[i].How); p != nil && x.provider != nil && p != x.provider {
			list[i].How = ""
		}
	}
	return list
}

// share keeps values that are the same everywhere, ignoring case because the case of IDs varies.
func (x *surroundings) share(names map[string]string) {
	for k, v := range names {
		if old, known := x.shared[k]; known && !strings.EqualFold(old, v) {
			v = "" // it differs
		} else if known {
			v = old
		}
		x.shared[k] = v
	}
}

// useful reports whether a command applies here. A command of another cloud does not, nor one for another kind of machine.
func (x *surroundings) useful(command shell.Text, f fill) bool {
	p := catalog.ProviderOfCommand(command)
	switch {
	case p == nil:
		return true
	case x.foreign, x.unsaid, x.provider != nil && x.provider != p:
		return false
	}
	known := len(x.nodes[f["node"]]) > 0
	return !known || !slices.ContainsFunc(command.Places(), func(name string) bool { return f[name] == "" && p.OfMachine(name) })
}

// canAct reports whether a remedy without cloud commands, or with one that works here, can be carried out. Otherwise its other
// commands only prepare a step that is missing.
func (x *surroundings) canAct(r catalog.Remedy, f fill) bool {
	of := slices.DeleteFunc(slices.Clone(r.Commands), func(c shell.Text) bool { return catalog.ProviderOfCommand(c) == nil })
	return len(of) == 0 || slices.ContainsFunc(of, func(c shell.Text) bool { return x.useful(c, f) })
}
