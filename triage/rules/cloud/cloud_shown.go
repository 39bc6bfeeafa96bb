package cloud

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Shown lists cloud state that was read and shows no cause, so that it does not count as not read.
var Shown = &triage.Rule{
	ID:       "cloud-shown",
	Doc:      "Lists states, sizes, policies, roles, subnets, log destinations and failed operations. These alone prove no cause.",
	NeedsOne: []evidence.Kind{evidence.CloudState, evidence.CloudLog},
	Reads:    []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		well(p)
		if !lookedFor(p) {
			return
		}
		assigned(p)
		roles(p)
		refusedSizes(p)
		for _, s := range facts.Resources[*evidence.CloudSubnet](p) {
			if left := s.Free(); left.Known && len(facts.Resources[*evidence.CloudPool](p)) == 0 {
				p.Unknown("which pools use subnet "+s.Name, fmt.Sprintf("%d of its %d addresses are used; the pools were not read", s.Used.Value, s.Limit.Value), facts.Cloud(p).Command(advice.ShowPool))
			}
		}
		for _, t := range facts.Resources[*evidence.CloudLogTarget](p) {
			p.Unknown("the logs of "+facts.OrUnknown(t.Of), "setting "+t.Name+" sends "+cmp.Or(wording.Some(t.Kinds), "nothing")+" to "+facts.OrUnknown(wording.Some(facts.LastSegments(t.To)))+", which was not read",
				"read the logs there, at the time of the failure; cloud operations: "+logOf(p))
		}
		failures(p)
	},
}

// lookedFor reports whether the evidence is about a failed pool without a known reason, or only about such documents.
func lookedFor(p *triage.Pass) bool {
	return len(unexplained(p)) > 0 || len(p.Snapshot.Nodes()) == 0 && len(facts.Resources[*evidence.CloudPool](p)) == 0
}

func assigned(p *triage.Pass) {
	var refuse, count []string
	for _, a := range facts.Resources[*evidence.CloudPolicyAssignment](p) {
		if name := cmp.Or(a.Title, a.Name); a.Enforced == evidence.False {
			count = append(count, name)
		} else {
			refuse = append(refuse, name)
		}
	}
	if len(refuse)+len(count) == 0 {
		return
	}
	why := "assigned and enforced: " + cmp.Or(wording.Some(refuse), "none")
	if len(count) > 0 {
		why += "; not enforced: " + wording.Some(count)
	}
	p.Unknown("whether a policy denies the change", why+"; the list does not show what each one denies",
		"look for RequestDisallowedByPolicy in the activity log: "+logOf(p))
}

// logOf returns the command for the log of what failed.
func logOf(p *triage.Pass) shell.Text {
	for _, pool := range unexplained(p) {
		if pool.ID != "" {
			return facts.Cloud(p).Command(advice.ShowLogJSON, pool.ID)
		}
	}
	return facts.Cloud(p).Command(advice.ShowLogJSON, clusterID(p))
}

// roles lists the permissions that were read, if they do not show a missing one.
func roles(p *triage.Pass) {
	var rights []string
	subnet := "; the pools' subnet was not read"
	for _, r := range facts.Resources[*evidence.CloudRole](p) {
		if r.None {
			rights = append(rights, "none at all for "+r.Principal)
		} else if r.Role != "" {
			rights = append(rights, r.Role+" on "+facts.OrUnknown(facts.LastSegment(r.Scope)))
		}
	}
	for _, pool := range facts.Resources[*evidence.CloudPool](p) {
		if len(facts.MissingRoleOf(p, pool)) > 0 {
			return
		}
		if pool.Subnet != "" {
			subnet = ""
		}
	}
	if len(rights) > 0 {
		p.Unknown("whether the cluster has the required roles", "roles that were read: "+wording.Some(rights)+subnet, "look for AuthorizationFailed and its action in the activity log: "+logOf(p))
	}
}

// failures lists failed operations whose error text is not in the log.
func failures(p *triage.Pass) {
	for i, a := range p.Snapshot.Data().CloudActivities {
		if !a.Failed() || len(a.Errors) > 0 || i >= maxUnknownCodes || p.Snapshot.Overcome(a) {
			continue
		}
		ref := facts.ActivityRef(a)
		ref.Text = strings.TrimSpace(ref.Text + " " + a.Code)
		p.Found(triage.Claim{
			Says: "cloud-request-failed", Key: a.Operation, Since: a.Time, Evidence: []evidence.Ref{ref},
			Summary: a.Operation + " failed; the activity log has no error text",
		})
		p.Unknown("why "+a.Operation+" failed", "its error text was not read: "+ref.Text, facts.Cloud(p).Command(advice.ShowLogJSON, cmp.Or(a.Resource, clusterID(p))))
	}
}
