package collect

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
)

// section is one list of the evidence as a file of a bundle.
type section struct {
	name string
	kind evidence.Kind // "" where coverage does not speak of it
	// items are those of the evidence, in their order.
	items func(*evidence.Data) []any
	// decode reads one item, and tells the fields that had to be left out; add puts it back.
	decode func(raw []byte) (any, []unfit, error)
	add    func(*evidence.Data, *evidence.Templates, any)
}

// sections are all lists of the evidence that are not made of texts.
var sections = []*section{
	listOf("nodes", evidence.Nodes, func(d *evidence.Data) *[]*evidence.Node { return &d.Nodes },
		func(_ *evidence.Templates, n *evidence.Node) bool { return n.Node != nil }),
	listOf("leases", evidence.Leases, func(d *evidence.Data) *[]*evidence.Lease { return &d.Leases }, nil),
	listOf("pods", evidence.Pods, func(d *evidence.Data) *[]*evidence.Pod { return &d.Pods }, func(t *evidence.Templates, p *evidence.Pod) bool {
		p.Spec, p.Labels = t.Share(p.Spec, p.Labels)
		return true
	}),
	listOf("events", evidence.Events, func(d *evidence.Data) *[]*evidence.Event { return &d.Events }, nil),
	listOf("pdbs", evidence.PDBs, func(d *evidence.Data) *[]*evidence.PDB { return &d.PDBs },
		func(_ *evidence.Templates, p *evidence.PDB) bool { return p.PodDisruptionBudget != nil }),
	listOf("workloads", evidence.Workloads, func(d *evidence.Data) *[]*evidence.Workload { return &d.Workloads }, func(t *evidence.Templates, w *evidence.Workload) bool {
		w.Template, w.TemplateLabels = t.Share(w.Template, w.TemplateLabels)
		return true
	}),
	listOf("claims", evidence.Claims, func(d *evidence.Data) *[]*corev1.PersistentVolumeClaim { return &d.Claims }, nil),
	listOf("volumes", evidence.Volumes, func(d *evidence.Data) *[]*corev1.PersistentVolume { return &d.Volumes }, nil),
	listOf("volumeattachments", evidence.VolumeAttachments, func(d *evidence.Data) *[]*storagev1.VolumeAttachment { return &d.VolumeAttachments }, nil),
	listOf("csinodes", evidence.CSINodes, func(d *evidence.Data) *[]*storagev1.CSINode { return &d.CSINodes }, nil),
	listOf("priorityclasses", evidence.PriorityClasses, func(d *evidence.Data) *[]*schedulingv1.PriorityClass { return &d.PriorityClasses }, nil),
	listOf("storageclasses", evidence.StorageClasses, func(d *evidence.Data) *[]*storagev1.StorageClass { return &d.StorageClasses }, nil),
	listOf("csidrivers", evidence.CSIDrivers, func(d *evidence.Data) *[]*storagev1.CSIDriver { return &d.CSIDrivers }, nil),
	listOf("storagecapacities", evidence.StorageCapacities, func(d *evidence.Data) *[]*storagev1.CSIStorageCapacity { return &d.StorageCapacities }, nil),
	listOf("namespaces", evidence.Namespaces, func(d *evidence.Data) *[]*corev1.Namespace { return &d.Namespaces }, nil),
	listOf("csrs", evidence.CSRs, func(d *evidence.Data) *[]*certificatesv1.CertificateSigningRequest { return &d.CSRs }, nil),
	listOf("webhooks", evidence.Webhooks, func(d *evidence.Data) *[]*evidence.Webhook { return &d.Webhooks }, nil),
	listOf("policies", evidence.Policies, func(d *evidence.Data) *[]*admissionv1.ValidatingAdmissionPolicy { return &d.Policies }, nil),
	listOf("policybindings", evidence.Policies, func(d *evidence.Data) *[]*admissionv1.ValidatingAdmissionPolicyBinding { return &d.PolicyBindings }, nil),
	listOf("mutations", evidence.Mutations, func(d *evidence.Data) *[]*admissionv1.MutatingAdmissionPolicy { return &d.Mutations }, nil),
	listOf("mutationbindings", evidence.Mutations, func(d *evidence.Data) *[]*admissionv1.MutatingAdmissionPolicyBinding { return &d.MutationBindings }, nil),
	endpoints,
	listOf("kubelets", "", func(d *evidence.Data) *[]*evidence.Kubelet { return &d.Kubelets }, nil),
	listOf("usage", evidence.NodeMetrics, func(d *evidence.Data) *[]*evidence.Usage { return &d.Usage }, nil),
	listOf("nodereports", "", func(d *evidence.Data) *[]*nodereport.Report { return &d.NodeReports }, nil),
}

func sectionNamed(name string) *section {
	for _, s := range sections {
		if s.name == name {
			return s
		}
	}
	return nil
}

var errNoObject = errors.New("it is no object")

// listOf is the section of one field. settle makes an item whole again; false: it holds nothing.
func listOf[T any](name string, kind evidence.Kind, field func(*evidence.Data) *[]*T, settle func(*evidence.Templates, *T) bool) *section {
	return &section{
		name: name, kind: kind,
		items: func(d *evidence.Data) []any {
			all := *field(d)
			out := make([]any, len(all))
			for i, o := range all {
				out[i] = o
			}
			return out
		},
		decode: func(raw []byte) (any, []unfit, error) {
			if len(raw) == 0 || raw[0] != '{' {
				return nil, nil, errNoObject
			}
			o, left, err := unmarshal(raw, func() *T { return new(T) })
			if err != nil {
				return nil, nil, fmt.Errorf("read %s: %w", name, err)
			}
			return o, left, nil
		},
		add: func(d *evidence.Data, t *evidence.Templates, obj any) {
			if o := obj.(*T); settle == nil || settle(t, o) {
				list := field(d)
				*list = append(*list, o)
			}
		},
	}
}

// endpoints are counts by service.
var endpoints = func() *section {
	type ready struct {
		Service string `json:"service"` // namespace/name
		Ready   int    `json:"ready"`
	}
	return &section{
		name: "endpoints", kind: evidence.Endpoints,
		items: func(d *evidence.Data) []any {
			var out []any
			for _, service := range slices.Sorted(maps.Keys(d.Endpoints)) {
				out = append(out, ready{service, d.Endpoints[service]})
			}
			return out
		},
		decode: func(raw []byte) (any, []unfit, error) {
			var r ready
			err := json.Unmarshal(raw, &r)
			return r, nil, err
		},
		add: func(d *evidence.Data, _ *evidence.Templates, obj any) {
			if d.Endpoints == nil {
				d.Endpoints = map[string]int{}
			}
			d.Endpoints[obj.(ready).Service] += obj.(ready).Ready
		},
	}
}()
