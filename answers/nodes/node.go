package nodes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
)

// State is the state of a node in one word.
type State string

// From the worst to the best.
const (
	Silent    State = "silent"    // Ready is Unknown: the control plane gets no heartbeat from the kubelet
	NotReady  State = "not-ready" // the kubelet reports it
	Unhealthy State = "ailing"    // Ready, but a condition reports a problem or a finding names the node
	Unknown   State = "unknown"   // the evidence does not show the Ready condition
	Cordoned  State = "cordoned"  // Ready and cordoned, nothing else
	Ready     State = "ready"
)

// States are in order of relevance.
var States = []State{Silent, NotReady, Unhealthy, Unknown, Cordoned, Ready}

// Says returns the state in the words of Kubernetes.
func (s State) Says() string {
	switch s {
	case Silent:
		return "unreachable"
	case NotReady:
		return "NotReady"
	case Unhealthy:
		return "unhealthy"
	case Ready:
		return "Ready"
	}
	return string(s)
}

// Node is one line of the map.
type Node struct {
	Name  string   `json:"name"`
	Pool  string   `json:"pool"`
	Zone  string   `json:"zone"`
	Roles []string `json:"roles,omitempty"`
	State State    `json:"state"`
	// Expected: it is not Ready because an upgrade replaces it or it is removed on purpose.
	Expected bool `json:"expected,omitempty"`
	// Since is when the state began: of the Ready condition, of the cordon, or, if the node is unhealthy, of the first condition
	// or finding that makes it so. null: unknown.
	Since  *time.Time `json:"since"`
	Reason string     `json:"reason,omitempty"` // message of the kubelet or the control plane, if not Ready
	// Heartbeat is when the kubelet was last seen: by its lease, or else by its status.
	Heartbeat *time.Time `json:"heartbeat"`
	Overdue   bool       `json:"overdue,omitempty"` // the heartbeat is older than allowed
	Late      bool       `json:"late,omitempty"`    // the lease missed renewals, but the control plane still waits
	Created   *time.Time `json:"created"`
	Cordon    *Cordon    `json:"cordon,omitempty"`
	// Problems are the types of conditions, other than Ready, that report one.
	Problems []string `json:"problems,omitempty"`
	// Warnings are possible problems: unknown conditions, and unhealthy devices.
	Warnings []string          `json:"warnings,omitempty"`
	Traits   map[string]string `json:"traits"`
	// Differs are the traits in which the node differs from most of its group.
	Differs  map[string]string `json:"differs,omitempty"`
	Pods     Pods              `json:"pods"`
	CPU      Amount            `json:"cpu"`                // millicores
	Memory   Amount            `json:"memory"`             // bytes
	UsedFrom string            `json:"usedFrom,omitempty"` // source of usage: metrics API, or kubelet (its summary); empty: none
	Free     Free              `json:"free,omitzero"`
	Findings []Found           `json:"findings"`
	Over     []Past            `json:"over,omitempty"` // resolved problems
	// Labels are the requested labels; null: none was requested.
	Labels map[string]string `json:"labels,omitempty"`

	schedulable bool // Ready and not cordoned
}

// Cordon is since when and by whom a node is cordoned.
type Cordon struct {
	At *time.Time `json:"at"`
	By string     `json:"by,omitempty"` // the client that wrote it, and the annotation of a tool
}

// Pods counts the pods of a node that have not terminated.
type Pods struct {
	Running *int `json:"running"` // bound and not terminated; null: not seen
	NotWell int  `json:"notWell"` // of these, not ready or terminating
	Max     *int `json:"max"`     // the kubelet's limit
}

// Amount is a resource of a node in its unit; nil: unknown.
type Amount struct {
	Allocatable *int64 `json:"allocatable"`
	Requested   *int64 `json:"requested"`
	Used        *int64 `json:"used"` // now
	// RequestedShare and UsedShare are percentages of allocatable.
	RequestedShare *int `json:"requestedShare,omitempty"`
	UsedShare      *int `json:"usedShare"`
}

// Odd reports whether the node is shown even if there is not enough space for all.
func (n *Node) Odd() bool {
	return n.State != Ready || n.doubtful() || len(n.Findings) > 0
}

// down reports whether the node is not working and should.
func (n *Node) down() bool { return (n.State == Silent || n.State == NotReady) && !n.Expected }

// doubtful reports whether the node itself reports a real or possible problem.
func (n *Node) doubtful() bool {
	return n.Overdue && !n.Expected || len(n.Problems)+len(n.Warnings) > 0
}

func (b *builder) node(n *evidence.Node) *Node {
	out := &Node{
		Name: n.Name, Pool: PoolOf(n), Zone: triage.Zone(n), Roles: roles(n), Created: evidence.Stamp(n.CreationTimestamp.Time),
		Traits: triage.Traits(n), Findings: append([]Found{}, b.onNode[n.Name]...), Over: b.over[n.Name],
	}
	delete(out.Traits, "pool")
	delete(out.Traits, "zone")
	if n.Spec.Unschedulable {
		at, by := n.CordonedBy()
		out.Cordon = &Cordon{evidence.Stamp(at), by}
	}
	for i := range n.Node.Status.Conditions {
		c := &n.Node.Status.Conditions[i]
		if c.Type != corev1.NodeReady && evidence.Bad(c) == evidence.True {
			out.Problems = append(out.Problems, string(c.Type))
		}
		if evidence.Unexplained(c) {
			out.Warnings = append(out.Warnings, fmt.Sprintf("%s=%s (meaning unknown)", c.Type, c.Status))
		}
	}
	for _, d := range mechanics.UnhealthyDevices(n.Node) {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%d of %d %s unhealthy", d.Unhealthy, d.All, d.Resource))
	}
	b.state(out, n)
	out.schedulable = n.Ready() == evidence.True && out.Cordon == nil
	out.Expected = n.NotReady() && b.expected[n.Name]
	b.heartbeat(out, n)
	b.amounts(out, n)
	return out
}

// state returns the worst state of the node.
func (b *builder) state(out *Node, n *evidence.Node) {
	ready := n.Condition(corev1.NodeReady)
	if ready != nil {
		out.Since = evidence.Stamp(ready.LastTransitionTime.Time)
	}
	switch {
	case n.Silent():
		out.State = Silent
	case n.NotReady():
		out.State = NotReady
	case len(out.Problems) > 0 || grave(out.Findings, out.Cordon != nil):
		out.State, out.Since = Unhealthy, evidence.Stamp(unhealthySince(out, n))
	case ready == nil:
		out.State = Unknown
	case out.Cordon != nil:
		out.State = Cordoned
		if out.Cordon.At != nil {
			out.Since = out.Cordon.At
		}
	default:
		out.State = Ready
	}
	if ready != nil && out.State != Ready && ready.Status != corev1.ConditionTrue {
		out.Reason = ready.Message
		if out.Reason == "" {
			out.Reason = ready.Reason
		}
	}
}

// unhealthySince returns since when a Ready node is unhealthy: by the first of the conditions that report a problem now, else of the
// findings. Zero: unknown.
func unhealthySince(out *Node, n *evidence.Node) (first time.Time) {
	earlier := func(t time.Time) {
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	for _, typ := range out.Problems {
		earlier(n.Condition(corev1.NodeConditionType(typ)).LastTransitionTime.Time)
	}
	if len(out.Problems) > 0 {
		return first
	}
	for _, f := range out.Findings {
		if f.grave() {
			earlier(f.since)
		}
	}
	return first
}

// grave reports whether a finding means that something on the node is not working. A finding that is only possible does not
// count.
func (f Found) grave() bool {
	return catalog.Severity(f.Severity).Rank() <= catalog.Error.Rank() && f.Certainty != triage.Possible && !f.Likely
}

// grave reports whether a finding means that the node is unhealthy. What blocks the drain of a cordoned node does not.
func grave(list []Found, cordoned bool) bool {
	return slices.ContainsFunc(list, func(f Found) bool {
		ofDrain := cordoned && strings.HasPrefix(f.Cause, "drain-blocked-")
		return f.grave() && !ofDrain
	})
}

func (b *builder) heartbeat(out *Node, n *evidence.Node) {
	last, late, may := time.Time{}, mechanics.StatusPeriod, mechanics.StatusPeriod
	if l := b.snapshot.NodeLease(n.Name); l != nil && !l.Renewed.IsZero() {
		last, late, may = l.Renewed, mechanics.MissedLease, mechanics.HeartbeatGrace(b.snapshot.Data(), 0).Most
	} else {
		for _, c := range n.Node.Status.Conditions {
			if kubeletOwns(c.Type) && c.LastHeartbeatTime.After(last) {
				last = c.LastHeartbeatTime.Time
			}
		}
	}
	out.Heartbeat = evidence.Stamp(last)
	if out.Heartbeat != nil && !b.at.IsZero() {
		age := b.at.Sub(last)
		out.Overdue = age > may
		out.Late = age > late && !out.Overdue
	}
}

// kubeletOwns reports whether the kubelet writes the condition with each status update.
func kubeletOwns(typ corev1.NodeConditionType) bool {
	switch typ {
	case corev1.NodeReady, corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure:
		return true
	}
	return false
}
