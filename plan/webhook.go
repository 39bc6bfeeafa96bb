package plan

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/evidence"
)

// webhook finds what is asked about every eviction. An eviction is the creation of the subresource
// pods/eviction; the deletion of the pod that it leads to asks nobody
// (kubernetes pkg/registry/core/pod/storage/eviction.go, v1.36.3).
func (c *candidate) webhook() {
	for _, w := range c.b.s.Data().Webhooks {
		// The object of the request is the Eviction, which has no labels.
		asks := c.b.looksAt(w, "pods/eviction", c.pod.Namespace, nil)
		switch {
		case asks == evidence.False:
		case deadEnd(w):
			c.block(Blocker{
				Kind: Webhook, Name: w.Configuration,
				Detail:  fmt.Sprintf("webhook %s is asked about evictions and fails closed, and its service %s has no ready endpoint", w.Name, w.Service),
				passing: asks == evidence.Unknown,
				Unblock: []string{command("kubectl get endpointslices -n % -l kubernetes.io/service-name=%", strings.Split(w.Service+"/", "/")[:2]...)},
				Harm:    "none by looking: make the webhook's own pods run, and the evictions pass",
			})
		case w.Endpoints == 0 && w.Service != "": // nobody answers, and it fails open
		default:
			c.block(Blocker{
				Kind: Webhook, Name: w.Configuration, passing: true,
				Detail:  fmt.Sprintf("webhook %s is asked about each eviction and may refuse it; only asking tells", w.Name),
				Unblock: []string{c.b.drainWith("--dry-run=server")},
				Harm:    "none: the API server asks the webhook and keeps nothing",
			})
		}
	}
}

// deadEnd tells whether nobody answers the webhook, and it fails closed.
func deadEnd(w *evidence.Webhook) bool {
	return w.FailurePolicy == "Fail" && w.Endpoints == 0 && w.Service != ""
}

// deadWebhook returns a webhook that keeps pods of the namespace from being created, or nil.
func (b *builder) deadWebhook(namespace string, labels map[string]string) *evidence.Webhook {
	for _, w := range b.s.Data().Webhooks {
		if deadEnd(w) && b.looksAt(w, "pods", namespace, labels) == evidence.True {
			return w
		}
	}
	return nil
}

// looksAt tells whether the webhook is asked about the creation of such an object.
func (b *builder) looksAt(w *evidence.Webhook, resource, namespace string, object map[string]string) evidence.Fact {
	if !asked(w, resource) || !selects(w.Objects, object) {
		return evidence.False
	}
	if w.Conditional {
		return evidence.Unknown
	}
	if w.Namespaces == nil {
		return evidence.True
	}
	for _, n := range b.s.Data().Namespaces {
		if n.Name == namespace {
			return evidence.Known(selects(w.Namespaces, n.Labels))
		}
	}
	return evidence.Unknown
}

// selects tells whether a selector, nil for everything, fits the labels. One that cannot be read fits: that is the
// safe side.
func selects(selector *metav1.LabelSelector, of map[string]string) bool {
	s, err := metav1.LabelSelectorAsSelector(selector)
	return selector == nil || err != nil || s.Matches(labels.Set(of))
}

// asked tells whether the webhook's rules cover the creation of the resource of the core group.
func asked(w *evidence.Webhook, resource string) bool {
	if !slices.Contains(w.Operations, "CREATE") && !slices.Contains(w.Operations, "*") {
		return false
	}
	name, sub, _ := strings.Cut(resource, "/")
	covers := func(rule string) bool {
		of, part, _ := strings.Cut(rule, "/")
		return (of == "*" || of == name) && (part == "*" || part == sub)
	}
	return slices.ContainsFunc(w.Resources, func(rule string) bool {
		anyGroup, cut := strings.CutPrefix(rule, "*/")
		return covers(rule) || cut && covers(anyGroup)
	})
}
