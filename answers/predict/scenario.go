package predict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// Event is what happens to the nodes.
type Event string

// The events. AlreadyDown stands for what happened before the evidence was taken.
const (
	AlreadyDown  Event = "already-down"
	PowerOff     Event = "power-off"
	KubeletStop  Event = "kubelet-stop"
	Partition    Event = "partition"
	Reboot       Event = "reboot"
	Delete       Event = "delete"
	OutOfService Event = "out-of-service"
	Taint        Event = "taint"
	Shutdown     Event = "shutdown" // the kubelet ends its pods first
	DeletePods   Event = "delete-pods"
	ForceDelete  Event = "force-delete"
)

// Events are those that a user may ask for.
var Events = []Event{PowerOff, KubeletStop, Partition, Reboot, Delete, OutOfService, Taint, Shutdown, DeletePods, ForceDelete}

// Scenario is an event on some nodes at the time 0.
type Scenario struct {
	Nodes []string
	// Group are further nodes, chosen by what they have in common: those of them to which the event cannot happen, because
	// they are down already, are left out.
	Group []string
	Event Event
	// BackAfter is when the nodes return, since the event, or, for nodes that are already down, since the
	// evidence was taken; nil: they do not.
	BackAfter *time.Duration
	// ManagerRestart is when kube-controller-manager ends and another one takes the lead; nil: it runs on.
	ManagerRestart *time.Duration
	// Taint is the one that the event Taint adds.
	Taint *corev1.Taint
	// TolerationSeconds replaces what pods tolerate not-ready and unreachable nodes for; nil: what they say.
	TolerationSeconds *int64
	// Replicas replaces how many pods Deployments, ReplicaSets and StatefulSets want; nil: what they say.
	Replicas *int
	// ManagerFlags are flags of kube-controller-manager that differ from its defaults, by name without dashes.
	ManagerFlags map[string]string
	// At is the time to judge by; zero: when the evidence was taken.
	At time.Time
	// Board is where replacements find room; nil: nobody looks for it.
	Board placement.Open
}

// Check finds what makes a scenario meaningless by itself, whatever the cluster.
func (s *Scenario) Check() error {
	switch {
	case len(s.Nodes)+len(s.Group) == 0:
		return fmt.Errorf("predict: no node is named")
	case s.Event != AlreadyDown && !slices.Contains(Events, s.Event):
		return fmt.Errorf("predict event %q: use one of %s", s.Event, eventNames())
	}
	if err := s.checkReturn(); err != nil {
		return err
	}
	switch {
	case s.ManagerRestart != nil && *s.ManagerRestart < 0:
		return fmt.Errorf("predict a restart of the controller manager after %s: use a duration that is not negative", *s.ManagerRestart)
	case (s.Event == Taint) != (s.Taint != nil):
		return fmt.Errorf("predict a taint: name it, and nothing else needs one (--event taint --taint key=value:NoExecute)")
	case s.TolerationSeconds != nil && *s.TolerationSeconds < 0:
		return fmt.Errorf("predict with tolerationSeconds %d: use 0 or more", *s.TolerationSeconds)
	case s.Replicas != nil && *s.Replicas < 1:
		return fmt.Errorf("predict with %d replicas: use 1 or more", *s.Replicas)
	}
	return nil
}

// checkReturn finds what makes the return of the nodes meaningless.
func (s *Scenario) checkReturn() error {
	switch {
	case s.BackAfter == nil && s.Event == Reboot:
		return fmt.Errorf("predict a reboot: add when the node is back (--back-after 200s)")
	case s.BackAfter == nil:
		return nil
	case *s.BackAfter < 0:
		return fmt.Errorf("predict a return after %s: use a duration that is not negative", *s.BackAfter)
	case !s.silences() && s.Event != AlreadyDown:
		return fmt.Errorf("predict %s with a return: the node does not go away", s.Event)
	}
	return nil
}

// silences reports whether the event stops the heartbeats of the kubelet.
func (s *Scenario) silences() bool {
	return slices.Contains([]Event{PowerOff, KubeletStop, Partition, Reboot, Shutdown}, s.Event)
}

// words is the scenario in words.
func (s *Scenario) words() string {
	out := string(s.Event)
	if s.Taint != nil {
		out += " " + s.Taint.ToString()
	}
	if s.BackAfter != nil {
		out += ", back after " + s.BackAfter.String()
	}
	if s.ManagerRestart != nil {
		out += ", the controller manager starts anew after " + s.ManagerRestart.String()
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

// ParseTaint reads a taint as kubectl taint takes it: key[=value]:effect.
func ParseTaint(text string) (*corev1.Taint, error) {
	head, effect, ok := strings.Cut(text, ":")
	key, value, _ := strings.Cut(head, "=")
	t := &corev1.Taint{Key: key, Value: value, Effect: corev1.TaintEffect(effect)}
	effects := []corev1.TaintEffect{corev1.TaintEffectNoExecute, corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule}
	if !ok || key == "" || !slices.Contains(effects, t.Effect) {
		return nil, fmt.Errorf("read taint %q: use key=value:NoExecute, key:NoSchedule or the like", text)
	}
	return t, nil
}
