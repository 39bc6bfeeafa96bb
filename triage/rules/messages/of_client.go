package messages

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
)

// refused is the API server's message about a rejected client (kubernetes
// staging/src/k8s.io/apiserver/pkg/endpoints/filters/authentication.go, 1.36.3). ofClients are causes and symptoms of the client.
const refused = "Unable to authenticate the request"

var ofClients = map[string]bool{"kubelet-client-cert-expired": true, "kubelet-auth-rejected": true, "tls-failure": true, "unauthorized": true}

// whose returns the subject of a message. An API server's message about a client is not about the API server's own node, unless
// that node is NotReady. It is about the only NotReady node, which is a guess, or about an unknown one.
func whose(p *triage.Pass, says string, m *evidence.Match) (subject evidence.Subject, guess bool) {
	ofClient := m.Speaker == logline.APIServer && ofClients[says] && strings.Contains(m.Ref.Text, refused)
	if n := p.Snapshot.Node(m.Subject.Name); !ofClient || m.Subject.Kind != "Node" || n != nil && n.NotReady() {
		return m.Subject, false
	}
	var lost []*evidence.Node
	for _, other := range p.Snapshot.Nodes() {
		if other.NotReady() {
			lost = append(lost, other)
		}
	}
	if len(lost) == 1 {
		return lost[0].Subject(), true
	}
	return evidence.ClusterSubject(), false
}
