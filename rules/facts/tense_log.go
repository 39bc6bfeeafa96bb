package facts

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// logEnd reports whether a log goes on without a message, or tells of a runtime that was only restarted.
func logEnd(p *triage.Pass, m *evidence.Match) (ending, bool) {
	if restarted(p, m) {
		return ending{By: "the runtime answered again"}, true
	}
	sig := p.Signatures.Lookup(m.Signature)
	lasting := p.Catalog.LastsUntilReboot(sig.Says) && sig.Certainty != signatures.Possible // a word that may stand for many things is of its moment
	pause := max(m.Span/time.Duration(max(m.Count-1, 1)), time.Duration(sig.Again))
	if (m.Rebooted || !lasting) && Quiet(m.Speaker, lastText(m), m.Quiet, pause) {
		return ending{fmt.Sprintf("its log goes on for %s without it", wording.Duration(m.Quiet)), m.Last}, true
	}
	return contradictedByAPI(p, m)
}

// sameClock is how far the end of a log and the time of the evidence may be apart for the log to have been taken with it. A log
// in another time zone, or of another day, is not compared with objects.
const sameClock = 10 * time.Minute

// contradictedByAPI reports whether the objects of the API show that what a log says of its node is over: the node became Ready
// after it, its kubelet renewed its lease after it, or a pod was started there after it.
func contradictedByAPI(p *triage.Pass, m *evidence.Match) (ending, bool) {
	n := p.Snapshot.Node(NodeOf(p.Snapshot, m.Subject))
	apart, known := p.Age(m.Until)
	if n == nil || n.Partial || n.Ready() != evidence.True || m.Last.IsZero() || !known || m.Until.IsZero() || apart.Abs() > sameClock {
		return ending{}, false
	}
	if period := time.Duration(p.Signatures.Lookup(m.Signature).Again); period > 0 {
		l := p.Snapshot.NodeLease(n.Name)
		since, _ := p.Age(m.Last)
		return ending{"its kubelet has not said it again for " + wording.Duration(since), m.Last}, l != nil && since > 2*period && cameLater(p, l.Renewed, m.Last.Add(period))
	}
	says := p.Signatures.Lookup(m.Signature).Says
	ready := n.Condition(corev1.NodeReady).LastTransitionTime.UTC()
	if stopsNode(p, says) && cameLater(p, ready, m.Last.Truncate(time.Second).Add(-1)) { // the API tells whole seconds
		return ending{"node " + n.Name + " is Ready since " + stamp(ready), ready}, true
	}
	margin := leasePeriod
	if momentary(p, says) { // one request that failed: the next renewal did not
		margin = 0
	}
	if l := p.Snapshot.NodeLease(n.Name); l != nil && silencesNode(p, says) && cameLater(p, l.Renewed, m.Last.Add(margin)) {
		return ending{"its kubelet renewed the lease at " + stamp(l.Renewed), m.Last}, true
	}
	if end, ok := wellSince(p, n, m, says); ok {
		return end, true
	}
	if !hindersPods(p, says) {
		return ending{}, false
	}
	for _, pod := range p.Snapshot.PodsOn(n.Name) {
		if at := startOf(pod); cameLater(p, at, m.Last) {
			return ending{"pod " + pod.Key() + " was started there at " + stamp(at), at}, true
		}
	}
	return ending{}, false
}

// leasePeriod is how often a kubelet renews its lease (kubernetes pkg/kubelet/kubelet.go, 1.36.3: a quarter of 40 s).
const leasePeriod = 10 * time.Second

// stopsNode reports whether no node is Ready while it is as is said, or whether it tells of a node that has come back. That it can
// keep one from being Ready is not enough: a node that was cut off becomes Ready on a disk that fails, too.
func stopsNode(p *triage.Pass, says string) bool {
	keeps := p.Catalog.Keeps(says)
	return keeps == catalog.Ready || keeps == catalog.Answering || silencesNode(p, says) || p.Catalog.Role(says) == catalog.Transient
}

// silencesNode reports whether no kubelet reports while it is as is said.
func silencesNode(p *triage.Pass, says string) bool {
	return p.Catalog.Keeps(says) == catalog.Reporting
}

// hindersPods reports whether what is said keeps pods from starting or from ending by itself. What does so only by way of something
// else may last while they start.
func hindersPods(p *triage.Pass, says string) bool {
	cause := p.Catalog.Cause(says)
	return p.Catalog.Keeps(says) == catalog.Pods || cause != nil && cause.Lasts == "" && slices.ContainsFunc(cause.Explains, func(symptom string) bool {
		return symptom == "pods-not-starting" || symptom == "pods-not-stopping" || symptom == "sandbox-create-failed"
	})
}
