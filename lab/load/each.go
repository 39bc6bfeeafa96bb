package load

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
)

// Objects calls f with every object of the cluster except its events, for callers without a control plane.
func Objects(size Size, now time.Time, f func(runtime.Object)) {
	p := newPlan(size, now)
	for _, part := range []func(func(record) bool) bool{p.namespaces, p.nodes, p.leases, p.workloads, p.pods, p.budgets} {
		part(func(r record) bool { f(r.obj); return true })
	}
}
