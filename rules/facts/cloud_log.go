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
	return p.Snapshot.FailedAt(m.Ref.ObservedAt).Over
}

// youngOperation tells whether the operation that began so may still run well.
func youngOperation(p *triage.Pass, begin *evidence.CloudActivity) bool {
	age, known := p.Age(begin.Time)
	return known && age < OperationTime
}

// Changing reports whether an operation on the pool or cluster may be under way: counts differ meanwhile.
func Changing(r *evidence.CloudItem) bool { return r.Changing() || r.Stage == evidence.StageUnknown }
