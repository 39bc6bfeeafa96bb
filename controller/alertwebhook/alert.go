package alertwebhook

import (
	"fmt"
	"net"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// notification is what Alertmanager sends (webhook version 4, Alertmanager 0.33, notify/webhook and template). Other fields are not read.
type notification struct {
	Alerts []alert `json:"alerts"`
}

type alert struct {
	Status string            `json:"status"` // firing or resolved
	Labels map[string]string `json:"labels"`
}

const firing = "firing"

// parse reads a notification.
func parse(body []byte) (*notification, error) {
	n := &notification{}
	if err := bounds.JSON(body, n); err != nil {
		return nil, fmt.Errorf("invalid notification of Alertmanager: %w", err)
	}
	return n, nil
}

// nodeLabels are the labels that name a node: those of kube-state-metrics and of us, of node-exporter, of relabelled targets. instance is
// the address of a target, which is a node only for exporters that run on each.
var nodeLabels = []string{"node", "nodename", "kubernetes_node", "node_name", "exported_node", "instance"}

// names finds nodes by their name, host name or address.
type names map[string]string

func namesOf(s *evidence.Snapshot) names {
	out := names{}
	for _, n := range s.Nodes() {
		for _, a := range n.Node.Status.Addresses {
			out[a.Address] = n.Name
		}
	}
	for _, n := range s.Nodes() { // a name takes precedence over the address of another node
		out[n.Name] = n.Name
	}
	return out
}

// node returns the node that an alert is about, or "".
func (n names) node(a alert) string {
	for _, label := range nodeLabels {
		value := strings.TrimSpace(a.Labels[label])
		if host, _, err := net.SplitHostPort(value); err == nil {
			value = host
		}
		if name := n[value]; name != "" {
			return name
		}
	}
	return ""
}
