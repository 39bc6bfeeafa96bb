package evidence

import (
	"slices"
	"sort"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Snapshot is the evidence of one instant. A Builder builds it, and then it is read-only: callers must not change
// returned values.
type Snapshot struct {
	data Data

	nodes     map[string]*Node
	unnamed   []*Node // node descriptions without a name, next to named nodes
	podsOn    map[string][]*Pod
	pods      map[podKey]*Pod
	nodeLease map[string]*Lease
	events    map[Subject][]*Event
	workloads map[Subject]*Workload
	byUID     map[string]*Workload
	reports   map[string][]*nodereport.Report
	kubelets  map[string]*Kubelet
	usage     map[string]*Usage
	podUsage  map[podKey]*PodUsage
	matches   map[string][]*Match
	lines     map[string][]*Line // by source
	about     map[Subject][]*Match
	said      []*Match            // of components
	read      map[string][]*Match // by source
	quoted    []*Match            // of applications
	log       activities
	present   map[Kind]bool // of kinds that are not API objects
	unread    map[Kind][]Gap
}

type podKey struct{ namespace, name string }

// Data is the content of a Snapshot, in its JSON format.
type Data struct {
	TakenAt  time.Time         `json:"takenAt,omitzero"`
	Source   Source            `json:"source"`
	Server   Server            `json:"server,omitzero"`
	Coverage map[Kind]Coverage `json:"coverage,omitempty"`
	Nodes    []*Node           `json:"nodes,omitempty"`
	Leases   []*Lease          `json:"leases,omitempty"`
	Pods     []*Pod            `json:"pods,omitempty"`
	// PodsReadOn are the nodes whose pods were all read, if those of other nodes were not; nil: no node was skipped.
	PodsReadOn []string `json:"podsReadOn,omitempty"`
	// PodsReadIn are the namespaces whose pods were all read, if those of other namespaces may be missing.
	PodsReadIn []string `json:"podsReadIn,omitempty"`
	// CloudAnswers are the names of cloud queries with an answer, even an empty list: files do not show those.
	CloudAnswers []string `json:"cloudAnswers,omitempty"`
	// Dumps are the names of texts in which a tool printed complete pod logs.
	Dumps []string `json:"dumps,omitempty"`
	// Zone is the UTC offset of the local time in the texts, if known. Times of log lines are corrected with it.
	Zone              time.Duration                               `json:"zone,omitempty"`
	Events            []*Event                                    `json:"events,omitempty"`
	PDBs              []*PDB                                      `json:"pdbs,omitempty"`
	Workloads         []*Workload                                 `json:"workloads,omitempty"`
	Claims            []*corev1.PersistentVolumeClaim             `json:"claims,omitempty"`
	Volumes           []*corev1.PersistentVolume                  `json:"volumes,omitempty"`
	VolumeAttachments []*storagev1.VolumeAttachment               `json:"volumeAttachments,omitempty"`
	CSINodes          []*storagev1.CSINode                        `json:"csiNodes,omitempty"`
	PriorityClasses   []*schedulingv1.PriorityClass               `json:"priorityClasses,omitempty"`
	StorageClasses    []*storagev1.StorageClass                   `json:"storageClasses,omitempty"`
	CSIDrivers        []*storagev1.CSIDriver                      `json:"csiDrivers,omitempty"`
	StorageCapacities []*storagev1.CSIStorageCapacity             `json:"storageCapacities,omitempty"`
	Namespaces        []*corev1.Namespace                         `json:"namespaces,omitempty"`
	CSRs              []*certificatesv1.CertificateSigningRequest `json:"csrs,omitempty"`
	Webhooks          []*Webhook                                  `json:"webhooks,omitempty"`
	// Policies and their bindings are the ValidatingAdmissionPolicies.
	Policies       []*admissionv1.ValidatingAdmissionPolicy        `json:"policies,omitempty"`
	PolicyBindings []*admissionv1.ValidatingAdmissionPolicyBinding `json:"policyBindings,omitempty"`
	// Mutations and their bindings are the MutatingAdmissionPolicies.
	Mutations        []*admissionv1.MutatingAdmissionPolicy        `json:"mutations,omitempty"`
	MutationBindings []*admissionv1.MutatingAdmissionPolicyBinding `json:"mutationBindings,omitempty"`
	// Endpoints counts the ready endpoints of Services (namespace/name) in the evidence.
	Endpoints       map[string]int       `json:"endpoints,omitempty"`
	Kubelets        []*Kubelet           `json:"kubelets,omitempty"`
	Usage           []*Usage             `json:"usage,omitempty"`
	PodUsage        []*PodUsage          `json:"podUsage,omitempty"`
	NodeReports     []*nodereport.Report `json:"nodeReports,omitempty"`
	CloudResources  []CloudResource      `json:"cloudResources,omitempty"`
	CloudActivities []*CloudActivity     `json:"cloudActivities,omitempty"`
	// CloudNames are placeholders of cloud commands, with the values from one document or one command.
	CloudNames []map[string]string `json:"cloudNames,omitempty"`
	Matches    []*Match            `json:"matches,omitempty"`
	Lines      []*Line             `json:"lines,omitempty"` // with problems, the most severe of each text
	Gaps       []Gap               `json:"gaps,omitempty"`
}

// Sort orders nodes and pods by name and events by time, as in a Snapshot. Values that depend on the order are then the
// same for every source.
func (d *Data) Sort() {
	sort.SliceStable(d.Nodes, func(i, j int) bool { return d.Nodes[i].Name < d.Nodes[j].Name })
	sort.SliceStable(d.Pods, func(i, j int) bool {
		a, b := d.Pods[i], d.Pods[j]
		return a.Namespace < b.Namespace || a.Namespace == b.Namespace && a.Name < b.Name
	})
	sort.SliceStable(d.Events, func(i, j int) bool { return d.Events[i].Last.Before(d.Events[j].Last) })
	sort.Strings(d.PodsReadOn)
	sort.Strings(d.PodsReadIn)
	sort.Strings(d.CloudAnswers)
	sort.Strings(d.Dumps)
}

// New returns a Snapshot and takes ownership of data. It sorts the lists by name.
func New(data Data) *Snapshot {
	s := &Snapshot{
		data:      data,
		nodes:     map[string]*Node{},
		podsOn:    map[string][]*Pod{},
		pods:      make(map[podKey]*Pod, len(data.Pods)),
		nodeLease: map[string]*Lease{},
		events:    map[Subject][]*Event{},
		workloads: map[Subject]*Workload{},
		byUID:     map[string]*Workload{},
		reports:   map[string][]*nodereport.Report{},
		kubelets:  map[string]*Kubelet{},
		usage:     map[string]*Usage{},
		matches:   map[string][]*Match{},
		read:      map[string][]*Match{},
		lines:     map[string][]*Line{},
		about:     map[Subject][]*Match{},
		present:   map[Kind]bool{},
		unread:    unread(data.Gaps),
	}
	s.data.Sort()
	s.indexNodes()
	s.indexObjects()
	s.indexStates()
	s.indexTexts()
	for _, r := range Kinds() {
		s.present[r.Kind] = r.Present != nil && r.Present(&s.data)
	}
	return s
}

// indexNodes indexes the nodes, and sets those without a name apart if others have one.
func (s *Snapshot) indexNodes() {
	d := &s.data
	for _, n := range d.Nodes {
		s.nodes[n.Name] = n
	}
	if s.nodes[""] != nil && len(s.nodes) > 1 {
		s.unnamed = d.Nodes[:slices.IndexFunc(d.Nodes, func(n *Node) bool { return n.Name != "" })] // they are sorted by name
		d.Nodes = d.Nodes[len(s.unnamed):]
	}
}

func (s *Snapshot) indexObjects() {
	for _, p := range s.data.Pods {
		s.podsOn[p.Node] = append(s.podsOn[p.Node], p)
		s.pods[podKey{p.Namespace, p.Name}] = p
	}
	for _, l := range s.data.Leases {
		if l.Namespace == corev1.NamespaceNodeLease {
			s.nodeLease[l.Name] = l
		}
	}
	for _, e := range s.data.Events {
		s.events[e.Object] = append(s.events[e.Object], e)
	}
	for _, w := range s.data.Workloads {
		s.workloads[w.Subject()] = w
		if w.UID != "" {
			s.byUID[w.UID] = w
		}
	}
}

// indexStates indexes what nodes, kubelets, metrics and the cloud report.
func (s *Snapshot) indexStates() {
	for _, r := range s.data.NodeReports {
		s.reports[r.Node] = append(s.reports[r.Node], r)
	}
	for _, k := range s.data.Kubelets {
		s.kubelets[k.Node] = k
	}
	for _, u := range s.data.Usage {
		s.usage[u.Node] = u
	}
	s.podUsage = indexPodUsage(s.data.PodUsage)
	s.log = indexActivities(s.data.CloudActivities)
}

// indexTexts indexes messages and lines. Messages that quote an application are set apart.
func (s *Snapshot) indexTexts() {
	for _, m := range s.data.Matches {
		if m.OfApplication {
			s.quoted = append(s.quoted, m)
			continue
		}
		s.said = append(s.said, m)
		s.matches[m.Signature] = append(s.matches[m.Signature], m)
		s.read[m.Ref.Source] = append(s.read[m.Ref.Source], m)
		s.about[m.Subject] = append(s.about[m.Subject], m)
	}
	for _, l := range s.data.Lines {
		s.lines[l.Ref.Source] = append(s.lines[l.Ref.Source], l)
	}
}

// Data returns the content for serialization.
func (s *Snapshot) Data() *Data { return &s.data }

// TakenAt returns the API server's time of the evidence, or the newest time in it; zero if there is none.
func (s *Snapshot) TakenAt() time.Time { return s.data.TakenAt }

// Covers returns how much of the kind was read: at most Partial for a kind that is Incomplete.
func (s *Snapshot) Covers(k Kind) Coverage {
	c := s.data.Coverage[k]
	if len(s.Incomplete(k)) > 0 {
		c = min(c, Partial)
	}
	if s.present[k] {
		return max(c, Partial)
	}
	return c
}

// PodGone reports whether a pod that is not in the evidence does not exist: all pods of its namespace were read.
func (s *Snapshot) PodGone(namespace, name string) bool {
	if s.Pod(namespace, name) != nil || s.Source().OneNode() {
		return false
	}
	return s.Covers(Pods) == Complete || slices.Contains(s.data.PodsReadIn, namespace)
}

// Node returns the node, or nil.
func (s *Snapshot) Node(name string) *Node { return s.nodes[name] }

// PodsOn returns the pods bound to the node; "" returns unbound pods.
func (s *Snapshot) PodsOn(node string) []*Pod { return s.podsOn[node] }

// Pod returns the pod, or nil.
func (s *Snapshot) Pod(namespace, name string) *Pod { return s.pods[podKey{namespace, name}] }

// NodeLease returns the heartbeat Lease of the node, or nil.
func (s *Snapshot) NodeLease(node string) *Lease { return s.nodeLease[node] }

// EventsOf returns the events about the subject, oldest first.
func (s *Snapshot) EventsOf(about Subject) []*Event { return s.events[about] }

// KubeletOf returns the node of the kubelet that reported the newest event about a pod; empty: none.
func (s *Snapshot) KubeletOf(pod Subject) string {
	for _, e := range slices.Backward(s.EventsOf(pod)) {
		if e.Component == "kubelet" && e.Host != "" {
			return e.Host
		}
	}
	return ""
}

// Workload returns the controller with that kind and name, or nil.
func (s *Snapshot) Workload(kind, namespace, name string) *Workload {
	return s.workloads[Subject{Kind: kind, Namespace: namespace, Name: name}]
}

// OwnerOf returns the controller of the pod, or nil if it has none or it is not in the evidence.
func (s *Snapshot) OwnerOf(p *Pod) *Workload {
	if w := s.byUID[p.Owner.UID]; w != nil {
		return w
	}
	return s.Workload(p.Owner.Kind, p.Namespace, p.Owner.Name)
}

// ControllerOf returns the controller of the workload, or nil if it has none or it is not in the evidence.
func (s *Snapshot) ControllerOf(w *Workload) *Workload {
	if w.Owner == (Owner{}) {
		return nil
	}
	if up := s.byUID[w.Owner.UID]; up != nil {
		return up
	}
	return s.Workload(w.Owner.Kind, w.Namespace, w.Owner.Name)
}

// TopOwnerOf follows the chain of controllers to its end: the Deployment of the ReplicaSet.
func (s *Snapshot) TopOwnerOf(p *Pod) *Workload {
	w := s.OwnerOf(p)
	for range 4 { // longer chains do not occur; a cycle must not hang
		if w == nil {
			return nil
		}
		up := s.ControllerOf(w)
		if up == nil {
			return w
		}
		w = up
	}
	return w
}

// Reports returns the reports of the node; "" returns texts without a node name.
func (s *Snapshot) Reports(node string) []*nodereport.Report { return s.reports[node] }

// Kubelet returns the data of the kubelet endpoints, or nil.
func (s *Snapshot) Kubelet(node string) *Kubelet { return s.kubelets[node] }

// Usage returns the usage of the node from the metrics API, or nil.
func (s *Snapshot) Usage(node string) *Usage { return s.usage[node] }

// MatchesOf returns the component messages that match the signature.
func (s *Snapshot) MatchesOf(signature string) []*Match { return s.matches[signature] }
