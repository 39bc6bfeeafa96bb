package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
	"github.com/nodetriage/nodetriage/wording"
)

// RepeatedNotAgain resolves events that a kubelet would have repeated, on a Ready node.
var RepeatedNotAgain = &triage.Ending{
	ID:    "repeated-not-again",
	Doc:   "The kubelet repeats the event while the problem lasts, but has not for a long time, and the node is Ready.",
	Texts: events, Dated: true,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		n := ofNode(p, f)
		if n == nil || n.Ready() != evidence.True || !repeated[facts.ReasonOf(f.Match)] {
			return triage.End{}, false
		}
		age, known := p.Age(f.Last)
		return triage.End{By: "the kubelet has not repeated the event for " + wording.Duration(age), At: f.Last}, known && age > timeline.EventSilence
	},
}

// repeated are the reasons of events that a kubelet repeats as long as the problem lasts. It collects containers every minute and
// images every five (kubernetes pkg/kubelet/kubelet.go, 1.36.3), and evicts every ten seconds.
var repeated = map[string]bool{"ContainerGCFailed": true, "ImageGCFailed": true, "FreeDiskSpaceFailed": true, "EvictionThresholdMet": true}
