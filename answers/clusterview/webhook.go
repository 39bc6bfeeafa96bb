package clusterview

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/admission"
)

// DeadEnd reports whether the webhook fails closed and has no endpoints.
func DeadEnd(w *evidence.Webhook) bool {
	return w.FailurePolicy == "Fail" && w.Endpoints == 0 && w.Service != ""
}

// DeadWebhook returns a webhook that prevents the creation of pods in the namespace, or nil.
func (v *View) DeadWebhook(namespace string, labels map[string]string) *evidence.Webhook {
	for _, w := range v.Data().Webhooks {
		if DeadEnd(w) && v.Asks(w, "pods", namespace, labels) == evidence.True {
			return w
		}
	}
	return nil
}

// RefusesEviction reports whether a webhook or a policy certainly rejects the eviction of the pod. Webhooks get an object
// without labels.
func (v *View) RefusesEviction(p *evidence.Pod) bool {
	return slices.ContainsFunc(v.Data().Webhooks, func(w *evidence.Webhook) bool {
		return DeadEnd(w) && v.Asks(w, "pods/eviction", p.Namespace, nil) == evidence.True
	}) || slices.ContainsFunc(v.Policies.Refusals(admission.Eviction(p)), func(r admission.Refusal) bool { return r.Certain })
}

// Asks reports whether the webhook is called for the creation of such an object.
func (v *View) Asks(w *evidence.Webhook, resource, namespace string, object map[string]string) evidence.Fact {
	if !asked(w, resource) || !selects(w.Objects, object) {
		return evidence.False
	}
	if w.Conditional {
		return evidence.Unknown
	}
	if w.Namespaces == nil {
		return evidence.True
	}
	for _, n := range v.Data().Namespaces {
		if n.Name == namespace {
			return evidence.Known(selects(w.Namespaces, n.Labels))
		}
	}
	return evidence.Unknown
}

// selects reports whether a selector, nil for everything, matches the labels. An invalid selector matches, which is the safe
// assumption.
func selects(selector *metav1.LabelSelector, of map[string]string) bool {
	s, err := metav1.LabelSelectorAsSelector(selector)
	return selector == nil || err != nil || s.Matches(labels.Set(of))
}

// asked reports whether the webhook's rules match the creation of the core group's resource.
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
