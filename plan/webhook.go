package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// webhook finds what is asked about every eviction. An eviction is the creation of the subresource
// pods/eviction; the deletion of the pod that it leads to asks nobody
// (kubernetes pkg/registry/core/pod/storage/eviction.go, v1.36.3).
func (c *candidate) webhook() {
	w := c.b.deadWebhook("pods/eviction")
	if w == nil {
		return
	}
	c.block(Blocker{
		Kind: Webhook, Name: w.Configuration,
		Detail: fmt.Sprintf("webhook %s is asked about evictions and fails closed, and its service %s has no ready endpoint", w.Name, w.Service),
		// One that looks at some objects only may not look at this one.
		passing: w.Selective,
		Unblock: []string{command("kubectl get endpointslices -n % -l kubernetes.io/service-name=%", strings.Split(w.Service+"/", "/")[:2]...)},
		Harm:    "none by looking: make the webhook's own pods run, and the evictions pass",
	})
}

// deadWebhook returns a webhook that is asked about the creation of the resource, fails closed and has nobody
// to answer.
func (b *builder) deadWebhook(resource string) *evidence.Webhook {
	for _, w := range b.s.Data().Webhooks {
		if w.FailurePolicy == "Fail" && w.Endpoints == 0 && w.Service != "" && asked(w, resource) {
			return w
		}
	}
	return nil
}

// asked tells whether the webhook's rules cover the creation of the resource of the core group.
func asked(w *evidence.Webhook, resource string) bool {
	if !slices.Contains(w.Operations, "CREATE") && !slices.Contains(w.Operations, "*") {
		return false
	}
	_, sub, isSub := strings.Cut(resource, "/")
	for _, r := range w.Resources {
		r = strings.TrimPrefix(r, "*/") // any group
		switch {
		case r == resource, !isSub && r == "*", r == "pods/*", isSub && (r == "*/*" || r == "*/"+sub):
			return true
		}
	}
	return false
}

// askedWebhooks notes webhooks that answer: what they say is only known when they are asked.
func (b *builder) askedWebhooks() {
	for _, w := range b.s.Data().Webhooks {
		if w.Validating && w.Endpoints != 0 && asked(w, "pods/eviction") {
			b.plan.SideEffects = append(b.plan.SideEffects, fmt.Sprintf("webhook %s (%s) is asked about each eviction and may refuse it", w.Name, w.Configuration))
		}
	}
	if b.s.Covers(evidence.Webhooks) == evidence.NotRead && b.s.Data().Source.Kind == "cluster" {
		b.plan.NotChecked = append(b.plan.NotChecked, triage.NotChecked{
			What: "whether a webhook refuses evictions", Why: "webhook configurations were not read",
			How: "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o json"})
	}
}
