package facts

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// readySince reports whether a component became ready after what its log says: what kept it from its work it has got over.
func readySince(p *triage.Pass, m *evidence.Match) (ending, bool) {
	pod := p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name)
	if m.Channel != evidence.ComponentLog || pod == nil || m.Last.IsZero() {
		return ending{}, false
	}
	sig := p.Signatures.Lookup(m.Signature)
	lasting := p.Catalog.LastsUntilReboot(sig.Says) && sig.Certainty != signatures.Possible
	if lasting || !settledPod(p, pod) || !cameLater(p, pod.ReadySince, m.Last) {
		return ending{}, false
	}
	return ending{"pod " + pod.Key() + " is ready since " + stamp(pod.ReadySince), pod.ReadySince}, true
}

// settledPod reports whether a pod answers that it is ready, for a while: one that nobody asks is ready as soon as it has started.
func settledPod(p *triage.Pass, pod *evidence.Pod) bool {
	if !pod.Works() || pod.Spec == nil {
		return false
	}
	asked := slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.ReadinessProbe != nil })
	age, known := p.Age(pod.ReadySince)
	return asked && known && age > SettledFor
}

// servesAll reports whether all kubelets were heard of after a message of trouble that keeps the API server from hearing them, and
// the message did not come again.
func servesAll(p *triage.Pass, m *evidence.Match) (ending, bool) {
	cause := p.Catalog.Cause(p.Signatures.Lookup(m.Signature).Says)
	silent := !m.Last.IsZero() && m.Quiet > again(m)
	if cause == nil || !stopsLeases(cause) || !silent {
		return ending{}, false
	}
	heard := heardOfAllSince(p, m.Last.Add(leasePeriod))
	if heard.IsZero() {
		return ending{}, false
	}
	return ending{"the API server has heard of all kubelets since " + stamp(heard), heard}, true
}

// heardOfAllSince is when the first of all nodes was last heard of, where that was later than the time for each of them; zero: it was not.
func heardOfAllSince(p *triage.Pass, t time.Time) time.Time {
	var first time.Time
	for _, n := range p.Snapshot.Nodes() {
		ready := n.Condition(corev1.NodeReady)
		if n.Partial || ready == nil || n.Ready() != evidence.True {
			return time.Time{}
		}
		heard := heardOf(p, n)
		if !cameLater(p, heard, t) {
			return time.Time{}
		}
		if first.IsZero() || heard.Before(first) {
			first = heard
		}
	}
	return first
}

// ofAnotherPod reports whether what ended names a pod that the message, with the lines around it, does not name.
func ofAnotherPod(m, end *evidence.Match) bool {
	pod := end.Captures["pod"]
	if pod == "" {
		return false
	}
	return !slices.ContainsFunc(Texts(m), func(text string) bool { return strings.Contains(text, pod) })
}
