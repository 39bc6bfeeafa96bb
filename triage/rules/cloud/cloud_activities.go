package cloud

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// An operation on the machine counts as a suspect in this window around a node's failure: the control plane notices within a
// minute, activity logs may be minutes late.
const (
	beforeFailure = 15 * time.Minute
	afterFailure  = 2 * time.Minute
)

// doneBy maps a part of an operation's name to its effect on the node (Microsoft.Compute resource provider operations).
var doneBy = []struct{ part, says, words string }{
	{"/deallocate/action", "machine-off", "deallocated"}, {"/poweroff/action", "machine-off", "powered off"},
	{"/delete", "cloud-node-deleted", "deleted"},
	{"/restart/action", "cloud-repair-in-progress", "restarted"}, {"/reimage/action", "cloud-repair-in-progress", "reimaged"},
	{"/redeploy/action", "cloud-repair-in-progress", "redeployed"}, {"/performmaintenance/action", "cloud-host-maintenance", "serviced"},
}

// Activities correlates the cloud's activity log with the time at which a node failed.
var Activities = &triage.Rule{
	ID:    "cloud-activities",
	Doc:   "Finds cloud operations on a node's VM or scale set shortly before the node became NotReady.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.CloudLog},
	Check: func(p *triage.Pass) {
		activities := p.Snapshot.Data().CloudActivities
		for _, n := range p.Snapshot.Nodes() {
			id, fell := machineID(n), facts.Since(n)
			if id == "" || !n.NotReady() || len(activities) == 0 {
				continue
			}
			found := false
			for _, a := range activities {
				resource, operation := strings.ToLower(a.Resource), strings.ToLower(a.Operation)
				own := resource == id || strings.HasPrefix(resource, id+"/")
				if !own && resource != parent(id) || !nearFailure(a.Time, fell) {
					continue
				}
				for _, d := range doneBy {
					if !strings.Contains(operation, d.part) || endedBadly(p, a) {
						continue
					}
					found = true
					p.Found(activity(n, a, d.says, d.words, own))
					break
				}
			}
			switch {
			case fell.IsZero():
				p.Unknown("cloud operations on "+n.Name+" when it failed", "the time of the failure is not in the evidence", shell.Format("kubectl get node {node} -o yaml", n.Name))
			case !found:
				p.RuleOut("cloud-repair-in-progress", n.Subject(), fmt.Sprintf("none of %d cloud operations concerns its VM at that time", len(activities)))
			}
		}
	},
}

func activity(n *evidence.Node, a *evidence.CloudActivity, says, words string, own bool) triage.Claim {
	c := triage.Claim{
		Says: says, Subject: n.Subject(), Certainty: triage.Likely, Since: a.Time, Key: "activity", Evidence: []evidence.Ref{facts.ActivityRef(a)},
		Summary: fmt.Sprintf("the VM was %s at %s by %s; the node failed at %s", words, a.Time.Format("15:04:05Z"),
			facts.OrUnknown(a.Caller), facts.Since(n).Format("15:04:05Z")),
	}
	if !own { // which machines of the scale set were meant is unknown
		c.Certainty = triage.Possible
		c.Summary = strings.Replace(c.Summary, "the VM was", "VMs of its scale set were", 1)
	}
	return c
}

// nearFailure reports whether an activity began when a node failed. Without a time it returns false.
func nearFailure(began, fell time.Time) bool {
	if began.IsZero() || fell.IsZero() {
		return false
	}
	return !began.Before(fell.Add(-beforeFailure)) && !began.After(fell.Add(afterFailure))
}
