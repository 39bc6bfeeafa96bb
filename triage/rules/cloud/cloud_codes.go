package cloud

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Codes ranks several errors of one cloud failure, and lists error codes without a signature, with their text. It does not guess
// what they mean.
var Codes = &triage.Rule{
	ID:       "cloud-codes",
	Doc:      "If the error of one cloud failure contains several causes, decides which one is the root cause. Also lists error codes that match no message pattern, with their text.",
	NeedsOne: []evidence.Kind{evidence.CloudState, evidence.CloudLog},
	Check: func(p *triage.Pass) {
		orderCodes(p)
		d := p.Snapshot.Data()
		seen := map[string]bool{}
		look := func(on string, subject evidence.Subject, errors []evidence.CloudError, ref evidence.Ref) {
			if len(errors) == 0 || known(p, errors) {
				return
			}
			e := innermost(errors)
			if strings.TrimSpace(e.Message) == "" && saidInLog(p, e.Code) {
				return // the log has its text, which a signature matches
			}
			if seen[e.Code] || len(seen) >= maxUnknownCodes {
				return
			}
			seen[e.Code] = true
			if text := strings.TrimSpace(e.Message); text != "" {
				ref.Locator, ref.Text = strings.TrimSpace(on+" error"), e.Code+": "+text
				p.Found(triage.Claim{
					Says: "cloud-request-failed", Subject: subject, Key: e.Code, Evidence: []evidence.Ref{ref},
					Summary: "unknown cloud error code: " + e.Code,
				})
			}
			p.Unknown(fmt.Sprintf("the meaning of error %s of %s", e.Code, on), "unknown error code; its message: "+facts.OrUnknown(strings.TrimSpace(e.Message)),
				"look up the code in the cloud's documentation; results of the cloud's diagnostics: "+detectors(p)+
					"; its log destinations: "+facts.Cloud(p).Command(advice.ShowLogTargets, clusterID(p)))
		}
		for _, one := range d.CloudResources {
			r, subject, keeps := one.Item(), evidence.Subject{}, false
			switch one.(type) {
			case *evidence.CloudPool:
				subject, keeps = evidence.Subject{Kind: "Pool", Name: r.Name}, true
			case *evidence.CloudCluster:
				keeps = true
			}
			if !keeps || r.Failed() { // resources that keep the text of a past failure
				look(strings.TrimSpace(r.Type+" "+r.Name), subject, r.Errors, r.Ref)
			}
		}
		for _, a := range d.CloudActivities {
			if a.Failed() && len(a.Errors) > 0 && !p.Snapshot.Overcome(a) { // one known code in the chain explains its wrappers
				look(a.Operation, evidence.Subject{}, told(p, a), a.Ref)
			}
		}
	},
}

// saidInLog reports whether the cloud's log has the same code with a known text.
func saidInLog(p *triage.Pass, code string) bool {
	return slices.ContainsFunc(p.Snapshot.Data().CloudActivities, func(a *evidence.CloudActivity) bool {
		return a.Failed() && slices.ContainsFunc(a.Errors, func(e evidence.CloudError) bool { return strings.EqualFold(e.Code, code) }) && known(p, told(p, a))
	})
}

const maxUnknownCodes = 20

// wrapping are codes that only say that an inner operation failed.
var wrapping = map[string]bool{
	"resourceoperationfailure": true, "resourcedeploymentfailure": true, "deploymentfailed": true, "conflict": true, "badrequest": true,
	"forbidden": true, "reconcilevmssagentpoolfailed": true, "createvmssagentpoolfailed": true, "invalidtemplatedeployment": true,
}

// known reports whether a signature of a cause matches one of the errors.
func known(p *triage.Pass, errors []evidence.CloudError) bool { return len(causesOf(p, errors)) > 0 }

// innermost returns the last error that is not a wrapper.
func innermost(errors []evidence.CloudError) evidence.CloudError {
	for i := len(errors) - 1; i >= 0; i-- {
		if !wrapping[strings.ToLower(errors[i].Code)] {
			return errors[i]
		}
	}
	return errors[len(errors)-1]
}
