package signatures

import (
	"slices"

	"github.com/nodetriage/nodetriage/logline"
)

// Heard returns how sure the signature is at most when that speaker says its words; empty: it says nothing.
//   - Those whose words it knows: as sure as it is.
//   - Fields of an object are no messages: only what the components that keep the object write into it counts.
//   - A speaker that is not known, or known by the form of its lines alone: at most likely.
//   - Another component: at most possible. An application's log says nothing about a node.
func (s *Signature) Heard(by logline.Speaker) Certainty {
	knows := func(list ...logline.Speaker) bool {
		return slices.ContainsFunc(list, func(x logline.Speaker) bool { return slices.Contains(s.Speakers, x) })
	}
	switch {
	case by == logline.Application:
		return ""
	case by == logline.Object:
		if len(s.Speakers) > 0 && (s.Provider != "" || !knows(logline.Kubelet, logline.Controllers, logline.Scheduler)) {
			return ""
		}
		return s.Certainty
	case by == logline.Unknown || by == logline.Klog:
		return s.atMost(Likely)
	case len(s.Speakers) == 0 && by != logline.Other, knows(by):
		return s.Certainty
	}
	return s.atMost(Possible)
}

// atMost is the signature's certainty, or the given one where that is less. A symptom's signature has none of its own.
func (s *Signature) atMost(c Certainty) Certainty {
	order := []Certainty{Possible, Likely, Certain}
	if s.Certainty == "" || slices.Index(order, s.Certainty) > slices.Index(order, c) {
		return c
	}
	return s.Certainty
}
