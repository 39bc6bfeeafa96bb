package triage

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// surroundings is what commands of a cloud need to know, from the ids of machines and of the cluster.
type surroundings struct {
	// provider is that of all nodes; nil where there are none, or of several.
	provider *catalog.Provider
	// foreign: the nodes have ids of a provider whose commands no page uses, or are in no cloud at all.
	foreign bool
	// unsaid: nothing tells in which cloud the nodes are.
	unsaid bool
	// text is what saidBy returns.
	text func() string
	// managed: the control plane is a provider's, so nobody has a shell there.
	managed bool
	alone   string            // the one node of which the evidence is, where it has no nodes
	shared  map[string]string // names that all nodes and the cluster give the same value
	nodes   map[string]map[string]string
	pools   map[string]map[string]string // the same of each pool, where documents or commands tell it
	ofPools map[string]map[string]string // what ofPool answered
	// reached are two nodes that are well to reach, by name, and the address of each; fewer where there are fewer.
	reached []reachedNode
}

type reachedNode struct{ name, address string }

func reachedNodes(s *evidence.Snapshot) (out []reachedNode) {
	for _, n := range s.Nodes() {
		i := slices.IndexFunc(n.Node.Status.Addresses, func(a corev1.NodeAddress) bool { return a.Type == corev1.NodeInternalIP })
		if i >= 0 && n.Ready() == evidence.True {
			out = append(out, reachedNode{n.Name, n.Node.Status.Addresses[i].Address})
		}
		if len(out) == 2 { // one of them is another than any node
			break
		}
	}
	return out
}

func newSurroundings(s *evidence.Snapshot, set *signatures.Set) *surroundings {
	out := namesAround(s, set)
	out.ofPools, out.reached = map[string]map[string]string{}, reachedNodes(s)
	out.text = sync.OnceValue(func() string { return saidBy(s) })
	return out
}

// namesAround are the surroundings as far as names go.
func namesAround(s *evidence.Snapshot, set *signatures.Set) *surroundings {
	out := &surroundings{alone: onlyNode(s), shared: map[string]string{}, nodes: map[string]map[string]string{}}
	known, seen := true, false
	for _, n := range s.Nodes() {
		if n.Partial || n.Spec.ProviderID == "" {
			continue
		}
		p := catalog.ProviderOf(n.Spec.ProviderID)
		if known = known && (!seen || p == out.provider); !known {
			break
		}
		out.provider, seen = p, true
		if p != nil {
			names := p.Names(n.Spec.ProviderID)
			out.nodes[n.Name] = names
			out.share(names)
		}
	}
	api := map[string]string{"api-endpoint": apiEndpoint(s)}
	if !known {
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
	for _, c := range evidence.CloudOf[*evidence.CloudCluster](s.Data()) {
		for _, p := range catalog.Providers() {
			out.share(p.Names(c.ID))
		}
	}
	out.told(s)
	for _, m := range s.Matches() {
		text := m.Ref.Text + "\n" + m.LastText
		named := catalog.Named(text)
		if len(named) == 0 {
			named = catalog.Providers()
		}
		for _, p := range named {
			p.Told(text, func(name, value string) { out.share(map[string]string{name: value}) })
		}
	}
	maps.DeleteFunc(out.shared, func(_, v string) bool { return v == "" })
	return out
}

// told adds what documents and commands of clouds tell of names.
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

// calledAPI is a URL of the API server as its clients write it into their messages.
var calledAPI = lazyregexp.New(`https://([A-Za-z0-9.-]+(?::\d+)?)/(?:api/v1/(?:nodes|namespaces|pods|services|events)|apis/[a-z0-9.-]+/v\d)`)

// apiEndpoint is the host and port by which the messages call the API server, where it is one.
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

// saidCloud is the cloud of which the texts have signs, where no node tells its own; nil: of none, or of several.
func saidCloud(s *evidence.Snapshot) *catalog.Provider {
	if slices.ContainsFunc(s.Nodes(), func(n *evidence.Node) bool { return !n.Partial }) {
		return nil
	}
	var out *catalog.Provider
	for _, m := range s.Matches() {
		for _, p := range catalog.Named(m.Ref.Text) {
			if out != nil && out != p {
				return nil
			}
			out = p
		}
	}
	if out == nil {
		out = namedCloud(s)
	}
	return out
}

// cloudOf is the cloud for whose tools commands are told, where no node has the id of its machine: the one that texts name, or that the
// names and versions of nodes show, or whose words a signature knows; nil: none, or several.
func cloudOf(s *evidence.Snapshot, set *signatures.Set) *catalog.Provider {
	if p := saidCloud(s); p != nil {
		return p
	}
	var found []*catalog.Provider
	add := func(p *catalog.Provider) {
		if p != nil && !slices.Contains(found, p) {
			found = append(found, p)
		}
	}
	for _, n := range s.Nodes() {
		add(catalog.ProviderOfNode(n.Name, n.Node.Status.NodeInfo.KubeletVersion))
	}
	if len(found) == 0 {
		for _, m := range s.Matches() {
			if sig := set.Lookup(m.Signature); sig != nil && !m.OfApplication {
				add(catalog.ProviderNamed(sig.Provider))
			}
		}
	}
	if len(found) == 0 {
		for name := range namesIn(s) {
			add(catalog.ProviderOfNode(name, ""))
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// namesIn are the words of the messages, without the quotes and points around them: some are names of nodes.
func namesIn(s *evidence.Snapshot) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, m := range s.Matches() {
			for word := range strings.FieldsSeq(m.Ref.Text) {
				if !yield(strings.Trim(word, `"'`+"`"+`.,:;()[]{}`)) {
					return
				}
			}
		}
	}
}

// namedCloud is the one whose own commands take the names that its documents and commands tell; nil: none, or several.
func namedCloud(s *evidence.Snapshot) *catalog.Provider {
	var out *catalog.Provider
	for _, names := range s.Data().CloudNames {
		for _, p := range catalog.Providers() {
			asks := slices.ContainsFunc(slices.Collect(maps.Keys(names)), func(name string) bool { return p.Ask(name) != "" })
			if asks && out != nil && out != p {
				return nil
			} else if asks {
				out = p
			}
		}
	}
	return out
}

// noCloud reports whether the nodes were read whole and nothing speaks of a cloud: no id of a machine, no label or taint of a provider,
// no state of a cloud, no text of one.
func noCloud(s *evidence.Snapshot) bool {
	whole := false
	for _, n := range s.Nodes() {
		whole = whole || !n.Partial
		if evidence.ProviderOf(n) != "" || slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.Key == uninitialized }) {
			return false
		}
	}
	said := slices.ContainsFunc(s.Matches(), func(m *evidence.Match) bool { return len(catalog.Named(m.Ref.Text)) > 0 })
	return whole && !said && s.Data().Server.Provider == "" && s.Covers(evidence.CloudState) == evidence.NotRead
}

// uninitialized is the taint of a node whose cloud has not said yet which machine it is (k8s.io/cloud-provider/api).
const uninitialized = "node.cloudprovider.kubernetes.io/uninitialized"

// managedHosts are the ends of the names of API servers that a provider runs.
var managedHosts = []string{".azmk8s.io", ".eks.amazonaws.com", ".gke.goog"}

// managed reports whether the cluster is one of a service that keeps the control plane: by what the API server, a node or the
// name of the API server in a text tells.
func managed(s *evidence.Snapshot) bool {
	if s.Data().Server.Provider != "" {
		return true
	}
	return slices.ContainsFunc(s.Nodes(), evidence.Managed) || slices.ContainsFunc(s.Matches(), func(m *evidence.Match) bool {
		return slices.ContainsFunc(managedHosts, func(host string) bool { return strings.Contains(m.Ref.Text, host) })
	})
}

// machines adds those that the cloud showed and that are no nodes of the evidence.
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
			for _, scheme := range p.Schemes { // by which nodes begin the same id
				if names := p.Names(scheme + "://" + m.ID); len(names) > 0 {
					x.nodes[host] = names
				}
			}
		}
	}
}

// ofPool is what the machines of the pool have in common.
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

// ofAll are the shared names; of a machine, ids of others do not tell what its own leaves out.
func (x *surroundings) ofAll(node string) map[string]string {
	if x.provider == nil || len(x.nodes[node]) == 0 {
		return x.shared
	}
	out := maps.Clone(x.shared)
	maps.DeleteFunc(out, func(name, _ string) bool { return x.provider.OfMachine(name) })
	return out
}

// completed are the commands to look further, with the names that the evidence tells, and without those of another cloud.
func (x *surroundings) completed(list []NotChecked) []NotChecked {
	for i := range list {
		list[i].How = list[i].How.Complete(x.shared)
		if p := catalog.ProviderOfCommand(list[i].How); p != nil && x.provider != nil && p != x.provider {
			list[i].How = ""
		}
	}
	return list
}

// share keeps what is the same everywhere; the case of ids varies.
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

// useful reports whether a command is of use here: one of another cloud is not, nor one for a machine of another kind than the node's.
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

// about are the texts that speak of this cloud, or of none.
func (x *surroundings) about(texts []shell.Text) []shell.Text {
	return slices.DeleteFunc(slices.Clone(texts), func(t shell.Text) bool { return x.ofOthers(string(t)) })
}

// ofOthers reports whether a text speaks of clouds, and not of this one.
func (x *surroundings) ofOthers(text string) bool {
	of := called(text)
	return len(of) > 0 && (x.foreign || x.provider != nil && !slices.Contains(of, x.provider))
}

// called are the clouds that a text names as people do.
func called(text string) []*catalog.Provider {
	return slices.DeleteFunc(slices.Clone(catalog.Providers()), func(p *catalog.Provider) bool { return !p.Calls(text) })
}

// canAct reports whether a remedy that a cloud's tool carries out can be carried out here: else its other commands only make ready for what does not come.
func (x *surroundings) canAct(r catalog.Remedy, f fill) bool {
	of := slices.DeleteFunc(slices.Clone(r.Commands), func(c shell.Text) bool { return catalog.ProviderOfCommand(c) == nil })
	return len(of) == 0 || slices.ContainsFunc(of, func(c shell.Text) bool { return x.useful(c, f) })
}

// lesson is a command that tells what a name stands for.
type lesson struct{ run, tells shell.Text }

// learn are the commands that tell what the names stand for that a command leaves open; told are those said before.
func (x *surroundings) learn(command shell.Text, f fill, told map[shell.Text]bool) []lesson {
	p := catalog.ProviderOfCommand(command)
	if p == nil {
		return nil
	}
	var out []lesson
	for _, name := range command.Places() {
		ask := p.Ask(name)
		if f[name] != "" || ask == "" || told[ask] {
			continue
		}
		told[ask] = true
		out = append(append(out, x.learn(ask, f, told)...), lesson{ask.Fill(f), shell.Gap(name)})
	}
	return out
}
