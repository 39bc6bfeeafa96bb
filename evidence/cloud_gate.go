package evidence

import "time"

// CloudGate is the right of a health monitor to stop upgrades. Without such an object, the cloud asks no monitor.
type CloudGate struct {
	CloudItem
	Provider string // the monitor
	Rules    []GateRule
}

// GateRule is what a monitor gates.
type GateRule struct {
	Pool    string        // empty: the whole cluster
	Timeout time.Duration // how long the cloud waits for the verdict on each node
}

// Of returns the time that each node of the pool may wait, and whether the monitor gates the pool: a rule for the pool overrides the rule
// for the cluster.
func (r *CloudGate) Of(pool string) (each time.Duration, gated bool) {
	for _, rule := range r.Rules {
		switch rule.Pool {
		case pool:
			return rule.Timeout, true
		case "":
			each, gated = rule.Timeout, true
		}
	}
	return each, gated
}

// CloudVerdict is the verdict of a health monitor during an upgrade.
type CloudVerdict struct {
	CloudItem
	Provider string
	About    Subject // a node, or else the cluster: a signal about a pool does not name it
	Scope    string  // node, node pool or cluster
	Status   Fact    // False stops the upgrade
	Reason   string
	Message  string
	Since    time.Time // zero: unknown
}
