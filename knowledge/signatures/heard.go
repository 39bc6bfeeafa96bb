package signatures

import (
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Heard returns the maximum certainty of a match in a line of that speaker; empty means no match.
//   - The speakers in Speakers: certain.
//   - Fields of an object are not messages: only the messages of the components that write the object count.
//   - An unknown speaker, or one that only the form of its lines identifies: likely.
//   - Another component: possible. An application's log shows nothing about a node.
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
		return Likely // a monitor repeats old problems, and some never clear them
	case knows(by):
		return Certain
	}
	return Possible
}
