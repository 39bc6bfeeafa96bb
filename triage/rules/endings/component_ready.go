package endings

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// ComponentReady resolves messages in the log of a component that became ready since.
var ComponentReady = &triage.Ending{
	ID:    "component-ready",
	Doc:   "The component became ready after the message and has stayed ready.",
	Dated: true,
	Reads: []evidence.Kind{evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod := p.Snapshot.Pod(f.Subject.Namespace, f.Subject.Name)
		if f.Channel != evidence.ComponentLog || pod == nil || lasting(p, f) {
			return triage.End{}, false
		}
		by := "pod " + pod.Key() + " has been ready since " + timeline.Stamp(pod.ReadySince)
		return triage.End{By: by, At: pod.ReadySince}, settledPod(p, pod) && timeline.CameLater(p.Snapshot, pod.ReadySince, f.Last)
	},
}

// settledPod reports whether a pod has been ready for a while. It must have a readiness probe: without one, a pod is ready as soon
// as it has started.
func settledPod(p *triage.Pass, pod *evidence.Pod) bool {
	if !pod.Works() || pod.Spec == nil {
		return false
	}
	asked := slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.ReadinessProbe != nil })
	age, known := p.Age(pod.ReadySince)
	return asked && known && age > facts.SettledFor
}
