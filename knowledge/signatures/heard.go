package signatures

import (
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Heard returns how sure a signature may make of what it says when that speaker says its words; empty: it says nothing.
//   - Those whose words it knows: certain.
//   - Fields of an object are no messages: only what the components that keep the object write into it counts.
//   - A speaker that is not known, or known by the form of its lines alone: likely.
//   - Another component: possible. An application's log says nothing about a node.
func (s *Signature) Heard(by logline.Speaker) Certainty {
	knows := func(list ...logline.Speaker) bool {
		return slices.ContainsFunc(list, func(x logline.Speaker) bool { return slices.Contains(s.Speakers, x) })
	}
	switch {
	case by == logline.Application && !knows(by):
		return ""
	case by == logline.Object:
		if len(s.Speakers) > 0 && (s.Provider != "" || !knows(by, logline.Kubelet, logline.Controllers, logline.Scheduler)) {
			return ""
		}
		return Certain
	case len(s.Speakers) == 0 && by != logline.Other:
		return Certain
	case by == logline.Unknown || by == logline.Klog || by == logline.Monitor && knows(by):
		return Likely // a monitor repeats what it once saw, and some never take it back
	case knows(by):
		return Certain
	}
	return Possible
}
