package facts

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// cloudIsOver tells whether an error of the cloud is past. A pool keeps the text of its last failure for a while, and is
// in the middle of something for a while without any harm.
func cloudIsOver(p *triage.Pass, m *evidence.Match) bool {
	if m.Ref.ObservedAt.IsZero() {
		if pool := CloudPool(p, m.Subject.Name); pool != nil && m.Subject.Kind == "Pool" && strings.HasSuffix(m.Ref.Locator, "provisioningState") {
			begin := OperationOn(p, &pool.CloudItem)
			return begin != nil && Changing(&pool.CloudItem) && youngOperation(p, begin)
		}
		pool := CloudPool(p, m.Subject.Name)
		return m.Subject.Kind == "Pool" && strings.Contains(m.Ref.Locator, "provisioningError") && pool != nil && pool.Stage == evidence.StageDone
	}
	for _, a := range p.Snapshot.ActivitiesAt(m.Ref.ObservedAt) {
		if a.Failed() && SucceededSince(p, a) {
			return true
		}
	}
	return false
}

// SucceededSince tells whether the operation that failed, or the one that set it off, worked on the same resource later.
func SucceededSince(p *triage.Pass, failure *evidence.CloudActivity) bool {
	if p.Snapshot.SucceededSince(failure) {
		return true
	}
	depth := failure.Depth()
	for _, f := range p.Snapshot.Failures(failure) {
		if f.Depth() >= depth {
			break
		}
		if p.Snapshot.SucceededSince(f) {
			return true
		}
	}
	return false
}

// youngOperation tells whether the operation that began so may still run well.
func youngOperation(p *triage.Pass, begin *evidence.CloudActivity) bool {
	age, known := p.Age(begin.Time)
	return known && age < OperationTime
}

// Changing reports whether an operation on the pool or cluster may be under way: counts differ meanwhile.
func Changing(r *evidence.CloudItem) bool { return r.Changing() || r.Stage == evidence.StageUnknown }
