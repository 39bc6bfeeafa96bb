package collect

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/collect/layouts"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// coverSilence extends logs that a tool saved with the objects to the time of the objects: a message that did not recur by then
// stopped. The evidence must show that the writer of the log works, because a hung writer is silent too. Pod logs in a dump are
// complete.
func coverSilence(d *evidence.Data) {
	if d.TakenAt.IsZero() {
		return
	}
	c := newCoverage(d)
	for _, source := range d.Dumps {
		c.saved[source] = savedAs{ofPod: true}
	}
	for _, m := range d.Matches {
		quiet := d.TakenAt.Sub(m.Last)
		if m.Last.IsZero() || quiet <= 0 {
			continue
		}
		switch c.of(m.Ref.Source, m.Subject, m.Last, m.Count > 1) {
		case works:
			m.Quiet, m.Until = max(m.Quiet, quiet), later(m.Until, d.TakenAt)
		case mayHang:
			m.Silent = max(m.Silent, quiet)
		}
	}
	for _, l := range d.Lines {
		if quiet := d.TakenAt.Sub(l.Time); !l.Time.IsZero() && c.of(l.Ref.Source, l.Subject, l.Time, l.Count > 1) == works {
			l.Quiet = max(l.Quiet, quiet)
		}
	}
}

// silence is what the silence at the end of a log means.
type silence int

const (
	unknown silence = iota // the log may be incomplete, or its writer is known not to work
	mayHang                // nothing shows whether its writer works
	works
)

// coverage is what the evidence shows about the writers of logs.
type coverage struct {
	pods  podFinder
	heard map[evidence.Subject]time.Time // last heartbeat of the kubelets of Ready nodes
	saved map[string]savedAs             // by source
}

// savedAs is how a log was saved.
type savedAs struct{ ofPod, ofHost bool }

func newCoverage(d *evidence.Data) *coverage {
	c := &coverage{pods: podsByName(d), heard: map[evidence.Subject]time.Time{}, saved: map[string]savedAs{}}
	for _, n := range d.Nodes {
		if ready := n.Condition(corev1.NodeReady); ready != nil && ready.Status == corev1.ConditionTrue {
			c.heard[n.Subject()] = ready.LastHeartbeatTime.Time
		}
	}
	for _, l := range d.Leases {
		node := evidence.NodeSubject(l.Name)
		if at, ready := c.heard[node]; ready && l.Namespace == corev1.NamespaceNodeLease && l.Renewed.After(at) {
			c.heard[node] = l.Renewed
		}
	}
	return c
}

// probed reports whether the kubelet probes the readiness of a container of the pod. Other containers are ready as soon as they
// start.
func probed(p *evidence.Pod) bool {
	return p.Spec != nil && slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool { return c.ReadinessProbe != nil })
}

// of returns what the silence of a log means after the last message about the subject, repeated or not.
func (c *coverage) of(source string, about evidence.Subject, last time.Time, repeated bool) silence {
	as, known := c.saved[source]
	if !known {
		as = savedAs{ofPod: savedWhole(source), ofHost: ofJournal(source)}
		c.saved[source] = as
	}
	switch {
	case about.Kind == "Node" && as.ofHost:
		if c.heard[about].After(last) {
			return works
		}
	case about.Kind == "Pod" && as.ofPod:
		return silenceOf(c.pods(about), repeated)
	}
	return unknown
}

// silenceOf returns what the silence of the log of a pod means; nil: the pod is not in the evidence. A component that waits forever logs its
// reason only once, and is ready if it has no readiness probe.
func silenceOf(p *evidence.Pod, repeated bool) silence {
	if p == nil {
		return mayHang
	}
	ended := p.Phase == corev1.PodSucceeded
	switch {
	case p.Partial || !ended && !p.Works():
		return unknown
	case repeated || ended || probed(p):
		return works
	}
	return mayHang
}

// savedWhole reports whether a tool saves complete container logs at that path.
func savedWhole(source string) bool {
	return slices.ContainsFunc(layouts.All(), func(l *layouts.Layout) bool {
		return slices.ContainsFunc(l.PodLogs, func(log layouts.PodLog) bool { return log.Whole && log.Path.MatchString(source) })
	})
}

// ofJournal reports whether a tool saves the journal of a machine at that path. The journal continues if the kubelet stops.
func ofJournal(source string) bool {
	return slices.ContainsFunc(layouts.All(), func(l *layouts.Layout) bool {
		return slices.ContainsFunc(l.Journals, func(re *lazyregexp.Regexp) bool { return re.MatchString(source) })
	})
}
