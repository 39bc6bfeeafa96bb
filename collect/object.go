package collect

import (
	"fmt"
	"net/url"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// AddObject adds one API object, trimmed, and tells which kind of evidence it is; "" for kinds that nothing
// reads. The object belongs to the builder afterwards.
func (b *Builder) AddObject(obj any) evidence.Kind {
	var kind evidence.Kind
	b.Edit(func(d *evidence.Data, t *evidence.Templates) { kind = addObject(d, t, obj) })
	return kind
}

func addObject(d *evidence.Data, t *evidence.Templates, obj any) evidence.Kind {
	switch o := obj.(type) {
	case *corev1.Node:
		d.Nodes = append(d.Nodes, evidence.FromNode(o))
		return evidence.Nodes
	case *corev1.Pod:
		d.Pods = append(d.Pods, t.FromPod(o))
		return evidence.Pods
	case *corev1.Event:
		d.Events = append(d.Events, evidence.FromEvent(o))
		return evidence.Events
	case *coordinationv1.Lease:
		d.Leases = append(d.Leases, evidence.FromLease(o))
		return evidence.Leases
	case *policyv1.PodDisruptionBudget:
		o.ManagedFields = nil
		d.PDBs = append(d.PDBs, &evidence.PDB{PodDisruptionBudget: o})
		return evidence.PDBs
	case *appsv1.Deployment:
		return addWorkload(d, t.FromDeployment(o))
	case *appsv1.ReplicaSet:
		return addWorkload(d, t.FromReplicaSet(o))
	case *appsv1.StatefulSet:
		return addWorkload(d, t.FromStatefulSet(o))
	case *appsv1.DaemonSet:
		return addWorkload(d, t.FromDaemonSet(o))
	case *batchv1.Job:
		return addWorkload(d, t.FromJob(o))
	case *corev1.ReplicationController:
		return addWorkload(d, t.FromReplicationController(o))
	case *corev1.PersistentVolumeClaim:
		o.ManagedFields = nil
		d.Claims = append(d.Claims, o)
		return evidence.Claims
	case *corev1.PersistentVolume:
		o.ManagedFields = nil
		d.Volumes = append(d.Volumes, o)
		return evidence.Volumes
	case *storagev1.VolumeAttachment:
		o.ManagedFields = nil
		d.VolumeAttachments = append(d.VolumeAttachments, o)
		return evidence.VolumeAttachments
	case *storagev1.CSINode:
		o.ManagedFields = nil
		d.CSINodes = append(d.CSINodes, o)
		return evidence.CSINodes
	case *schedulingv1.PriorityClass:
		o.ManagedFields = nil
		d.PriorityClasses = append(d.PriorityClasses, o)
		return evidence.PriorityClasses
	case *storagev1.StorageClass:
		o.Parameters = nil // they may name secrets, and nothing reads them
		evidence.TrimMeta(&o.ObjectMeta)
		d.StorageClasses = append(d.StorageClasses, o)
		return evidence.StorageClasses
	case *storagev1.CSIDriver:
		evidence.TrimMeta(&o.ObjectMeta)
		d.CSIDrivers = append(d.CSIDrivers, o)
		return evidence.CSIDrivers
	case *storagev1.CSIStorageCapacity:
		evidence.TrimMeta(&o.ObjectMeta)
		d.StorageCapacities = append(d.StorageCapacities, o)
		return evidence.StorageCapacities
	case *corev1.Namespace:
		d.Namespaces = append(d.Namespaces, evidence.FromNamespace(o))
		return evidence.Namespaces
	case *certificatesv1.CertificateSigningRequest:
		o.ManagedFields, o.Spec.Request, o.Status.Certificate = nil, nil, nil
		d.CSRs = append(d.CSRs, o)
		return evidence.CSRs
	case *admissionv1.ValidatingWebhookConfiguration:
		for i := range o.Webhooks {
			w := &o.Webhooks[i]
			hook := fromWebhook(o.Name, w.Name, w.ClientConfig, w.FailurePolicy, w.TimeoutSeconds, w.Rules)
			hook.Validating = true
			hook.Namespaces, hook.Objects, hook.Conditional = narrow(w.NamespaceSelector), narrow(w.ObjectSelector), len(w.MatchConditions) > 0
			d.Webhooks = append(d.Webhooks, hook)
		}
		return evidence.Webhooks
	case *admissionv1.MutatingWebhookConfiguration:
		for i := range o.Webhooks {
			w := &o.Webhooks[i]
			hook := fromWebhook(o.Name, w.Name, w.ClientConfig, w.FailurePolicy, w.TimeoutSeconds, w.Rules)
			hook.Namespaces, hook.Objects, hook.Conditional = narrow(w.NamespaceSelector), narrow(w.ObjectSelector), len(w.MatchConditions) > 0
			d.Webhooks = append(d.Webhooks, hook)
		}
		return evidence.Webhooks
	case *admissionv1.ValidatingAdmissionPolicy:
		d.Policies = append(d.Policies, evidence.FromPolicy(o))
		return evidence.Policies
	case *admissionv1.ValidatingAdmissionPolicyBinding:
		d.PolicyBindings = append(d.PolicyBindings, evidence.FromPolicyBinding(o))
		return evidence.Policies
	case *admissionv1.MutatingAdmissionPolicy:
		d.Mutations = append(d.Mutations, evidence.FromMutation(o))
		return evidence.Mutations
	case *admissionv1.MutatingAdmissionPolicyBinding:
		d.MutationBindings = append(d.MutationBindings, evidence.FromMutationBinding(o))
		return evidence.Mutations
	case *discoveryv1.EndpointSlice:
		countEndpoints(d, o)
		return evidence.Endpoints
	}
	return ""
}

func addWorkload(d *evidence.Data, w *evidence.Workload) evidence.Kind {
	d.Workloads = append(d.Workloads, w)
	return evidence.Workloads
}

func fromWebhook(configuration, name string, client admissionv1.WebhookClientConfig, policy *admissionv1.FailurePolicyType,
	timeout *int32, rules []admissionv1.RuleWithOperations) *evidence.Webhook {
	w := &evidence.Webhook{Configuration: configuration, Name: name, FailurePolicy: "Fail", Timeout: 10, Endpoints: -1}
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

// narrow is nil for a selector that selects everything.
func narrow(selector *metav1.LabelSelector) *metav1.LabelSelector {
	if selector == nil || len(selector.MatchExpressions)+len(selector.MatchLabels) == 0 {
		return nil
	}
	return selector
}

// withoutCredentials keeps scheme, host and path of a URL: the rest may hold a secret.
func withoutCredentials(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "unreadable URL"
	}
	return fmt.Sprintf("%s://%s%s", u.Scheme, u.Host, u.Path)
}

// countEndpoints adds the slice's ready endpoints to those of its service.
func countEndpoints(d *evidence.Data, slice *discoveryv1.EndpointSlice) {
	service := slice.Namespace + "/" + slice.Labels[discoveryv1.LabelServiceName]
	if d.Endpoints == nil {
		d.Endpoints = map[string]int{}
	}
	for _, e := range slice.Endpoints {
		if e.Conditions.Ready == nil || *e.Conditions.Ready {
			d.Endpoints[service] += len(e.Addresses)
		} else {
			d.Endpoints[service] += 0 // known, with nothing ready
		}
	}
	if len(slice.Endpoints) == 0 {
		d.Endpoints[service] += 0
	}
}

// linkWebhooks tells every webhook how many endpoints can answer it, where that was read.
func linkWebhooks(d *evidence.Data) {
	for _, w := range d.Webhooks {
		if n, ok := d.Endpoints[w.Service]; ok {
			w.Endpoints = n
		} else if w.Service != "" && d.Coverage[evidence.Endpoints] == evidence.Complete {
			w.Endpoints = 0
		}
	}
}
