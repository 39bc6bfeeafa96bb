package collect

import (
	"slices"

	"github.com/nodetriage/nodetriage/collect/layouts"
	"github.com/nodetriage/nodetriage/evidence"
)

// notNodes are names that appear in place of a node name.
var notNodes = map[string]bool{"global": true, "errors": true}

// place is the subject of a file by its path.
type place struct {
	subject evidence.Subject // a node or a pod; zero: unknown
	// application: the log of a pod that is not a cluster component.
	application bool
}

func placeOf(path string) place {
	if m, log := podLogAt(path); log != nil {
		ns, pod := m[log.Path.SubexpIndex("ns")], m[log.Path.SubexpIndex("pod")]
		return place{subject: evidence.PodSubject(ns, pod), application: !evidence.ComponentNamespace(ns)}
	}
	return place{subject: nodeOf(path)}
}

// podLogAt returns the layout of a container log with that path, and its captures; nil if it is none.
func podLogAt(path string) ([]string, *layouts.PodLog) {
	for _, l := range layouts.All() {
		for i := range l.PodLogs {
			if m := l.PodLogs[i].Path.FindStringSubmatch(path); m != nil {
				return m, &l.PodLogs[i]
			}
		}
	}
	return nil, nil
}

func nodeOf(path string) evidence.Subject {
	if ofCluster(path) {
		return evidence.Subject{}
	}
	for _, l := range layouts.All() {
		for _, re := range l.Nodes {
			if m := re.FindStringSubmatch(path); m != nil && !notNodes[m[1]] {
				return evidence.NodeSubject(m[1])
			}
		}
	}
	return evidence.Subject{}
}

// ofCluster reports whether a path holds responses of the API server, on whichever machine the tool ran.
func ofCluster(path string) bool {
	return slices.ContainsFunc(layouts.All(), func(l *layouts.Layout) bool { return l.Cluster != nil && l.Cluster.MatchString(path) })
}

// repeats reports whether a path is a text view of a list that the tool also saves as objects.
func repeats(path string) bool {
	return slices.ContainsFunc(layouts.All(), func(l *layouts.Layout) bool { return l.Repeats != nil && l.Repeats.MatchString(path) })
}
