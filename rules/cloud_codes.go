package rules

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// cloudCodes names the errors of the cloud that nothing here knows, with their text; what they mean is not guessed.
var cloudCodes = &triage.Rule{
	ID:  "cloud-codes",
	Doc: "Lists error codes of the cloud that no signature recognises, with their text.",
	Check: func(p *triage.Pass) {
		d := p.Snapshot.Data()
		seen := map[string]bool{}
		look := func(on string, subject evidence.Subject, errors []evidence.CloudError, ref evidence.Ref) {
			if len(errors) == 0 || known(p, errors) {
				return
			}
			e := innermost(errors)
			if seen[e.Code] || len(seen) >= maxUnknownCodes {
				return
			}
			seen[e.Code] = true
			if text := strings.TrimSpace(e.Message); text != "" {
				ref.Locator, ref.Text = strings.TrimSpace(on+" error"), e.Code+": "+text
				p.Found(triage.Claim{
					Says: "cloud-request-failed", Subject: subject, Key: e.Code, Evidence: []evidence.Ref{ref},
					Summary: "the cloud gave an error that is not known here: " + e.Code,
				})
			}
			p.Unknown(fmt.Sprintf("what error %s of %s means", e.Code, on), "the code is not known here; its text: "+orUnknown(strings.TrimSpace(e.Message)),
				"read the text, and look the code up in the cloud's documentation; what the cloud's own checks say: "+detectors(p))
		}
		for _, r := range d.CloudResources {
			if r.Type != "pool" && r.Type != "cluster" || failed(r) { // these keep the text of a failure that is over
				subject := evidence.Subject{}
				if r.Type == "pool" {
					subject = evidence.Subject{Kind: "Pool", Name: r.Name}
				}
				look(strings.TrimSpace(r.Type+" "+r.Name), subject, r.Errors, r.Ref)
			}
		}
		for _, a := range d.CloudActivities {
			if strings.EqualFold(a.Status, "Failed") && !succeededSince(p, a) {
				look(a.Operation, evidence.Subject{}, a.Errors, a.Ref)
			}
		}
	},
}

const maxUnknownCodes = 20

// wrapping are codes that only say that something inside of them failed.
var wrapping = map[string]bool{
	"resourceoperationfailure": true, "resourcedeploymentfailure": true, "deploymentfailed": true, "conflict": true, "badrequest": true,
	"forbidden": true, "reconcilevmssagentpoolfailed": true, "createvmssagentpoolfailed": true, "invalidtemplatedeployment": true,
}

// known tells whether a signature that speaks for a cause recognises one of the errors.
func known(p *triage.Pass, errors []evidence.CloudError) bool {
	for _, e := range errors {
		for _, line := range []string{fmt.Sprintf("%q: %q", "code", e.Code), e.Message} {
			for _, t := range p.Signatures.Match(line, evidence.TextCloud) {
				if p.Catalog.Cause(t.Signature.Says) != nil {
					return true
				}
			}
		}
	}
	return false
}

// innermost is the last error that is no wrapper.
func innermost(errors []evidence.CloudError) evidence.CloudError {
	for i := len(errors) - 1; i >= 0; i-- {
		if !wrapping[strings.ToLower(errors[i].Code)] {
			return errors[i]
		}
	}
	return errors[len(errors)-1]
}
