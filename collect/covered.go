package collect

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/collect/layouts"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// coverSilence lets logs that a tool saved together with the objects go on until those were read: what was not said again by then was
// not said again, if the evidence shows that who writes the log works. One that hangs is silent, too. The logs of pods in a dump
// were printed whole.
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

// silence is what it means that a log says no more.
type silence int

const (
	unknown silence = iota // the log may not have been saved to its end, or its writer is known not to work
	mayHang                // nothing shows whether its writer works
	works
)

// coverage is what the evidence shows of who writes logs.
type coverage struct {
	known  map[evidence.Subject]bool      // pods in the evidence
	works  map[evidence.Subject]bool      // pods that are ready or have ended well
	probed map[evidence.Subject]bool      // of those, pods whose readiness is asked for, or that have ended
	heard  map[evidence.Subject]time.Time // when kubelets of nodes that are Ready were last heard of
	saved  map[string]savedAs             // by source
}

// savedAs is how a log was saved.
type savedAs struct{ ofPod, ofHost bool }

func newCoverage(d *evidence.Data) *coverage {
	c := &coverage{
		known: map[evidence.Subject]bool{}, works: map[evidence.Subject]bool{}, probed: map[evidence.Subject]bool{},
		heard: map[evidence.Subject]time.Time{}, saved: map[string]savedAs{},
	}
	for _, p := range d.Pods {
		c.known[p.Subject()] = true
		ended := p.Phase == corev1.PodSucceeded
		if p.Partial || !ended && !p.Works() {
			continue
		}
		c.works[p.Subject()] = true
		c.probed[p.Subject()] = ended || probed(p)
	}
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

// probed reports whether a kubelet asks a container of the pod whether it is ready: others are as soon as they have started.
func probed(p *evidence.Pod) bool {
	return p.Spec != nil && slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool { return c.ReadinessProbe != nil })
}

// of is what the silence of a log means behind a message about the subject that came last at that time, and repeatedly or once: a
// component that waits for ever says once what for, and is ready where nobody asks it.
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
	case about.Kind != "Pod" || !as.ofPod:
	case !c.known[about]:
		return mayHang
	case c.works[about] && (repeated || c.probed[about]):
		return works
	case c.works[about]:
		return mayHang
	}
	return unknown
}

// savedWhole reports whether a path is one at which a tool saves the log of a container to its end.
func savedWhole(source string) bool {
	return slices.ContainsFunc(layouts.All(), func(l *layouts.Layout) bool {
		return slices.ContainsFunc(l.PodLogs, func(log layouts.PodLog) bool { return log.Whole && log.Path.MatchString(source) })
	})
}

// ofJournal reports whether a path is one at which a tool saves a journal of a machine, which goes on whatever becomes of its kubelet.
func ofJournal(source string) bool {
	return slices.ContainsFunc(layouts.All(), func(l *layouts.Layout) bool {
		return slices.ContainsFunc(l.Journals, func(re *lazyregexp.Regexp) bool { return re.MatchString(source) })
	})
}
