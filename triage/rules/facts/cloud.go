package facts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Resources returns the cloud resources of a type in the order in which they were read.
func Resources[T evidence.CloudResource](p *triage.Pass) []T {
	return evidence.CloudOf[T](p.Snapshot.Data())
}

// CloudCluster returns the managed cluster from the cloud state, or nil.
func CloudCluster(p *triage.Pass) *evidence.CloudCluster {
	if clusters := Resources[*evidence.CloudCluster](p); len(clusters) > 0 {
		return clusters[0]
	}
	return nil
}

// Machines returns the cloud instances by node name and by resource id. An instance and its instance view may be read separately;
// here they are merged.
func Machines(p *triage.Pass) (byNode, byID map[string]*evidence.CloudMachine) {
	all := Resources[*evidence.CloudMachine](p)
	slices.SortStableFunc(all, func(a, b *evidence.CloudMachine) int { // instances with a node name come first, because they are found by it
		return cmp.Compare(min(1, len(b.Host)), min(1, len(a.Host)))
	})
	byNode, byID = map[string]*evidence.CloudMachine{}, map[string]*evidence.CloudMachine{}
	for _, r := range all {
		host := strings.ToLower(r.Host)
		if host == "" {
			host = strings.ToLower(r.Name)
		}
		m := byNode[host]
		if m == nil && r.ID != "" {
			m = byID[strings.ToLower(r.ID)]
		}
		if m == nil {
			one := *r
			m = &one
			byNode[host] = m
		} else {
			m.Join(r)
		}
		if m.ID != "" {
			byID[strings.ToLower(m.ID)] = m
		}
	}
	return byNode, byID
}

// ActivityRef quotes an entry of the activity log.
func ActivityRef(a *evidence.CloudActivity) evidence.Ref {
	ref := a.Ref
	ref.Locator, ref.ObservedAt = "activity "+a.Operation, a.Time
	ref.Text = strings.TrimSpace(a.Time.Format("2006-01-02T15:04:05Z07:00") + " " + a.Status + " by " + OrUnknown(a.Caller))
	if len(a.Errors) > 0 {
		ref.Text += ": " + a.Errors[len(a.Errors)-1].Code
	}
	if ref.Source == "" {
		ref.Source = "cloud"
	}
	return ref
}

// LastSegment returns the name at the end of a resource id.
func LastSegment(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }

// LastSegments returns the names at the end of several ids.
func LastSegments(ids []string) (names []string) {
	for _, id := range ids {
		names = append(names, LastSegment(id))
	}
	return names
}
