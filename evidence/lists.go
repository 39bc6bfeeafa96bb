package evidence

import (
	"slices"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Lists of a Snapshot, in order. They and their items are shared and must not be changed.

// Source returns the source of the evidence.
func (s *Snapshot) Source() Source { return s.data.Source }

// Gaps returns what could not be read.
func (s *Snapshot) Gaps() []Gap { return slices.Clip(s.data.Gaps) }

// Nodes returns the nodes by name.
func (s *Snapshot) Nodes() []*Node { return slices.Clip(s.data.Nodes) }

// Described returns the nodes, and node descriptions without a name next to them. Such a description may belong to one
// of the nodes, so it is not counted.
func (s *Snapshot) Described() []*Node { return slices.Concat(s.unnamed, s.data.Nodes) }

// Pods returns the pods by namespace and name.
func (s *Snapshot) Pods() []*Pod { return slices.Clip(s.data.Pods) }

// Leases returns the Leases of nodes and of leader elections.
func (s *Snapshot) Leases() []*Lease { return slices.Clip(s.data.Leases) }

// Events returns the events, oldest first.
func (s *Snapshot) Events() []*Event { return slices.Clip(s.data.Events) }

// PDBs returns the PodDisruptionBudgets.
func (s *Snapshot) PDBs() []*PDB { return slices.Clip(s.data.PDBs) }

// Workloads returns the controllers of pods.
func (s *Snapshot) Workloads() []*Workload { return slices.Clip(s.data.Workloads) }

// Claims returns the PersistentVolumeClaims.
func (s *Snapshot) Claims() []*corev1.PersistentVolumeClaim { return slices.Clip(s.data.Claims) }

// Volumes returns the PersistentVolumes.
func (s *Snapshot) Volumes() []*corev1.PersistentVolume { return slices.Clip(s.data.Volumes) }

// VolumeAttachments returns the VolumeAttachments.
func (s *Snapshot) VolumeAttachments() []*storagev1.VolumeAttachment {
	return slices.Clip(s.data.VolumeAttachments)
}

// CSRs returns the CertificateSigningRequests.
func (s *Snapshot) CSRs() []*certificatesv1.CertificateSigningRequest {
	return slices.Clip(s.data.CSRs)
}

// Webhooks returns the admission webhooks.
func (s *Snapshot) Webhooks() []*Webhook { return slices.Clip(s.data.Webhooks) }

// Kubelets returns the data of kubelets.
func (s *Snapshot) Kubelets() []*Kubelet { return slices.Clip(s.data.Kubelets) }

// NodeReports returns the reports of nodes.
func (s *Snapshot) NodeReports() []*nodereport.Report { return slices.Clip(s.data.NodeReports) }

// Matches returns the component messages that match a signature.
func (s *Snapshot) Matches() []*Match { return slices.Clip(s.said) }

// MatchesIn returns the matches in one text.
func (s *Snapshot) MatchesIn(source string) []*Match { return slices.Clip(s.read[source]) }

// Quoted returns the application messages that match a signature. They end no problem, fill no placeholder and name no
// other object.
func (s *Snapshot) Quoted() []*Match { return slices.Clip(s.quoted) }

// Lines returns the lines with problems, the most severe of each text.
func (s *Snapshot) Lines() []*Line { return slices.Clip(s.data.Lines) }

// LinesOf returns the lines of one text.
func (s *Snapshot) LinesOf(source string) []*Line { return slices.Clip(s.lines[source]) }
