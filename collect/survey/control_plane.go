package survey

import (
	"context"
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Bounds for objects other than nodes.
const (
	maxServices = 30 // webhook services whose endpoints are read
	maxPages    = 4  // pages of a list that is small in normal clusters
)

// controlPlaneLeases reads the leader election Leases in kube-system.
func (s *survey) controlPlaneLeases(ctx context.Context) {
	readList(ctx, s, evidence.Leases, kube.Leases, kube.Query{Namespace: metav1.NamespaceSystem, MaxPages: maxPages}, nil)
}

func (s *survey) priorityClasses(ctx context.Context) {
	readList(ctx, s, evidence.PriorityClasses, kube.PriorityClasses, kube.Query{MaxPages: maxPages}, nil)
}

// webhooks reads the webhook configurations, then the endpoints of their services.
func (s *survey) webhooks(ctx context.Context) {
	readList(ctx, s, evidence.Webhooks, kube.ValidatingWebhooks, kube.Query{MaxPages: maxPages}, nil)
	readList(ctx, s, evidence.Webhooks, kube.MutatingWebhooks, kube.Query{MaxPages: maxPages}, nil)
	for i, service := range s.webhookServices() {
		if i == maxServices {
			s.builder.Incomplete(evidence.Endpoints, "the endpoints of further webhook services", fmt.Sprintf("webhooks have more than %d services", maxServices), "kubectl get endpointslices -A")
			return
		}
		s.endpoints(ctx, service)
	}
}

// policies reads the admission policies and their bindings. Servers before 1.30 have none.
func (s *survey) policies(ctx context.Context) {
	for _, o := range []outcome{
		list(ctx, s, evidence.Policies, kube.AdmissionPolicies, kube.Query{MaxPages: maxPages}, nil),
		list(ctx, s, evidence.Policies, kube.PolicyBindings, kube.Query{MaxPages: maxPages}, nil),
	} {
		if kube.ReasonOf(o.err) == kube.NotFound {
			o.all, o.err = true, nil
		}
		s.note(o)
	}
}

// mutations reads the mutating admission policies and their bindings. A server that serves no version of them has none.
func (s *survey) mutations(ctx context.Context) {
	listNewest(ctx, s, evidence.Mutations, kube.Mutations, kube.MutationsBeta)
	listNewest(ctx, s, evidence.Mutations, kube.MutationBindings, kube.MutationBindingsBeta)
}

// listNewest reads a list in the first version that is served. If no version is served, there are no such objects.
func listNewest[T any](ctx context.Context, s *survey, kind evidence.Kind, versions ...kube.Resource[T]) {
	var o outcome
	for _, res := range versions {
		if o = list(ctx, s, kind, res, kube.Query{MaxPages: maxPages}, nil); kube.ReasonOf(o.err) != kube.NotFound {
			s.note(o)
			return
		}
	}
	o.all, o.err = true, nil
	s.note(o)
}

func (s *survey) webhookServices() []string {
	var list []string
	s.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		for _, w := range d.Webhooks {
			if w.Service != "" {
				list = append(list, w.Service)
			}
		}
	})
	return unique(list)
}

// endpoints counts the ready endpoints of a service; a service without EndpointSlices has none. The coverage stays partial,
// because only services of webhooks are read.
func (s *survey) endpoints(ctx context.Context, service string) {
	namespace, name, _ := strings.Cut(service, "/")
	o := outcome{kind: evidence.Endpoints, what: "endpointslices of " + service}
	var all bool
	all, o.err = kube.List(ctx, s.reader, kube.EndpointSlices, kube.Query{
		Namespace: namespace, Labels: discoveryv1.LabelServiceName + "=" + name, MaxPages: maxPages,
	}, func(page []discoveryv1.EndpointSlice) error {
		for i := range page {
			s.builder.AddObject(&page[i])
		}
		return nil
	})
	if all {
		o.some = true
		s.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) {
			if d.Endpoints == nil {
				d.Endpoints = map[string]int{}
			}
			d.Endpoints[service] += 0
		})
	}
	s.note(o)
}

// usage reads the metrics API. Many clusters have none, so its absence is no problem of a node.
func (s *survey) usage(ctx context.Context, node string) {
	o, key := outcome{kind: evidence.NodeMetrics, what: "node metrics"}, "usage "+node
	if !s.remember(key, &o) {
		list, err := kube.Usage[evidence.NodeUsage](ctx, s.reader, node)
		o.some, o.all, o.err = len(list) > 0, err == nil, err
		s.opt.Memory.keep(key, o, addPage(s, list, nil))
	}
	if kube.ReasonOf(o.err) != kube.NotFound {
		s.note(o)
	}
}
