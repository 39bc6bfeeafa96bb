package facts

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// YoungOperation reports whether an operation with this beginning may still complete normally; nil: none began.
func YoungOperation(p *triage.Pass, begin *evidence.CloudActivity) bool {
	if begin == nil {
		return false
	}
	age, known := p.Age(begin.Time)
	return known && age < OperationTime
}

// Changing reports whether an operation on the pool or cluster may be running: counts differ meanwhile.
func Changing(r *evidence.CloudItem) bool { return r.Changing() || r.Stage == evidence.StageUnknown }
