package predict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// Event is the event of a scenario.
type Event string

// Events. AlreadyDown means an event before the evidence was taken.
const (
	AlreadyDown  Event = "already-down"
	PowerOff     Event = "power-off"
	KubeletStop  Event = "kubelet-stop"
	Partition    Event = "partition"
	Reboot       Event = "reboot"
	Delete       Event = "delete"
	OutOfService Event = "out-of-service"
	Taint        Event = "taint"
	Shutdown     Event = "shutdown" // the kubelet terminates its pods first
	DeletePods   Event = "delete-pods"
	ForceDelete  Event = "force-delete"
)

// Events lists the events that a user may select.
var Events = []Event{PowerOff, KubeletStop, Partition, Reboot, Delete, OutOfService, Taint, Shutdown, DeletePods, ForceDelete}

// Scenario is an event on some nodes at time 0.
type Scenario struct {
	Nodes []string
	// Group are additional nodes, selected by a common property. Nodes that are down already are skipped, because the event
	// cannot happen to them.
	Group []string
	Event Event
	// BackAfter is when the nodes return, counted from the event, or, for nodes that are already down, from when the evidence
	// was taken. If nil, they do not return.
	BackAfter *time.Duration
	// ManagerRestart is when kube-controller-manager stops and another instance becomes leader. If nil, it keeps running.
	ManagerRestart *time.Duration
	// Taint is the taint that the event Taint adds.
	Taint *corev1.Taint
	// TolerationSeconds overrides how long pods tolerate not-ready and unreachable nodes; nil means the value of each pod.
	TolerationSeconds *int64
	// Replicas overrides how many pods Deployments, ReplicaSets and StatefulSets want; nil means the value of each.
	Replicas *int
	// ManagerFlags are flags of kube-controller-manager that differ from its defaults, by name without dashes.
	ManagerFlags map[string]string
	// At is the time to judge by; zero: when the evidence was taken.
	At time.Time
	// Board checks where replacements fit. If nil, that is not checked.
	Board placement.Open
}

// Check returns an error if a scenario is invalid for any cluster.
func (s *Scenario) Check() error {
	switch {
	case len(s.Nodes)+len(s.Group) == 0:
		return fmt.Errorf("no node given")
	case s.Event != AlreadyDown && !slices.Contains(Events, s.Event):
		return fmt.Errorf("unknown event %q; use one of %s", s.Event, eventNames())
	}
	if err := s.checkReturn(); err != nil {
		return err
	}
	switch {
	case s.ManagerRestart != nil && *s.ManagerRestart < 0:
		return fmt.Errorf("invalid time of the controller manager's restart: %s is negative", *s.ManagerRestart)
	case (s.Event == Taint) != (s.Taint != nil):
		return fmt.Errorf("--event taint and --taint must be used together (--event taint --taint key=value:NoExecute)")
	case s.TolerationSeconds != nil && *s.TolerationSeconds < 0:
		return fmt.Errorf("invalid tolerationSeconds %d: use 0 or more", *s.TolerationSeconds)
	case s.Replicas != nil && *s.Replicas < 1:
		return fmt.Errorf("invalid number of replicas %d: use 1 or more", *s.Replicas)
	}
	return nil
}

// checkReturn returns an error if the return of the nodes is invalid.
func (s *Scenario) checkReturn() error {
	switch {
	case s.BackAfter == nil && s.Event == Reboot:
		return fmt.Errorf("missing --back-after: a reboot needs the time until the node is back (--back-after 200s)")
	case s.BackAfter == nil:
		return nil
	case *s.BackAfter < 0:
		return fmt.Errorf("invalid --back-after %s: the duration is negative", *s.BackAfter)
	case !s.Event.Silences() && s.Event != AlreadyDown:
		return fmt.Errorf("--back-after cannot be used with event %s: the node does not go down", s.Event)
	}
	return nil
}

// Silences reports whether the event stops the kubelet's heartbeats.
func (e Event) Silences() bool {
	return slices.Contains([]Event{PowerOff, KubeletStop, Partition, Reboot, Shutdown}, e)
}

// words describes the scenario.
func (s *Scenario) words() string {
	out := string(s.Event)
	if s.Taint != nil {
		out += " " + s.Taint.ToString()
	}
	if s.BackAfter != nil {
		out += ", back after " + wording.Duration(*s.BackAfter)
	}
	if s.ManagerRestart != nil {
		out += ", the controller manager restarts after " + wording.Duration(*s.ManagerRestart)
	}
	return out
}

func eventNames() string {
	var out []string
	for _, e := range Events {
		out = append(out, string(e))
	}
	return strings.Join(out, ", ")
}

// ParseTaint parses a taint like kubectl taint: key[=value]:effect.
func ParseTaint(text string) (*corev1.Taint, error) {
	head, effect, ok := strings.Cut(text, ":")
	key, value, _ := strings.Cut(head, "=")
	t := &corev1.Taint{Key: key, Value: value, Effect: corev1.TaintEffect(effect)}
	effects := []corev1.TaintEffect{corev1.TaintEffectNoExecute, corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule}
	if !ok || key == "" || !slices.Contains(effects, t.Effect) {
		return nil, fmt.Errorf("invalid taint %q; examples: key=value:NoExecute, key:NoSchedule", text)
	}
	return t, nil
}
