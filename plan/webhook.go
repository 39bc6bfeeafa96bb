package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// webhook finds what is asked about every eviction. An eviction is the creation of the subresource
// pods/eviction; the deletion of the pod that it leads to asks nobody
// (kubernetes pkg/registry/core/pod/storage/eviction.go, v1.36.3).
func (c *candidate) webhook() {
	dead := c.b.deadWebhook("pods/eviction")
	if dead != nil {
		c.block(Blocker{
			Kind: Webhook, Name: dead.Configuration,
			Detail: fmt.Sprintf("webhook %s is asked about evictions and fails closed, and its service %s has no ready endpoint", dead.Name, dead.Service),
			// One that looks at some objects only may not look at this one.
			passing: dead.Selective,
			Unblock: []string{command("kubectl get endpointslices -n % -l kubernetes.io/service-name=%", strings.Split(dead.Service+"/", "/")[:2]...)},
			Harm:    "none by looking: make the webhook's own pods run, and the evictions pass",
		})
	}
	for _, w := range c.b.s.Data().Webhooks {
		if w == dead || !asked(w, "pods/eviction") || w.Endpoints == 0 && w.Service != "" && w.FailurePolicy == "Ignore" {
			continue
		}
		c.block(Blocker{
			Kind: Webhook, Name: w.Configuration, passing: true,
			Detail:  fmt.Sprintf("webhook %s is asked about each eviction and may refuse it; only asking tells", w.Name),
			Unblock: []string{c.b.drainWith("--dry-run=server")},
			Harm:    "none: the API server asks the webhook and keeps nothing",
		})
	}
}

// deadWebhook returns a webhook that is asked about the creation of the resource, fails closed and has nobody
// to answer; if there are several, one that looks at every object.
func (b *builder) deadWebhook(resource string) (found *evidence.Webhook) {
	for _, w := range b.s.Data().Webhooks {
		if w.FailurePolicy == "Fail" && w.Endpoints == 0 && w.Service != "" && asked(w, resource) && (found == nil || found.Selective) {
			found = w
		}
	}
	return found
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

// unreadWebhooks notes that nobody knows who is asked.
func (b *builder) unreadWebhooks(pods []*candidate) {
	if b.s.Covers(evidence.Webhooks) == evidence.NotRead && b.s.Data().Source.Kind == "cluster" {
		b.notChecked(pods, "whether a webhook refuses evictions", "webhook configurations were not read",
			"kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o json")
	}
}
