package nodes

import (
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
)

// Detail is all relevant data about one node, in its stable JSON form.
type Detail struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	At         *time.Time        `json:"takenAt"` // the time that it is judged by; null: the evidence has none
	Source     string            `json:"source"`
	Verdict    triage.Verdict    `json:"verdict"` // about this node only
	Faults     int               `json:"faults"`  // independent ones that affect it
	Node       *Node             `json:"node"`
	Addresses  map[string]string `json:"addresses,omitempty"` // by type: InternalIP, Hostname, ...
	ProviderID string            `json:"providerID,omitempty"`
	PodCIDR    string            `json:"podCIDR,omitempty"`
	Labels     []Label           `json:"labels"`
	Conditions []Condition       `json:"conditions"`
	Taints     []Taint           `json:"taints"`
	Resources  []Resource        `json:"resources"`
	Pods       []Pod             `json:"pods"` // unhealthy ones
	System     []Pod             `json:"system"`
	Residents  []Resident        `json:"residents"` // all pods on it
	Missing    []string          `json:"missing"`   // DaemonSets that should run on it and do not
	Events     []Event           `json:"events"`    // newest first
	Kubelet    *Kubelet          `json:"kubelet,omitempty"`
	Machine    *Machine          `json:"machine,omitempty"` // of the node; null: unknown
	// Certificates of the node and its kubelet, the first to expire first; empty: not reported.
	Certificates []mechanics.Certificate `json:"certificates,omitempty"`
	Group        Peers                   `json:"group"`
	Findings     []triage.Finding        `json:"findings"`
	Symptoms     []triage.Symptom        `json:"symptoms"`
	Over         []triage.Over           `json:"over"`
	RuledOut     []triage.RuledOut       `json:"ruledOut"`
	NotChecked   []triage.NotChecked     `json:"notChecked"`
	// ReadInPart are partial kinds, as in a report.
	ReadInPart []evidence.Kind  `json:"readInPart,omitempty"`
	Knowledge  []catalog.Origin `json:"knowledge,omitempty"` // the knowledge that judged it
}

// Peers is the state of the other nodes of the pool and zone.
type Peers struct {
	Nodes  int               `json:"nodes"`
	States map[State]int     `json:"states"`
	Traits map[string]string `json:"traits"`
}

// maxEvents limits the events of one node and of its pods.
const maxEvents = 50

// NewDetail returns the detail of one node; nil if it is not in the evidence.
func NewDetail(s *evidence.Snapshot, r *triage.Report, name string, at time.Time) *Detail {
	n := s.Node(name)
	if n == nil {
		return nil
	}
	b := newBuilder(s, r, at)
	d := &Detail{
		APIVersion: r.APIVersion, Kind: "NodeDetail", At: b.when(), Source: r.Source,
		ProviderID: n.Spec.ProviderID, PodCIDR: n.Spec.PodCIDR,
		Labels: labels(n), Conditions: b.conditions(n), Taints: taints(n), Events: b.events(name),
		Findings: []triage.Finding{}, Symptoms: []triage.Symptom{}, Over: []triage.Over{}, RuledOut: []triage.RuledOut{}, NotChecked: r.NotChecked, Knowledge: r.Knowledge,
	}
	for _, a := range n.Node.Status.Addresses {
		if d.Addresses == nil {
			d.Addresses = map[string]string{}
		}
		d.Addresses[string(a.Type)] = a.Address
	}
	group := b.group(n, New(s, r, at))
	for _, other := range group.Nodes {
		if other.Name == name {
			d.Node = other
		}
	}
	d.Group = Peers{Nodes: len(group.Nodes), States: group.States, Traits: group.Traits}
	d.Resources = b.resources(d.Node, n)
	b.addPods(d, n)
	d.Residents = b.residents(name)
	d.Missing = b.missing(n, group)
	d.Kubelet = b.kubelet(name)
	d.Certificates = mechanics.Certificates(s, name)
	b.addFindings(d, r)
	d.ReadInPart = r.ReadInPart
	if d.Verdict = verdict(d); d.Verdict != triage.Broken && len(r.ReadInPart) > 0 {
		d.Verdict = triage.Unclear
	}
	return d
}

// verdict judges the one node. The report's verdict is about all of the evidence.
func verdict(d *Detail) triage.Verdict {
	switch {
	case d.Node.down() || grave(d.Node.Findings, false):
		return triage.Broken
	case d.Node.State == Unknown:
		return triage.Unclear
	}
	for _, f := range d.Findings {
		if f.Severity != catalog.Info {
			return triage.Warn
		}
	}
	open := slices.ContainsFunc(d.Symptoms, func(s triage.Symptom) bool { return s.ExplainedBy == "" })
	if d.Node.doubtful() || open || d.Faults > 0 {
		return triage.Warn
	}
	return triage.Healthy
}

func (b *builder) group(n *evidence.Node, m *Map) Group {
	for _, g := range m.Groups {
		if g.Pool == PoolOf(n) && g.Zone == triage.Zone(n) {
			return g
		}
	}
	return Group{}
}

// addFindings adds the findings about the node, about pods on it, and about all nodes.
func (b *builder) addFindings(d *Detail, r *triage.Report) {
	here := func(about evidence.Subject) bool { return b.concerns(d.Node, about) }
	d.Findings = chosen(d.Findings, r.Findings, func(f triage.Finding) bool { return slices.ContainsFunc(f.Subjects, here) })
	d.Symptoms = chosen(d.Symptoms, r.Symptoms, func(s triage.Symptom) bool { return here(s.Subject) })
	d.Over = chosen(d.Over, r.Over, func(o triage.Over) bool { return here(o.Subject) })
	d.RuledOut = chosen(d.RuledOut, r.RuledOut, func(o triage.RuledOut) bool { return here(o.Subject) })
	for _, g := range r.Independent() {
		if len(g.Subjects) == 0 || slices.ContainsFunc(g.Subjects, here) {
			d.Faults++
		}
	}
}

// chosen appends the wanted entries of list.
func chosen[T any](to, list []T, wanted func(T) bool) []T {
	for _, x := range list {
		if wanted(x) {
			to = append(to, x)
		}
	}
	return to
}

// concerns reports whether a statement about the subject concerns the node: the node, a pod on it, its pool, its zone, or all
// nodes.
func (b *builder) concerns(n *Node, about evidence.Subject) bool {
	switch {
	case about.IsZero(), b.nodeOf(about) == n.Name:
		return true
	case about.Kind == "Pool":
		return about.Name == n.Pool
	case about.Kind == "Zone":
		return about.Name == n.Zone
	}
	return about.Kind == "Cluster"
}

// Resource is one resource of the node in the terms of the API. Empty strings are unknown.
type Resource struct {
	Name        string `json:"name"`
	Capacity    string `json:"capacity,omitempty"`
	Allocatable string `json:"allocatable,omitempty"`
	Reserved    string `json:"reserved,omitempty"`   // capacity less allocatable: what the kubelet reserves
	ReservedBy  string `json:"reservedBy,omitempty"` // for whom, if its settings were read
	Requested   string `json:"requested,omitempty"`
	Limits      string `json:"limits,omitempty"`
	Free        string `json:"free,omitempty"` // allocatable minus requests
	Used        string `json:"used,omitempty"`
	UsedFrom    string `json:"usedFrom,omitempty"` // metrics API, or kubelet (its summary)
	// Share is requests as a percentage of allocatable, UsedShare usage as a percentage of it; null: unknown.
	Share     *int `json:"share"`
	UsedShare *int `json:"usedShare"`
}

// freeOf returns the headroom of a resource as text; empty: unknown.
func freeOf(f Free, name corev1.ResourceName) string {
	device, known := f.Devices[string(name)]
	switch {
	case name == corev1.ResourceCPU && f.CPU != nil:
		return CPU(*f.CPU)
	case name == corev1.ResourceMemory && f.Memory != nil:
		return Bytes(*f.Memory)
	case name == corev1.ResourcePods && f.Pods != nil:
		return strconv.FormatInt(*f.Pods, 10)
	case known:
		return strconv.FormatInt(device, 10)
	}
	return ""
}

// resources lists the node's resources, the usual ones first.
func (b *builder) resources(d *Node, n *evidence.Node) []Resource {
	requested, known := n.Requests, n.Requests != nil
	if !known {
		requested, known = b.requested(n.Name)
	}
	out := []Resource{}
	for _, name := range b.resourceNames(n) {
		r := Resource{Name: string(name)}
		text := func(list corev1.ResourceList) string {
			if q, ok := list[name]; ok {
				return amountText(name, q)
			}
			return ""
		}
		r.Capacity, r.Allocatable = text(n.Node.Status.Capacity), text(n.Node.Status.Allocatable)
		r.Reserved, r.ReservedBy = reserved(n, name), b.reservedBy(n.Name, name)
		r.Requested, r.Limits = text(requested), text(n.Limits)
		if known && r.Requested == "" && name != corev1.ResourcePods {
			r.Requested = "0"
		}
		have, ask := n.Node.Status.Allocatable[name], requested[name]
		if known && have.Sign() > 0 && name != corev1.ResourcePods {
			share := int(ask.AsApproximateFloat64() / have.AsApproximateFloat64() * 100)
			r.Share = &share
		}
		r.Free = freeOf(d.Free, name)
		if name == corev1.ResourcePods && d.Pods.Running != nil {
			r.Requested = strconv.Itoa(*d.Pods.Running)
		}
		now := b.used(n, name)
		r.Used, r.UsedShare, r.UsedFrom = now.amount, now.share, now.from
		out = append(out, r)
	}
	return out
}
