package diagnosis

import (
	"encoding/json"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
)

// MaxSize is the largest size of an object in bytes, as JSON.
const MaxSize = 16 << 10

// maxStatus leaves room for the metadata, with the fields that a server adds.
const maxStatus = MaxSize - 3<<10

// fit removes the least important parts until the status is not too large.
func fit(status *v1alpha1.NodeDiagnosisStatus) {
	for size(status) > maxStatus && drop(status) {
	}
}

// drop removes the least important part: evidence beyond the first piece, from the last finding on, then lists, then the last
// findings. It returns false if only the rest is left, which fits.
func drop(status *v1alpha1.NodeDiagnosisStatus) bool {
	for i := len(status.Findings) - 1; i >= 0; i-- {
		if shorten(&status.Findings[i].Evidence, 1) {
			return true
		}
	}
	for i := len(status.Findings) - 1; i >= 0; i-- {
		if shorten(&status.Findings[i].Explains, 0) {
			return true
		}
	}
	if shorten(&status.RuledOut, 0) || shorten(&status.NotChecked, 1) || shorten(&status.Over, 1) {
		return true
	}
	if shorten(&status.Findings, 1) || shorten(&status.Resolved, 1) || shorten(&status.Symptoms, 1) {
		return true
	}
	if status.Cohort != nil && len(status.Cohort.Shared) > 0 {
		status.Cohort.Shared = nil
		return true
	}
	return shorten(&status.NotChecked, 0) || shorten(&status.Over, 0) || shorten(&status.Symptoms, 0)
}

// shorten removes the last element of a list that has more than the least number. It reports whether it did.
func shorten[T any](list *[]T, least int) bool {
	if len(*list) <= least {
		return false
	}
	*list = (*list)[:len(*list)-1]
	return true
}

func size(status *v1alpha1.NodeDiagnosisStatus) int {
	text, _ := json.Marshal(status) // it has no type that could fail
	return len(text)
}
