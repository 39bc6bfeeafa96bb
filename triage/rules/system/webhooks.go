package system

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Webhooks finds admission webhooks that would reject writes of kubelets, because nothing answers at their service.
var Webhooks = &triage.Rule{
	ID:    "webhooks",
	Doc:   "Finds webhooks with failurePolicy Fail for nodes, Leases or pods whose Service has no ready endpoint.",
	Needs: []evidence.Kind{evidence.Webhooks},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		unready := slices.ContainsFunc(p.Snapshot.Nodes(), func(n *evidence.Node) bool { return n.NotReady() })
		checked := 0
		for _, w := range p.Snapshot.Webhooks() {
			what := guards(w.Resources)
			if w.FailurePolicy != "Fail" || what == "" {
				continue
			}
			if w.Endpoints < 0 && w.Service != "" {
				p.Unknown("whether webhook "+w.Name+" answers", "the endpoints of its service "+w.Service+" were not read",
					shell.Format("kubectl get endpointslices -A -l kubernetes.io/service-name={service}", w.Service[strings.IndexByte(w.Service, '/')+1:]))
				continue
			}
			if w.Endpoints != 0 {
				checked++
				continue
			}
			namespace, _, _ := strings.Cut(w.Service, "/")
			c := triage.Claim{
				Says: "admission-webhook-blocks-node", Subject: evidence.ClusterSubject(), Certainty: triage.Possible, Key: w.Configuration + w.Name,
				Summary: fmt.Sprintf("webhook %s (failurePolicy Fail, for %s) has no ready endpoint in its service %s", w.Name, what, w.Service),
				Fill:    map[string]string{"webhook-configuration": kindOfWebhook(w) + "/" + w.Configuration, "webhook-namespace": namespace},
				Evidence: []evidence.Ref{{
					Source: kindOfWebhook(w) + "/" + w.Configuration, Locator: ".webhooks[" + w.Name + "]",
					Text: fmt.Sprintf("failurePolicy=Fail service=%s ready endpoints=0 resources=%s", w.Service, strings.Join(w.Resources, ",")),
				}},
			}
			if unready && strings.Contains(what, "node") {
				c.Certainty = triage.Likely
			}
			p.Found(c)
		}
		if checked > 0 {
			p.RuleOut("admission-webhook-blocks-node", evidence.ClusterSubject(),
				wording.Count(checked, "webhook")+" on nodes, leases or pods with endpoints or a URL")
		}
	},
}

// guards returns the resources of a webhook that nodes depend on, or "".
func guards(resources []string) string {
	var out []string
	for _, r := range resources {
		group, name, found := strings.Cut(r, "/")
		if !found {
			group, name = "", r
		}
		name, _, _ = strings.Cut(name, "/")
		switch {
		case name == "*" && (group == "*" || group == ""), group == "" && (name == "nodes" || name == "pods"),
			(group == "coordination.k8s.io" || group == "*") && (name == "leases" || name == "*"):
			if name == "*" {
				name = "all resources, including nodes"
			}
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}

func kindOfWebhook(w *evidence.Webhook) string {
	if w.Validating {
		return "validatingwebhookconfiguration"
	}
	return "mutatingwebhookconfiguration"
}
