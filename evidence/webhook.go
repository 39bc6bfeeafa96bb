package evidence

import (
	"fmt"
	"net/url"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func fromValidatingWebhooks(c *admissionv1.ValidatingWebhookConfiguration) []*Webhook {
	var out []*Webhook
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		hook := fromWebhook(c.Name, w.Name, w.ClientConfig, w.FailurePolicy, w.TimeoutSeconds, w.Rules)
		hook.Validating = true
		hook.Namespaces, hook.Objects, hook.Conditional = narrow(w.NamespaceSelector), narrow(w.ObjectSelector), len(w.MatchConditions) > 0
		out = append(out, hook)
	}
	return out
}

func fromMutatingWebhooks(c *admissionv1.MutatingWebhookConfiguration) []*Webhook {
	var out []*Webhook
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		hook := fromWebhook(c.Name, w.Name, w.ClientConfig, w.FailurePolicy, w.TimeoutSeconds, w.Rules)
		hook.Namespaces, hook.Objects, hook.Conditional = narrow(w.NamespaceSelector), narrow(w.ObjectSelector), len(w.MatchConditions) > 0
		out = append(out, hook)
	}
	return out
}

func fromWebhook(configuration, name string, client admissionv1.WebhookClientConfig, policy *admissionv1.FailurePolicyType,
	timeout *int32, rules []admissionv1.RuleWithOperations) *Webhook {
	w := &Webhook{Configuration: configuration, Name: name, FailurePolicy: "Fail", Timeout: 10, Endpoints: -1}
	if policy != nil {
		w.FailurePolicy = string(*policy)
	}
	if timeout != nil {
		w.Timeout = *timeout
	}
	if client.Service != nil {
		w.Service = client.Service.Namespace + "/" + client.Service.Name
	}
	if client.URL != nil {
		w.URL = withoutCredentials(*client.URL)
	}
	for _, r := range rules {
		for _, res := range r.Resources {
			for _, group := range r.APIGroups {
				w.Resources = append(w.Resources, strings.TrimPrefix(group+"/"+res, "/"))
			}
		}
		for _, op := range r.Operations {
			w.Operations = append(w.Operations, string(op))
		}
	}
	return w
}

// narrow returns nil for a selector that selects everything.
func narrow(selector *metav1.LabelSelector) *metav1.LabelSelector {
	if selector == nil || len(selector.MatchExpressions)+len(selector.MatchLabels) == 0 {
		return nil
	}
	return selector
}

// withoutCredentials returns scheme, host and path of a URL because the rest may contain a secret.
func withoutCredentials(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "unreadable URL"
	}
	return fmt.Sprintf("%s://%s%s", u.Scheme, u.Host, u.Path)
}
