package collect

import (
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
	lazyregexp.New(`(?:^|/)host_service_logs/[^/]+/[^/]+\.log$`),               // must-gather: journals of units
}

// coverSilence lets logs that a tool saved together with the objects go on until those were read: what a component did not say
// again by then, it did not say again. That holds for components that work; one that hangs is silent, too.
func coverSilence(d *evidence.Data) {
	if d.TakenAt.IsZero() {
		return
	}
	c := coverage{working: workingAt(d), whole: map[string]bool{}}
	for _, m := range d.Matches {
		if quiet := d.TakenAt.Sub(m.Last); !m.Last.IsZero() && quiet > 0 && c.covers(m.Ref.Source, m.Subject) {
			m.Quiet, m.Until = max(m.Quiet, quiet), later(m.Until, d.TakenAt)
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
	working map[evidence.Subject]bool
	whole   map[string]bool // by source
}

func (c *coverage) covers(source string, about evidence.Subject) bool {
	if !c.working[about] {
		return false
	}
	whole, known := c.whole[source]
	if !known {
		whole = isSavedWhole(source)
		c.whole[source] = whole
	}
	return whole
}

func isSavedWhole(source string) bool {
	for _, re := range savedWhole {
		if re.MatchString(source) {
			return true
		}
	}
	return false
}

// workingAt are the pods whose containers run and are ready, or have ended well, and the nodes whose kubelets reported until the end.
func workingAt(d *evidence.Data) map[evidence.Subject]bool {
	out := map[evidence.Subject]bool{}
	for _, p := range d.Pods {
		if !p.Partial && (p.Works() || p.Finished() && p.Reason == "") {
			out[evidence.PodSubject(p.Namespace, p.Name)] = true
		}
	}
	for _, n := range d.Nodes {
		if !n.Partial && n.Ready() == evidence.True {
			out[evidence.NodeSubject(n.Name)] = true
		}
	}
	return out
}
