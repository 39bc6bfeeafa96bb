package facts

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Joining reports whether the node registered so recently that it cannot be Ready yet, because network agents need time. Not
// joining are nodes
//   - that became NotReady before their object was created, because they registered again;
//   - that posted a status and then stopped;
//   - that were Ready in between.
func Joining(p *triage.Pass, n *evidence.Node) bool {
	made := n.CreationTimestamp.UTC()
	age, known := p.Age(made)
	if !known || n.CreationTimestamp.IsZero() || age >= 3*time.Minute || Since(n).Before(made) {
		return false
	}
	c := n.Condition(corev1.NodeReady)
	return c == nil || c.Reason != "NodeStatusUnknown" && Since(n).Sub(made) < registering
}

// registering is how long a kubelet may take from creating its Node object to its first status.
const registering = 20 * time.Second

// SeenFromInside returns the nodes with evidence from inside, such as logs and node reports; "" is a node without a name.
func SeenFromInside(p *triage.Pass) map[string]bool {
	out := map[string]bool{}
	for _, r := range p.Snapshot.NodeReports() {
		out[r.Node] = true
	}
	for _, m := range p.Snapshot.Matches() {
		if m.Kind == "" || m.Kind == evidence.TextLog || m.Kind == evidence.TextCommand {
			out[p.Snapshot.NodeOf(m.Subject)] = true
		}
	}
	return out
}

// SaysRuntimeDown reports whether the kubelet reports its runtime as down, which it does if the runtime refuses or hangs.
func SaysRuntimeDown(p *triage.Pass, node string) bool {
	n := p.Snapshot.Node(node)
	if n == nil || !n.NotReady() {
		return false
	}
	c := n.Condition(corev1.NodeReady)
	return c != nil && strings.Contains(c.Message, "container runtime is down")
}
