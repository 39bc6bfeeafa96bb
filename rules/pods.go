package rules

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// youngPod is the age below which a pod may well be still starting.
const youngPod = 5 * time.Minute

func young(p *triage.Pass, pod *evidence.Pod) bool {
	age, known := p.Age(pod.Created)
	return known && age < youngPod
}

// changed is when the pod last became ready or unready; zero: not told.
func changed(pod *evidence.Pod) time.Time {
	if pod.ReadySince.IsZero() {
		return pod.Created
	}
	return pod.ReadySince
}
