package evidence

import (
	admissionv1 "k8s.io/api/admissionregistration/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Kinds of a Snapshot. A new kind needs a constant and a row here, a field of Data, and a line in kube/resources.go.
const (
	Nodes             Kind = "nodes"
	Leases            Kind = "leases"
	Pods              Kind = "pods"
	Events            Kind = "events"
	PDBs              Kind = "poddisruptionbudgets"
	Workloads         Kind = "workloads"
	Claims            Kind = "persistentvolumeclaims"
	Volumes           Kind = "persistentvolumes"
	VolumeAttachments Kind = "volumeattachments"
	CSINodes          Kind = "csinodes"
	PriorityClasses   Kind = "priorityclasses"
	StorageClasses    Kind = "storageclasses"
	CSIDrivers        Kind = "csidrivers"
	StorageCapacities Kind = "csistoragecapacities"
	Namespaces        Kind = "namespaces"
	CSRs              Kind = "certificatesigningrequests"
	Webhooks          Kind = "webhookconfigurations"
	Policies          Kind = "validatingadmissionpolicies" // and their bindings
	Mutations         Kind = "mutatingadmissionpolicies"   // and their bindings
	Endpoints         Kind = "endpointslices"
	NodeMetrics       Kind = "nodemetrics"
	PodMetrics        Kind = "podmetrics"
)

// Kinds that are not API objects.
const (
	// Kubelets are data of kubelets: their endpoints and metrics.
	Kubelets Kind = "kubelets"
	// NodeReports are reports of nodes.
	NodeReports Kind = "nodereports"
	// Messages are all messages of components: logs, and messages in events, conditions and statuses.
	Messages Kind = "messages"
	// CloudState is the state of cloud resources.
	CloudState Kind = "cloudstate"
	// CloudLog is the activity log of the cloud.
	CloudLog Kind = "cloudlog"
)

// API groups.
var (
	core      = []string{""}
	apps      = []string{"apps"}
	oldApps   = []string{"apps", "extensions"}
	storage   = []string{"storage.k8s.io"}
	admission = []string{"admissionregistration.k8s.io"}
)

// kinds returns the table, in the order of the files of a bundle.
func kinds() []*Row {
	return []*Row{
		{Kind: Nodes, Word: "nodes", Rank: 1, Always: true, Lists: []List{
			listOf("nodes", func(d *Data) *[]*Node { return &d.Nodes },
				keeping[Node]{asRead: true,
					key:     func(n *Node) []string { return []string{n.Name} },
					partial: func(n *Node) bool { return n.Partial },
					settle:  func(_ *Templates, n *Node) bool { return n.Node != nil }},
				from(Object{Kind: "Node", Names: []string{"nodes"}, Groups: core, ClusterWide: true}, alone(FromNode)))}},
		{Kind: Leases, Word: "leases", Rank: 4, Lists: []List{
			listOf("leases", func(d *Data) *[]*Lease { return &d.Leases },
				keeping[Lease]{
					key:     func(l *Lease) []string { return []string{l.Namespace, l.Name} },
					partial: func(l *Lease) bool { return l.Renewed.IsZero() }},
				from(Object{Kind: "Lease", Names: []string{"leases"}, Groups: []string{"coordination.k8s.io"}}, alone(FromLease)))}},
		{Kind: Pods, Word: "pods", Rank: 2, Always: true, Lists: []List{
			listOf("pods", func(d *Data) *[]*Pod { return &d.Pods },
				keeping[Pod]{asRead: true,
					key:     func(p *Pod) []string { return []string{p.Namespace, p.Name} },
					partial: func(p *Pod) bool { return p.Partial },
					settle: func(t *Templates, p *Pod) bool {
						p.Spec, p.Labels = t.Share(p.Spec, p.Labels)
						return true
					}},
				from(Object{Kind: "Pod", Names: []string{"pods"}, Groups: core, Copied: true, Survey: All}, (*Templates).FromPod))}},
		{Kind: Events, Word: "events", Rank: 3, Lists: []List{
			listOf("events", func(d *Data) *[]*Event { return &d.Events },
				keeping[Event]{by: func(e *Event) []string {
					return []string{e.Object.Kind, e.Object.Namespace, e.Object.Name, e.Reason, e.Message}
				}},
				from(Object{Kind: "Event", Names: []string{"events"}, Groups: []string{"", "events.k8s.io"}}, alone(fromEvent)))}},
		{Kind: PDBs, Word: "PodDisruptionBudgets", Lists: []List{
			listOf("pdbs", func(d *Data) *[]*PDB { return &d.PDBs },
				keeping[PDB]{
					key:     func(p *PDB) []string { return []string{p.Namespace, p.Name} },
					partial: func(p *PDB) bool { return p.Partial },
					settle:  func(_ *Templates, p *PDB) bool { return p.PodDisruptionBudget != nil }},
				from(Object{Kind: "PodDisruptionBudget", Names: []string{"poddisruptionbudgets", "pdbs"}, Groups: []string{"policy"}, Survey: All},
					alone(func(p *policyv1.PodDisruptionBudget) *PDB {
						p.ManagedFields = nil
						return &PDB{PodDisruptionBudget: p}
					})))}},
		{Kind: Workloads, Word: "workloads", Rank: 5, Ask: "deployments,replicasets,statefulsets,daemonsets,jobs", Lists: []List{
			listOf("workloads", func(d *Data) *[]*Workload { return &d.Workloads },
				keeping[Workload]{
					key:     func(w *Workload) []string { return []string{w.Kind, w.Namespace, w.Name} },
					partial: func(w *Workload) bool { return w.Partial },
					settle: func(t *Templates, w *Workload) bool {
						w.Template, w.TemplateLabels = t.Share(w.Template, w.TemplateLabels)
						return true
					}},
				from(Object{Kind: "Deployment", Names: []string{"deployments"}, Groups: oldApps, Survey: All}, (*Templates).FromDeployment),
				from(Object{Kind: "ReplicaSet", Names: []string{"replicasets"}, Groups: oldApps, Survey: All}, (*Templates).FromReplicaSet),
				from(Object{Kind: "StatefulSet", Names: []string{"statefulsets"}, Groups: apps, Survey: All}, (*Templates).FromStatefulSet),
				from(Object{Kind: "DaemonSet", Names: []string{"daemonsets"}, Groups: oldApps, Survey: All}, (*Templates).FromDaemonSet),
				from(Object{Kind: "Job", Names: []string{"jobs"}, Groups: []string{"batch"}, Beside: true, Survey: All}, (*Templates).FromJob),
				from(Object{Kind: "ReplicationController", Names: []string{"replicationcontrollers"}, Groups: core, Beside: true, Survey: All}, (*Templates).FromReplicationController))}},
		{Kind: Claims, Word: "volume claims", Lists: []List{
			listOf("claims", func(d *Data) *[]*corev1.PersistentVolumeClaim { return &d.Claims }, named[*corev1.PersistentVolumeClaim](),
				from(Object{Kind: "PersistentVolumeClaim", Names: []string{"persistentvolumeclaims", "pvcs"}, Groups: core, Survey: All},
					kept(func(c *corev1.PersistentVolumeClaim) { c.ManagedFields = nil })))}},
		{Kind: Volumes, Word: "volumes", Lists: []List{
			listOf("volumes", func(d *Data) *[]*corev1.PersistentVolume { return &d.Volumes }, named[*corev1.PersistentVolume](),
				from(Object{Kind: "PersistentVolume", Names: []string{"persistentvolumes", "pvs"}, Groups: core, ClusterWide: true, Survey: All},
					kept(func(v *corev1.PersistentVolume) { v.ManagedFields = nil })))}},
		{Kind: VolumeAttachments, Word: "volume attachments", Lists: []List{
			listOf("volumeattachments", func(d *Data) *[]*storagev1.VolumeAttachment { return &d.VolumeAttachments }, named[*storagev1.VolumeAttachment](),
				from(Object{Kind: "VolumeAttachment", Names: []string{"volumeattachments"}, Groups: storage, ClusterWide: true, Survey: All},
					kept(func(a *storagev1.VolumeAttachment) { a.ManagedFields = nil })))}},
		{Kind: CSINodes, Word: "CSI nodes", Lists: []List{
			listOf("csinodes", func(d *Data) *[]*storagev1.CSINode { return &d.CSINodes }, named[*storagev1.CSINode](),
				from(Object{Kind: "CSINode", Names: []string{"csinodes"}, Groups: storage, ClusterWide: true, Survey: All},
					kept(func(n *storagev1.CSINode) { n.ManagedFields = nil })))}},
		{Kind: PriorityClasses, Word: "priority classes", Lists: []List{
			listOf("priorityclasses", func(d *Data) *[]*schedulingv1.PriorityClass { return &d.PriorityClasses }, named[*schedulingv1.PriorityClass](),
				from(Object{Kind: "PriorityClass", Names: []string{"priorityclasses"}, Groups: []string{"scheduling.k8s.io"}, ClusterWide: true, Survey: Few},
					kept(func(c *schedulingv1.PriorityClass) { c.ManagedFields = nil })))}},
		{Kind: StorageClasses, Word: "storage classes", Lists: []List{
			listOf("storageclasses", func(d *Data) *[]*storagev1.StorageClass { return &d.StorageClasses }, named[*storagev1.StorageClass](),
				from(Object{Kind: "StorageClass", Names: []string{"storageclasses"}, Groups: storage, ClusterWide: true, Survey: Few},
					kept(func(c *storagev1.StorageClass) {
						c.Parameters = nil // they may name secrets and are not used
						TrimMeta(&c.ObjectMeta)
					})))}},
		{Kind: CSIDrivers, Word: "CSI drivers", Lists: []List{
			listOf("csidrivers", func(d *Data) *[]*storagev1.CSIDriver { return &d.CSIDrivers }, named[*storagev1.CSIDriver](),
				from(Object{Kind: "CSIDriver", Names: []string{"csidrivers"}, Groups: storage, ClusterWide: true, Survey: Few},
					kept(func(c *storagev1.CSIDriver) { TrimMeta(&c.ObjectMeta) })))}},
		{Kind: StorageCapacities, Word: "storage capacities", Lists: []List{
			listOf("storagecapacities", func(d *Data) *[]*storagev1.CSIStorageCapacity { return &d.StorageCapacities }, named[*storagev1.CSIStorageCapacity](),
				from(Object{Kind: "CSIStorageCapacity", Names: []string{"csistoragecapacities"}, Groups: storage, Survey: Few},
					kept(func(c *storagev1.CSIStorageCapacity) { TrimMeta(&c.ObjectMeta) })))}},
		{Kind: Namespaces, Word: "namespaces", Lists: []List{
			listOf("namespaces", func(d *Data) *[]*corev1.Namespace { return &d.Namespaces }, named[*corev1.Namespace](),
				from(Object{Kind: "Namespace", Names: []string{"namespaces"}, Groups: core, ClusterWide: true, Survey: All}, alone(FromNamespace)))}},
		{Kind: CSRs, Word: "certificate requests", Lists: []List{
			listOf("csrs", func(d *Data) *[]*certificatesv1.CertificateSigningRequest { return &d.CSRs }, named[*certificatesv1.CertificateSigningRequest](),
				from(Object{Kind: "CertificateSigningRequest", Names: []string{"certificatesigningrequests"}, Groups: []string{"certificates.k8s.io"}, ClusterWide: true, Survey: All},
					kept(func(c *certificatesv1.CertificateSigningRequest) {
						c.ManagedFields, c.Spec.Request, c.Status.Certificate = nil, nil, nil
					})))}},
		{Kind: Webhooks, Word: "webhooks", Lists: []List{
			listOf("webhooks", func(d *Data) *[]*Webhook { return &d.Webhooks },
				keeping[Webhook]{asRead: true, key: func(w *Webhook) []string {
					return []string{w.Configuration, w.Name, map[bool]string{true: "validating"}[w.Validating]}
				}},
				fromEach(Object{Kind: "ValidatingWebhookConfiguration", Names: []string{"validatingwebhookconfigurations"}, Groups: admission, ClusterWide: true}, fromValidatingWebhooks),
				fromEach(Object{Kind: "MutatingWebhookConfiguration", Names: []string{"mutatingwebhookconfigurations"}, Groups: admission, ClusterWide: true}, fromMutatingWebhooks))}},
		{Kind: Policies, Word: "admission policies", Lists: []List{
			listOf("policies", func(d *Data) *[]*admissionv1.ValidatingAdmissionPolicy { return &d.Policies }, named[*admissionv1.ValidatingAdmissionPolicy](),
				from(Object{Kind: "ValidatingAdmissionPolicy", Names: []string{"validatingadmissionpolicies"}, Groups: admission, ClusterWide: true}, alone(fromPolicy))),
			listOf("policybindings", func(d *Data) *[]*admissionv1.ValidatingAdmissionPolicyBinding { return &d.PolicyBindings }, named[*admissionv1.ValidatingAdmissionPolicyBinding](),
				from(Object{Kind: "ValidatingAdmissionPolicyBinding", Names: []string{"validatingadmissionpolicybindings"}, Groups: admission, ClusterWide: true}, alone(fromPolicyBinding)))}},
		{Kind: Mutations, Word: "mutating admission policies", Lists: []List{
			listOf("mutations", func(d *Data) *[]*admissionv1.MutatingAdmissionPolicy { return &d.Mutations }, named[*admissionv1.MutatingAdmissionPolicy](),
				from(Object{Kind: "MutatingAdmissionPolicy", Names: []string{"mutatingadmissionpolicies"}, Groups: admission, ClusterWide: true}, alone(fromMutation))),
			listOf("mutationbindings", func(d *Data) *[]*admissionv1.MutatingAdmissionPolicyBinding { return &d.MutationBindings }, named[*admissionv1.MutatingAdmissionPolicyBinding](),
				from(Object{Kind: "MutatingAdmissionPolicyBinding", Names: []string{"mutatingadmissionpolicybindings"}, Groups: admission, ClusterWide: true}, alone(fromMutationBinding)))}},
		{Kind: Endpoints, Word: "endpoints", Lists: []List{
			endpointCounts(Object{Kind: "EndpointSlice", Names: []string{"endpointslices"}, Groups: []string{"discovery.k8s.io"}, Beside: true})}},
		{Kind: Kubelets, Word: "what kubelets say", Present: func(d *Data) bool { return len(d.Kubelets) > 0 }, Lists: []List{
			listOf("kubelets", func(d *Data) *[]*Kubelet { return &d.Kubelets },
				keeping[Kubelet]{by: func(k *Kubelet) []string { return []string{k.Node} }})}},
		{Kind: NodeMetrics, Word: "node metrics", Lists: []List{
			listOf("usage", func(d *Data) *[]*Usage { return &d.Usage },
				keeping[Usage]{asRead: true, key: func(u *Usage) []string { return []string{u.Node} }},
				from(Object{Kind: "NodeMetrics", Names: []string{"nodes.metrics.k8s.io"}, Groups: []string{"metrics.k8s.io"}, ClusterWide: true, Beside: true}, alone(fromNodeUsage)))}},
		{Kind: PodMetrics, Word: "pod metrics", Lists: []List{
			listOf("podusage", func(d *Data) *[]*PodUsage { return &d.PodUsage },
				keeping[PodUsage]{asRead: true, key: func(u *PodUsage) []string { return []string{u.Namespace, u.Name, u.From} }},
				from(Object{Kind: "PodMetrics", Names: []string{"pods.metrics.k8s.io"}, Groups: []string{"metrics.k8s.io"}, Beside: true}, alone(fromContainersUsage)))}},
		{Kind: NodeReports, Word: "reports of nodes", Present: func(d *Data) bool { return len(d.NodeReports) > 0 }, Lists: []List{
			listOf("nodereports", func(d *Data) *[]*nodereport.Report { return &d.NodeReports },
				keeping[nodereport.Report]{by: func(r *nodereport.Report) []string { return []string{r.Node, r.Source} }})}},
		{Kind: CloudState, Word: "the state of the cloud", Present: func(d *Data) bool { return len(d.CloudResources) > 0 }},
		{Kind: CloudLog, Word: "the log of the cloud", Present: func(d *Data) bool { return len(d.CloudActivities) > 0 }},
		{Kind: Messages, Word: "messages", Present: func(d *Data) bool {
			return len(d.Matches)+len(d.Lines)+len(d.Events)+len(d.Nodes)+len(d.Pods)+len(d.Kubelets)+len(d.CloudResources)+len(d.CloudActivities) > 0
		}},
	}
}

// named are objects with a unique name.
func named[PT interface {
	*T
	metav1.Object
}, T any]() keeping[T] {
	return keeping[T]{key: func(o *T) []string { return []string{PT(o).GetNamespace(), PT(o).GetName()} }}
}
