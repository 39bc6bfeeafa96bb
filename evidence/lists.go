package evidence

import (
	"slices"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// The lists of a Snapshot, as they are ordered there. What they hold is shared: it must not be changed, nor may the lists.

// Source tells where the evidence came from.
func (s *Snapshot) Source() Source { return s.data.Source }

// Gaps are what could not be read.
func (s *Snapshot) Gaps() []Gap { return slices.Clip(s.data.Gaps) }

// Nodes are the nodes by name.
func (s *Snapshot) Nodes() []*Node { return slices.Clip(s.data.Nodes) }

// Described are the nodes, and the pieces of descriptions without a name beside them. A piece may be of one of the nodes, so that it
// is no further node and is counted with none.
func (s *Snapshot) Described() []*Node { return slices.Concat(s.unnamed, s.data.Nodes) }

// Pods are the pods by namespace and name.
func (s *Snapshot) Pods() []*Pod { return slices.Clip(s.data.Pods) }

// Leases are the heartbeats of nodes and the locks of components.
func (s *Snapshot) Leases() []*Lease { return slices.Clip(s.data.Leases) }

// Events are the events, oldest first.
func (s *Snapshot) Events() []*Event { return slices.Clip(s.data.Events) }

// PDBs are the disruption budgets.
func (s *Snapshot) PDBs() []*PDB { return slices.Clip(s.data.PDBs) }

// Workloads are the controllers of pods.
func (s *Snapshot) Workloads() []*Workload { return slices.Clip(s.data.Workloads) }

// Claims are the claims of volumes.
func (s *Snapshot) Claims() []*corev1.PersistentVolumeClaim { return slices.Clip(s.data.Claims) }

// Volumes are the volumes of the cluster.
func (s *Snapshot) Volumes() []*corev1.PersistentVolume { return slices.Clip(s.data.Volumes) }

// VolumeAttachments are the volumes that are to be on nodes.
func (s *Snapshot) VolumeAttachments() []*storagev1.VolumeAttachment {
	return slices.Clip(s.data.VolumeAttachments)
}

// CSRs are the requests for certificates.
func (s *Snapshot) CSRs() []*certificatesv1.CertificateSigningRequest {
	return slices.Clip(s.data.CSRs)
}

// Webhooks are the admission webhooks.
func (s *Snapshot) Webhooks() []*Webhook { return slices.Clip(s.data.Webhooks) }

// Kubelets are what kubelets said of themselves.
func (s *Snapshot) Kubelets() []*Kubelet { return slices.Clip(s.data.Kubelets) }

// NodeReports are what nodes said of themselves.
func (s *Snapshot) NodeReports() []*nodereport.Report { return slices.Clip(s.data.NodeReports) }

// Matches are the messages of components that signatures recognised.
func (s *Snapshot) Matches() []*Match { return slices.Clip(s.said) }

// MatchesIn are those of one text.
func (s *Snapshot) MatchesIn(source string) []*Match { return slices.Clip(s.read[source]) }

// Quoted are the messages of applications that signatures recognised. They end nothing, fill nothing and name no other object.
func (s *Snapshot) Quoted() []*Match { return slices.Clip(s.quoted) }

// Lines are the lines that tell of trouble, the gravest of each text.
func (s *Snapshot) Lines() []*Line { return slices.Clip(s.data.Lines) }

// LinesOf are those of one text.
func (s *Snapshot) LinesOf(source string) []*Line { return slices.Clip(s.lines[source]) }
