package collect

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
)

// savedWhole are the paths at which tools save the log of a container up to the moment at which they ask for it, or that of the
// run before. A file below /var/log may have been rotated away since.
var savedWhole = []*lazyregexp.Regexp{
	lazyregexp.New(`(?:^|/)cluster-resources/pods/logs/[^/]+/[^/]+/[^/]+$`),    // troubleshoot
	lazyregexp.New(`(?:^|/)namespaces/[^/]+/pods/[^/]+/.*logs/[^/]+$`),         // oc adm inspect
	lazyregexp.New(`(?:^|/)podlogs/[^/]+/[^/]+/(?:logs/)?[^/]+$`),              // sonobuoy
	lazyregexp.New(`(?:^|/)kubecapture/core_v1/[^/]+/[^/]+/[^/]+/[^/]+\.log$`), // crash-diagnostics
	lazyregexp.New(`(?:^|/)[a-z0-9-]+/[a-z0-9.-]+/logs\.txt$`),                 // kubectl cluster-info dump
}

// savedJournals are those at which tools save journals of a machine, which goes on whatever becomes of its kubelet.
var savedJournals = []*lazyregexp.Regexp{
	lazyregexp.New(`(?:^|/)host_service_logs/[^/]+/[^/]+\.log$`),             // must-gather
	lazyregexp.New(`(?:^|/)sos_commands/[^/]+/(?:[^/]+/)?journalctl_[^/]+$`), // sosreport
}

// coverSilence lets logs that a tool saved together with the objects go on until those were read: what a component did not say
// again by then, it did not say again. That holds for components that work; one that hangs is silent, too.
func coverSilence(d *evidence.Data) {
	if d.TakenAt.IsZero() {
		return
	}
	c := newCoverage(d)
	for _, m := range d.Matches {
		quiet := d.TakenAt.Sub(m.Last)
		switch {
		case m.Last.IsZero() || quiet <= 0:
		case c.covers(m.Ref.Source, m.Subject):
			m.Quiet, m.Until = max(m.Quiet, quiet), later(m.Until, d.TakenAt)
		case m.Subject.Kind == "Pod" && !c.known[m.Subject] && c.as(m.Ref.Source).ofPod:
			m.Silent = quiet
		}
	}
	for _, l := range d.Lines {
		if quiet := d.TakenAt.Sub(l.Time); !l.Time.IsZero() && c.covers(l.Ref.Source, l.Subject) {
			l.Quiet = max(l.Quiet, quiet)
		}
	}
}

// coverage tells which logs reach to the time of the evidence.
type coverage struct {
	known   map[evidence.Subject]bool // pods in the evidence
	working map[evidence.Subject]bool // pods whose containers run and are ready, or have ended well
	failing map[evidence.Subject]bool // nodes that are not Ready
	saved   map[string]savedAs        // by source
}

// savedAs is how a log was saved.
type savedAs struct{ ofPod, ofHost bool }

func newCoverage(d *evidence.Data) *coverage {
	c := &coverage{known: map[evidence.Subject]bool{}, working: map[evidence.Subject]bool{}, failing: map[evidence.Subject]bool{}, saved: map[string]savedAs{}}
	for _, p := range d.Pods {
		c.known[p.Subject()] = true
		if !p.Partial && (p.Works() || p.Finished() && p.Reason == "") {
			c.working[p.Subject()] = true
		}
	}
	for _, n := range d.Nodes {
		if n.NotReady() {
			c.failing[n.Subject()] = true
		}
	}
	return c
}

// as is how the log of that source was saved.
func (c *coverage) as(source string) savedAs {
	as, known := c.saved[source]
	if !known {
		as = savedAs{ofPod: anyMatch(savedWhole, source), ofHost: anyMatch(savedJournals, source)}
		c.saved[source] = as
	}
	return as
}

func (c *coverage) covers(source string, about evidence.Subject) bool {
	as := c.as(source)
	if about.Kind == "Pod" {
		return as.ofPod && c.working[about]
	}
	return as.ofHost && !c.failing[about]
}

func anyMatch(list []*lazyregexp.Regexp, text string) bool {
	return slices.ContainsFunc(list, func(re *lazyregexp.Regexp) bool { return re.MatchString(text) })
}
