package facts

import (
	"cmp"
	"slices"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// OfProvider returns the maximum certainty of a signature for this cloud. A signature of one provider counts in full if the nodes
// are its machines or its own tools wrote the message. It is only possible if the nodes are of another provider.
func OfProvider(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) triage.Certainty {
	if sig.Provider == "" || m.Speaker == logline.Cloud {
		return triage.Certain
	}
	known := providers(p.Snapshot)
	switch {
	case slices.Contains(known, sig.Provider):
		return triage.Certain
	case len(known) > 0:
		return triage.Possible
	case saidOfAnother(p, sig.Provider):
		return triage.Possible
	case m.Speaker == logline.Command || m.Speaker == logline.CloudCtl || m.Speaker == logline.Unknown && catalog.Wrote(sig.Provider, m.Ref.Text):
		return triage.Certain
	}
	return triage.Likely
}

// saidOfAnother reports whether the texts are about another cloud.
func saidOfAnother(p *triage.Pass, provider string) bool {
	said := p.SaidCloud()
	return said != nil && said.Name != provider
}

// providers returns the providers of the nodes, and "none" for nodes without one.
func providers(s *evidence.Snapshot) []string {
	var out []string
	for _, n := range s.Nodes() {
		if n.Partial {
			continue
		}
		provider := cmp.Or(evidence.ProviderOf(n), "none")
		if !slices.Contains(out, provider) {
			out = append(out, provider)
		}
	}
	return out
}

// Cloud returns the cloud whose commands to show: the one that the nodes name.
func Cloud(p *triage.Pass) advice.Cloud {
	for _, name := range providers(p.Snapshot) {
		if name != "none" {
			return advice.Cloud(name)
		}
	}
	if said := p.SaidCloud(); said != nil {
		return advice.Cloud(said.Name)
	}
	return advice.Cloud("").Or()
}
