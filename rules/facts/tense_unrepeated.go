package facts

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Unrepeated reports whether an event tells of a pod that could not be started, that was not read and of which nothing was said
// again for longer than a kubelet waits between two tries: the pod is gone, and whether its node still lacks what it wanted
// cannot be told. A kubelet whose node is not Ready may be silent for its own trouble.
func Unrepeated(p *triage.Pass, m *evidence.Match) bool {
	_, start := startFailures[reasonOf(m)]
	if !start || m.Subject.Kind != "Pod" || p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name) != nil {
		return false
	}
	if n := p.Snapshot.Node(hostOf(m)); n != nil && n.Ready() != evidence.True {
		return false
	}
	age, known := p.Age(m.Last)
	return known && age > silence
}
