package cloud

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// well records that the last operation of everything that was read of the cluster succeeded, if only the cloud was read.
func well(p *triage.Pass) {
	d := p.Snapshot.Data()
	if len(d.Nodes)+len(facts.Resources[*evidence.CloudSaid](p)) > 0 || slices.ContainsFunc(d.CloudActivities, func(a *evidence.CloudActivity) bool { return a.Failed() && !p.Snapshot.Overcome(a) }) {
		return
	}
	var names []string
	for _, one := range d.CloudResources {
		kind := ""
		switch one.(type) {
		case *evidence.CloudCluster:
			kind = "the cluster"
		case *evidence.CloudPool:
			kind = "pool " + one.Item().Name
		case *evidence.CloudSet:
			kind = "scale set " + one.Item().Name
		case *evidence.CloudMachine:
			kind = "machine " + one.Item().Name
		default:
			continue
		}
		if one.Item().Stage != evidence.StageDone {
			return
		}
		names = append(names, kind)
	}
	if len(names) > 0 {
		why := "the cloud resources that were read show no problem; the last operation succeeded for " + wording.Some(names)
		if i := slices.IndexFunc(d.CloudActivities, (*evidence.CloudActivity).Failed); i >= 0 {
			why += "; " + d.CloudActivities[i].Operation + " failed earlier and has succeeded since"
		}
		p.Unknown("the cause", why, "kubectl get nodes -o wide; earlier failures: "+logOf(p))
	}
}
