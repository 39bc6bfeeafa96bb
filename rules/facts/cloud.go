package facts

import (
	"maps"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Resources are the cloud's resources of a type, in the order in which they were read.
func Resources(p *triage.Pass, typ string) []*evidence.CloudResource {
	var out []*evidence.CloudResource
	for _, r := range p.Snapshot.Data().CloudResources {
		if r.Type == typ {
			out = append(out, r)
		}
	}
	return out
}

// CloudCluster is the managed cluster as the cloud shows it, or nil.
func CloudCluster(p *triage.Pass) *evidence.CloudResource {
	if clusters := Resources(p, "cluster"); len(clusters) > 0 {
		return clusters[0]
	}
	return nil
}

// Machines are the cloud's instances by the node that each is or would be, and by resource id. An instance and its
// view may have been read apart; they are one here.
func Machines(p *triage.Pass) (byNode, byID map[string]*evidence.CloudResource) {
	byNode, byID = map[string]*evidence.CloudResource{}, map[string]*evidence.CloudResource{}
	for _, r := range Resources(p, "instance") {
		host := strings.ToLower(r.Properties["host"])
		if host == "" {
			host = strings.ToLower(r.Name)
		}
		m := byNode[host]
		if m == nil {
			one := *r
			one.Properties = maps.Clone(r.Properties)
			m = &one
			byNode[host] = m
		} else {
			join(m, r)
		}
		if m.ID != "" {
			byID[strings.ToLower(m.ID)] = m
		}
	}
	return byNode, byID
}

// join adds to an instance what another answer about it says.
func join(m, r *evidence.CloudResource) {
	if m.ID == "" {
		m.ID, m.Name = r.ID, r.Name
	}
	if m.Power == "" {
		m.Power = r.Power
	}
	if m.Provisioning == "" || !Failed(m) && Failed(r) {
		m.Provisioning = r.Provisioning
	}
	m.Errors = append(m.Errors[:len(m.Errors):len(m.Errors)], r.Errors...)
	for k, v := range r.Properties {
		if m.Properties[k] == "" {
			m.Properties[k] = v
		}
	}
}

// Failed tells whether the last change of a resource failed.
func Failed(r *evidence.CloudResource) bool {
	return len(r.Provisioning) >= 6 && strings.EqualFold(r.Provisioning[:6], "failed")
}

// Off tells whether a machine is switched off or gives its host back.
func Off(m *evidence.CloudResource) bool {
	power := strings.ToLower(m.Power)
	return strings.Contains(power, "stop") || strings.Contains(power, "dealloc")
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

// LastSegment is the name at the end of a resource id.
func LastSegment(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }
