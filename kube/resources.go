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

// Everything that is ever asked for. Secrets and ConfigMaps are not here, and must not be.
var (
	Nodes = define("", "v1", "nodes", false, func(l *corev1.NodeList) []corev1.Node { return l.Items })
	Pods  = define("", "v1", "pods", true, func(l *corev1.PodList) []corev1.Pod { return l.Items })
	// Events of the core group hold those of events.k8s.io too: they are the same objects.
	Events = define("", "v1", "events", true, func(l *corev1.EventList) []corev1.Event { return l.Items })
	Leases = define("coordination.k8s.io", "v1", "leases", true, func(l *coordinationv1.LeaseList) []coordinationv1.Lease { return l.Items })
	PDBs   = define("policy", "v1", "poddisruptionbudgets", true, func(l *policyv1.PodDisruptionBudgetList) []policyv1.PodDisruptionBudget { return l.Items })

	Deployments            = define("apps", "v1", "deployments", true, func(l *appsv1.DeploymentList) []appsv1.Deployment { return l.Items })
	ReplicaSets            = define("apps", "v1", "replicasets", true, func(l *appsv1.ReplicaSetList) []appsv1.ReplicaSet { return l.Items })
	StatefulSets           = define("apps", "v1", "statefulsets", true, func(l *appsv1.StatefulSetList) []appsv1.StatefulSet { return l.Items })
	DaemonSets             = define("apps", "v1", "daemonsets", true, func(l *appsv1.DaemonSetList) []appsv1.DaemonSet { return l.Items })
	Jobs                   = define("batch", "v1", "jobs", true, func(l *batchv1.JobList) []batchv1.Job { return l.Items })
	ReplicationControllers = define("", "v1", "replicationcontrollers", true, func(l *corev1.ReplicationControllerList) []corev1.ReplicationController { return l.Items })

	Claims            = define("", "v1", "persistentvolumeclaims", true, func(l *corev1.PersistentVolumeClaimList) []corev1.PersistentVolumeClaim { return l.Items })
	Volumes           = define("", "v1", "persistentvolumes", false, func(l *corev1.PersistentVolumeList) []corev1.PersistentVolume { return l.Items })
	VolumeAttachments = define("storage.k8s.io", "v1", "volumeattachments", false, func(l *storagev1.VolumeAttachmentList) []storagev1.VolumeAttachment { return l.Items })
	CSINodes          = define("storage.k8s.io", "v1", "csinodes", false, func(l *storagev1.CSINodeList) []storagev1.CSINode { return l.Items })
	PriorityClasses   = define("scheduling.k8s.io", "v1", "priorityclasses", false, func(l *schedulingv1.PriorityClassList) []schedulingv1.PriorityClass { return l.Items })
	CSRs              = define("certificates.k8s.io", "v1", "certificatesigningrequests", false, func(l *certificatesv1.CertificateSigningRequestList) []certificatesv1.CertificateSigningRequest {
		return l.Items
	})

	ValidatingWebhooks = define("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations", false, func(l *admissionv1.ValidatingWebhookConfigurationList) []admissionv1.ValidatingWebhookConfiguration {
		return l.Items
	})
	MutatingWebhooks = define("admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations", false, func(l *admissionv1.MutatingWebhookConfigurationList) []admissionv1.MutatingWebhookConfiguration {
		return l.Items
	})
	// EndpointSlices are asked for only behind the services of webhooks.
	EndpointSlices = define("discovery.k8s.io", "v1", "endpointslices", true, func(l *discoveryv1.EndpointSliceList) []discoveryv1.EndpointSlice { return l.Items })
)
