package simulate

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// A graceful shutdown: the kubelet says at once that the node is not ready, ends all pods within their grace
// periods, and reports them as Failed; their objects stay until their controllers or the taint take them
// (kubernetes pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go, v1.36.3).

// shuts puts a shutdown on the machine.
func (m *machine) shuts() { m.shutdown, m.halts = true, true }

// failedAt is when the kubelet that shuts down has ended the pod; never: it does not.
func (w *world) failedAt(p *evidence.Pod, m *machine, l luck) time.Duration {
	if !m.shutdown || p.Finished() {
		return never
	}
	return pick(l.late, 0, w.graceOf(p)+termination)
}

// cleared is when the controller of a pod that has failed deletes it: those of StatefulSets and DaemonSets do
// (pkg/controller/statefulset/stateful_set_control.go, pkg/controller/daemon/daemon_controller.go).
func (o *outcome) cleared(p *evidence.Pod, l luck) time.Duration {
	if k := p.Owner.Kind; o.failed != never && (k == "StatefulSet" || k == "DaemonSet") {
		return o.failed + pick(l.late, 0, apiLag)
	}
	return never
}
