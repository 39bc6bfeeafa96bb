package gate

import (
	"time"

	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/upgrade"
)

// Margin is the time before the deadline at which each node request has a final answer. AKS has to see the answer in time.
const Margin = 30 * time.Second

// Timeout returns how long AKS waits for the verdict of a provider on a node of the pool, and whether the provider gates it at all:
//   - within a policy, the rule for the pool overrides the rule for the cluster;
//   - of several policies of one provider, which AKS asks providers not to create, the shortest counts.
//
// The pool is "" if it is unknown. Then the shortest of all rules counts.
func Timeout(policies []upgrade.UpgradeGatePolicy, provider, pool string) (time.Duration, bool) {
	least, gated := upgrade.MaxTimeout, false
	for i := range policies {
		if policies[i].Spec.Provider != provider {
			continue
		}
		if t, ok := ofPolicy(policies[i].Spec.Rules, pool); ok {
			least, gated = min(least, t), true
		}
	}
	return least, gated
}

func ofPolicy(rules []upgrade.UpgradeGateRule, pool string) (time.Duration, bool) {
	ofPool, ofCluster := upgrade.MaxTimeout, upgrade.MaxTimeout
	hasPool, hasCluster := false, false
	for _, r := range rules {
		switch {
		case r.Target.Scope == upgrade.Cluster:
			ofCluster, hasCluster = min(ofCluster, r.Timeout()), true
		case pool == "" || r.Target.Name == pool:
			ofPool, hasPool = min(ofPool, r.Timeout()), true
		}
	}
	switch {
	case pool == "":
		return min(ofPool, ofCluster), hasPool || hasCluster
	case hasPool:
		return ofPool, true
	}
	return ofCluster, hasCluster
}

// Request is a request with what its answer depends on.
type Request struct {
	Scope   health.Scope
	Deleted bool
	// Begun is when AKS began to wait: the creation of the request, or when it was first seen if that is earlier because clocks differ.
	Begun time.Time
	// Gated: a policy of ours waits for the answer, for so long.
	Gated   bool
	Timeout time.Duration
}

// Deadline returns when AKS stops the upgrade without a True.
func (r Request) Deadline() time.Time { return r.Begun.Add(r.Timeout) }

// Last returns when a node request needs its final answer: Margin before the deadline, or at half the time if that is less.
func (r Request) Last() time.Time { return r.Deadline().Add(-min(Margin, r.Timeout/2)) }

// Over reports whether there is nothing to answer. A False after the deadline would stop the upgrade at another node, whose wait has
// just begun.
func (r Request) Over(now time.Time) bool {
	if r.Deleted || !r.Gated {
		return true
	}
	return r.Scope == health.Node && !now.Before(r.Deadline())
}
