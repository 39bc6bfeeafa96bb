package facts

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// YoungOperation tells whether the operation that began so may still run well; nil: none began.
func YoungOperation(p *triage.Pass, begin *evidence.CloudActivity) bool {
	if begin == nil {
		return false
	}
	age, known := p.Age(begin.Time)
	return known && age < OperationTime
}

// Changing reports whether an operation on the pool or cluster may be under way: counts differ meanwhile.
func Changing(r *evidence.CloudItem) bool { return r.Changing() || r.Stage == evidence.StageUnknown }
