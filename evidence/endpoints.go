package evidence

import (
	"maps"
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// ready is the number of ready endpoints of a Service in a bundle.
type ready struct {
	Service string `json:"service"` // namespace/name
	Ready   int    `json:"ready"`
}

// endpointCounts are the counts by Service, which are not a list of objects.
func endpointCounts(o Object) List {
	o.typ, o.create = reflect.TypeFor[*discoveryv1.EndpointSlice](), func() any { return new(discoveryv1.EndpointSlice) }
	o.add = func(d *Data, _ *Templates, obj any) { countEndpoints(d, obj.(*discoveryv1.EndpointSlice)) }
	return List{
		Section: "endpoints", Objects: []*Object{&o},
		create: func() any { return new(ready) },
		items: func(d *Data) []any {
			var out []any
			for _, service := range slices.Sorted(maps.Keys(d.Endpoints)) {
				out = append(out, ready{service, d.Endpoints[service]})
			}
			return out
		},
		restore: func(d *Data, _ *Templates, item any) {
			if d.Endpoints == nil {
				d.Endpoints = map[string]int{}
			}
			r := item.(*ready)
			d.Endpoints[r.Service] += r.Ready
		},
	}
}

// countEndpoints adds the ready endpoints of the slice to those of its Service.
func countEndpoints(d *Data, slice *discoveryv1.EndpointSlice) {
	service := slice.Namespace + "/" + slice.Labels[discoveryv1.LabelServiceName]
	if d.Endpoints == nil {
		d.Endpoints = map[string]int{}
	}
	for _, e := range slice.Endpoints {
		if e.Conditions.Ready == nil || *e.Conditions.Ready {
			d.Endpoints[service] += len(e.Addresses)
		} else {
			d.Endpoints[service] += 0 // known, with no ready endpoint
		}
	}
	if len(slice.Endpoints) == 0 {
		d.Endpoints[service] += 0
	}
}
