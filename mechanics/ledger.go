package mechanics

import "github.com/nodetriage/nodetriage/evidence"

// Book is a budget on which is counted while pods go and come. Its status is that of a copy.
type Book struct{ *evidence.PDB }

// OpenBook begins with the budget as it is.
func OpenBook(b *evidence.PDB) Book {
	return Book{&evidence.PDB{PodDisruptionBudget: b.DeepCopy(), Partial: b.Partial}}
}

// Evict asks for the eviction of a pod that asks budgets, and takes one of the disruptions if that is what it costs.
func (k Book) Evict(ready evidence.Fact) Eviction {
	answer := Answer(k.PDB, ready)
	if answer == Counted {
		k.Status.DisruptionsAllowed--
	}
	return answer
}

// Goes counts a pod that is being deleted.
func (k Book) Goes(ready evidence.Fact) {
	if ready == evidence.True {
		k.Status.CurrentHealthy--
	}
}

// Recount is what the disruption controller does when pods changed: so many more are healthy, and what is more than the
// desired number may go. A budget that it cannot compute stays as it is
// (updatePdbStatus of pkg/controller/disruption/disruption.go, v1.36.3).
func (k Book) Recount(more int32) {
	st := &k.Status
	st.ObservedGeneration = k.Generation
	st.CurrentHealthy += more
	if SyncFailed(k.PDB) == "" && st.ExpectedPods > 0 {
		st.DisruptionsAllowed = max(0, st.CurrentHealthy-st.DesiredHealthy)
	}
}

// AllowsOneWithMore reports whether the budget lets a pod go while its workload has one ready pod more than it is to have.
func AllowsOneWithMore(b *evidence.PDB) bool {
	return SyncFailed(b) == "" && int(b.Status.CurrentHealthy)+1 > DesiredHealthy(b, int(b.Status.ExpectedPods)+1)
}
