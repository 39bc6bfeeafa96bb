package cloud

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Operations finds operations on pools and clusters that do not end, and failed ones without an entry in the log. Upgrades have
// their own limit: that of the node that blocks them.
var Operations = &triage.Rule{
	ID:    "cloud-operations",
	Doc:   "Finds clusters and pools with an operation in progress, and the duration of the operation. Also finds failed clusters and pools whose error is not in the activity log.",
	Needs: []evidence.Kind{evidence.CloudState},
	Reads: []evidence.Kind{evidence.CloudLog},
	Check: func(p *triage.Pass) {
		var units []*evidence.CloudItem
		for _, pool := range facts.Resources[*evidence.CloudPool](p) {
			units = append(units, &pool.CloudItem)
		}
		pools := len(units)
		for _, c := range facts.Resources[*evidence.CloudCluster](p) {
			units = append(units, &c.CloudItem)
		}
		for i, r := range units {
			if r.Failed() && r.ID != "" && !toldInLog(p, r) {
				p.Unknown("the error in the activity log for the failure of "+strings.TrimSpace(r.Type+" "+r.Name), "the log that was read has no failed operation on it; entries are up to 15 minutes late and kept for 90 days",
					"in 15 minutes: "+facts.Cloud(p).Command(advice.ShowLogJSON, r.ID)+"; log destinations of its VMs: "+facts.Cloud(p).Command(advice.ShowLogTargets, machinesOf(p, r)))
			}
			if r.Stage != evidence.StageChanging {
				continue
			}
			subject := evidence.ClusterSubject()
			if i < pools {
				subject = evidence.Subject{Kind: "Pool", Name: r.Name}
			}
			what := strings.TrimSpace(r.Type + " " + r.Name)
			a := facts.OperationOn(p, r)
			if a == nil || a.Time.IsZero() {
				p.Unknown("how long the operation on "+what+" has run", "it is "+r.State+", and its start is not in the activity log that was read",
					facts.Cloud(p).Command(advice.ShowLog, facts.OrUnknown(r.ID)))
				continue
			}
			age, known := p.Age(a.Time)
			switch {
			case !known:
				p.Unknown("how long the operation on "+what+" has run", "the time of the evidence is unknown", "add --at TIME")
			case age < facts.OperationTime:
				p.RuleOut("cloud-operation-conflict", subject, what+" has been "+r.State+" for "+wording.Duration(age)+", which is normal")
			default:
				p.Found(triage.Claim{
					Says: "cloud-operation-conflict", Subject: subject, Certainty: triage.Likely, Key: "age", Since: a.Time, Fill: map[string]string{"pool": r.Name},
					Summary:  fmt.Sprintf("%s has been %s for %s and does not finish; other operations are rejected until then", what, r.State, wording.Duration(age)),
					Evidence: []evidence.Ref{facts.CloudRef(r, "provisioningState", r.State), facts.ActivityRef(a)},
				})
			}
		}
	},
}

// toldInLog reports whether the log has a failed operation on the cluster or pool, on something below it, or on machines of the
// pool.
func toldInLog(p *triage.Pass, r *evidence.CloudItem) bool {
	id := strings.ToLower(r.ID)
	return slices.ContainsFunc(p.Snapshot.Data().CloudActivities, func(a *evidence.CloudActivity) bool {
		on := strings.ToLower(a.Resource)
		return a.Failed() && (on == id || strings.HasPrefix(on, id+"/") || strings.Contains(on, "/virtualmachinescalesets/aks-"+strings.ToLower(r.Name)+"-"))
	})
}

// machinesOf returns the ID of the scale set of the pool, or the pool's own ID if no scale set was read.
func machinesOf(p *triage.Pass, unit *evidence.CloudItem) string {
	for _, set := range facts.Resources[*evidence.CloudSet](p) {
		if strings.EqualFold(set.Pool, unit.Name) && set.ID != "" {
			return set.ID
		}
	}
	return unit.ID
}
