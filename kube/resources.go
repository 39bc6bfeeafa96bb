package kube

import (
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
)

// All resources that this program requests. Secrets and ConfigMaps must not be here.
var (
	// Nodes in a list have no images, and only the managed fields that show who cordoned them and when. A node has 16 kB
	// on the wire, mostly images.
	Nodes = define[corev1.Node]("", "v1", "nodes", clusterWide).inPages(125).decodedBy(func() func([]byte, *corev1.Node) error {
		return new(nodeDecoder).decode
	})
	// Pods in a list have no service account token volume. Pods of one template share parts of their specs.
	Pods = define[corev1.Pod]("", "v1", "pods", namespaced).decodedBy(func() func([]byte, *corev1.Pod) error {
		return new(podDecoder).decode
	})
	// Events of the core group include those of events.k8s.io: they are the same objects.
	Events = define[corev1.Event]("", "v1", "events", namespaced)
	Leases = define[coordinationv1.Lease]("coordination.k8s.io", "v1", "leases", namespaced)
	PDBs   = define[policyv1.PodDisruptionBudget]("policy", "v1", "poddisruptionbudgets", namespaced)

	Deployments            = define[appsv1.Deployment]("apps", "v1", "deployments", namespaced)
	ReplicaSets            = define[appsv1.ReplicaSet]("apps", "v1", "replicasets", namespaced)
	StatefulSets           = define[appsv1.StatefulSet]("apps", "v1", "statefulsets", namespaced)
	DaemonSets             = define[appsv1.DaemonSet]("apps", "v1", "daemonsets", namespaced)
	Jobs                   = define[batchv1.Job]("batch", "v1", "jobs", namespaced)
	ReplicationControllers = define[corev1.ReplicationController]("", "v1", "replicationcontrollers", namespaced)

	Claims            = define[corev1.PersistentVolumeClaim]("", "v1", "persistentvolumeclaims", namespaced)
	Volumes           = define[corev1.PersistentVolume]("", "v1", "persistentvolumes", clusterWide)
	VolumeAttachments = define[storagev1.VolumeAttachment]("storage.k8s.io", "v1", "volumeattachments", clusterWide)
	CSINodes          = define[storagev1.CSINode]("storage.k8s.io", "v1", "csinodes", clusterWide)
	PriorityClasses   = define[schedulingv1.PriorityClass]("scheduling.k8s.io", "v1", "priorityclasses", clusterWide)
	CSRs              = define[certificatesv1.CertificateSigningRequest]("certificates.k8s.io", "v1", "certificatesigningrequests", clusterWide)

	ValidatingWebhooks = define[admissionv1.ValidatingWebhookConfiguration]("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations", clusterWide)
	MutatingWebhooks   = define[admissionv1.MutatingWebhookConfiguration]("admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations", clusterWide)
	AdmissionPolicies  = define[admissionv1.ValidatingAdmissionPolicy]("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies", clusterWide)
	PolicyBindings     = define[admissionv1.ValidatingAdmissionPolicyBinding]("admissionregistration.k8s.io", "v1", "validatingadmissionpolicybindings", clusterWide)
	// Mutating policies are v1 since 1.36 and v1beta1 since 1.34. Both have the same fields.
	Mutations            = define[admissionv1.MutatingAdmissionPolicy]("admissionregistration.k8s.io", "v1", "mutatingadmissionpolicies", clusterWide)
	MutationBindings     = define[admissionv1.MutatingAdmissionPolicyBinding]("admissionregistration.k8s.io", "v1", "mutatingadmissionpolicybindings", clusterWide)
	MutationsBeta        = define[admissionv1.MutatingAdmissionPolicy]("admissionregistration.k8s.io", "v1beta1", "mutatingadmissionpolicies", clusterWide)
	MutationBindingsBeta = define[admissionv1.MutatingAdmissionPolicyBinding]("admissionregistration.k8s.io", "v1beta1", "mutatingadmissionpolicybindings", clusterWide)
	// EndpointSlices are requested only for the Services of webhooks.
	EndpointSlices = define[discoveryv1.EndpointSlice]("discovery.k8s.io", "v1", "endpointslices", namespaced)
)

// surveyed are the resources that a survey of the whole cluster lists, completely or the first pages.
var surveyed = []Source{
	Pods, PDBs, ReplicaSets, Deployments, StatefulSets, DaemonSets, Jobs, ReplicationControllers,
	Claims, Volumes, VolumeAttachments, CSINodes, PriorityClasses, CSRs,
	define[corev1.Namespace]("", "v1", "namespaces", clusterWide),
	define[storagev1.StorageClass]("storage.k8s.io", "v1", "storageclasses", clusterWide),
	define[storagev1.CSIDriver]("storage.k8s.io", "v1", "csidrivers", clusterWide),
	define[storagev1.CSIStorageCapacity]("storage.k8s.io", "v1", "csistoragecapacities", namespaced),
}

// Surveyed returns the resource with this name ("csidrivers.storage.k8s.io"), or nil.
func Surveyed(name string) Source {
	for _, s := range surveyed {
		if s.String() == name {
			return s
		}
	}
	return nil
}
