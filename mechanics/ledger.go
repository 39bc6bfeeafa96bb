package mechanics

import "github.com/nodetriage/nodetriage/evidence"

// Ledger simulates a PodDisruptionBudget while pods are evicted and replaced. It changes the status of a copy.
type Ledger struct{ *evidence.PDB }

// OpenLedger returns a Ledger with the current status.
func OpenLedger(b *evidence.PDB) Ledger {
	return Ledger{&evidence.PDB{PodDisruptionBudget: b.DeepCopy(), Partial: b.Partial}}
}

// Evict simulates the eviction of a pod and uses one allowed disruption if it is counted.
func (k Ledger) Evict(ready evidence.Fact) Eviction {
	answer := Answer(k.PDB, ready)
	if answer == Counted {
		k.Status.DisruptionsAllowed--
	}
	return answer
}

// Leaves counts a terminating pod.
func (k Ledger) Leaves(ready evidence.Fact) {
	if ready == evidence.True {
		k.Status.CurrentHealthy--
	}
}

// Recount simulates the disruption controller after pods changed: more pods are healthy, and those above desiredHealthy
// become allowed disruptions. It does not change a PodDisruptionBudget with a failed sync (updatePdbStatus of
// pkg/controller/disruption/disruption.go, v1.36.3).
func (k Ledger) Recount(more int32) {
	st := &k.Status
	st.ObservedGeneration = k.Generation
	st.CurrentHealthy += more
	if SyncFailed(k.PDB) == "" && st.ExpectedPods > 0 {
		st.DisruptionsAllowed = max(0, st.CurrentHealthy-st.DesiredHealthy)
	}
}

// AllowsOneWithMore reports whether the PodDisruptionBudget allows an eviction while its workload has one more ready
// pod than desired.
func AllowsOneWithMore(b *evidence.PDB) bool {
	return SyncFailed(b) == "" && int(b.Status.CurrentHealthy)+1 > DesiredHealthy(b, int(b.Status.ExpectedPods)+1)
}
