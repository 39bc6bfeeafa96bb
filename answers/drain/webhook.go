package drain

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Webhooks finds webhooks that are called for evictions. An eviction is the creation of the subresource pods/eviction. The
// resulting deletion of the pod calls no webhook (kubernetes pkg/registry/core/pod/storage/eviction.go, v1.36.3).
func (o *Obstacles) Webhooks() {
	for _, w := range o.Data().Webhooks {
		// The object of the request is the Eviction, which has no labels.
		asks := o.Asks(w, "pods/eviction", o.pod.Namespace, nil)
		switch {
		case asks == evidence.False:
		case clusterview.DeadEnd(w):
			o.Add(Blocker{
				Kind: Webhook, Name: w.Configuration,
				Detail:  fmt.Sprintf("webhook %s intercepts evictions with failurePolicy Fail, and its service %s has no ready endpoint", w.Name, w.Service),
				Passing: asks == evidence.Unknown,
				What:    "start the pods of the webhook",
				Unblock: []shell.Text{shell.Format("kubectl get endpointslices -n {namespace} -l kubernetes.io/service-name={service}", strings.Split(w.Service+"/", "/")[:2]...)},
				Harm:    "none (read-only); when the webhook's pods are running, evictions work again",
			})
		case w.Endpoints == 0 && w.Service != "": // it has no endpoints, and fails open
		default:
			o.Add(Blocker{
				Kind: Webhook, Name: w.Configuration, Passing: true,
				Detail:  fmt.Sprintf("webhook %s intercepts each eviction and may deny it; only a request shows this", w.Name),
				Unblock: []shell.Text{o.drainWith("--dry-run=server")},
				Harm:    "none (dry run: the API server only calls the webhook)",
			})
		}
	}
}
