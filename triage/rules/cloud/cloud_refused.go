package cloud

import (
	"cmp"
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Refused names the identity with the missing permission. The cluster has its own identity, and people and pipelines may be denied
// too.
var Refused = &triage.Rule{
	ID:    "cloud-refused",
	Doc:   "Reads from authorization errors which identity was denied which action, and whether it is the cluster's identity.",
	Needs: []evidence.Kind{evidence.Messages},
	Reads: []evidence.Kind{evidence.CloudState, evidence.CloudLog},
	Check: func(p *triage.Pass) {
		lines, named := facts.LinesSaying(p, deniedCause), false
		for _, m := range lines {
			d := facts.DeniedIn(p, m)
			if d.Who == "" || d.Asked && !d.Person() {
				continue
			}
			named = true
			sure := triage.Possible
			if d.Named || d.Asked {
				sure = triage.Likely
			}
			p.Found(triage.Claim{
				Says: deniedCause, Subject: m.Subject, Certainty: sure, Key: "messages", Evidence: []evidence.Ref{m.Ref},
				Since: m.First, LastSeen: m.Last, Summary: whoIsDenied(p, d), Fill: deniedNames(d),
			})
		}
		if len(lines) > 0 && !named {
			p.Unknown("which identity needs the permission", "the error names no client", "the complete message, or the caller in the cloud's activity log")
		}
	},
}

const deniedCause = "cloud-permission-denied"

// deniedNames returns the command names of the identity and of what it was denied.
func deniedNames(d facts.Denied) map[string]string {
	return map[string]string{"object_id": d.ID, "principal": d.ID, "scope": d.On, "action": d.Action}
}

func whoIsDenied(p *triage.Pass, d facts.Denied) string {
	who := d.Who
	if d.ID != d.Who && d.OfCluster(p) != evidence.True {
		who += " (" + d.ID + ")"
	}
	what := "may not " + cmp.Or(d.Action, "perform the requested action")
	if d.On != "" {
		what += " on " + facts.LastSegment(d.On)
	}
	if d.Asked {
		return fmt.Sprintf("the error names no client; either %s (who made the request) or the cluster's identity %s", who, what)
	}
	switch d.OfCluster(p) {
	case evidence.True:
		return "the cluster's identity " + who + " " + what
	case evidence.False:
		if d.Person() {
			return who + " " + what + "; this is the caller, not the cluster's identity"
		}
		return who + " " + what + "; the identity of the cluster's control plane is another one"
	}
	return who + " " + what
}

// ofCluster reports whether the error may be about permissions of the cluster's identity, and names the identity in the claim.
func ofCluster(p *triage.Pass, m *evidence.Match, claim *triage.Claim) bool {
	d, c := facts.DeniedIn(p, m), facts.CloudCluster(p)
	if c == nil || !d.Asked && d.OfCluster(p) == evidence.False {
		return false
	}
	claim.Fill = map[string]string{"object_id": c.Identity}
	if pool := facts.CloudPool(p, m.Subject.Name); pool != nil {
		claim.Fill["scope"] = pool.Subnet
	}
	if d.Asked && d.Person() {
		claim.Summary += "; " + d.Who + " made the request and needs the same permission for resources that the cluster joins"
	}
	return true
}
