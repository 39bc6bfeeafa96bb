package triage

import (
	"iter"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/clouds"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// saidCloud returns the cloud that texts show if no Node object was read; nil: none or several.
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

// cloudOf returns the cloud whose commands to show if no node has a provider ID. It comes from texts, from names and versions of
// nodes, or from the provider of a matched signature; nil: none or several.
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
		for name := range wordsIn(s) {
			add(catalog.ProviderOfNode(name, ""))
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// wordsIn returns the words of the messages without surrounding punctuation. Some of them are node names.
func wordsIn(s *evidence.Snapshot) iter.Seq[string] {
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

// namedCloud returns the cloud whose commands use the names in cloud documents and command output; nil: none or several.
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

// noCloud reports whether the nodes were read completely and nothing shows a cloud: no provider ID, no label or taint of a
// provider, no cloud state, no text.
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

// uninitialized is the taint of a node that the cloud controller has not initialized yet (k8s.io/cloud-provider/api).
const uninitialized = "node.cloudprovider.kubernetes.io/uninitialized"

// managed reports whether the provider runs the control plane, as shown by the API server, a node, or the host name of the API
// server in a text.
func managed(s *evidence.Snapshot) bool {
	if s.Data().Server.Provider != "" {
		return true
	}
	return slices.ContainsFunc(s.Nodes(), evidence.Managed) || slices.ContainsFunc(s.Matches(), func(m *evidence.Match) bool {
		return clouds.ManagedHost(m.Ref.Text)
	})
}
