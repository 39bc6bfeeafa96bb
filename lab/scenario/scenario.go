//go:build linux

package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
)

// Truth is the required result for a recorded case; see docs/knowledge.md.
type Truth struct {
	Class string `json:"class"`
	// Wider are causes that are also true but less specific: as the first answer they count as unknown.
	Wider []string `json:"secondary,omitempty"`
	Not   []string `json:"not,omitempty"`
	Truth string   `json:"truth"`
}

// Scenario is one fault of a node.
type Scenario struct {
	Name  string
	Truth Truth
	// Real needs a machine; the others only need a hollow node.
	Real bool
	// Options are additional options of the lab.
	Options lab.Options
	// Needs maps the kinds of evidence that cannot show the truth to words of the required advice.
	Needs map[string]string
	// Visible is the earliest time after the break at which the node itself can detect the fault; 0: at once.
	Visible time.Duration
	// After is the time until all symptoms show.
	After time.Duration
	// Occupies lists the parts of the node that another fault must not affect at the same time.
	Occupies []Part
	// Sign is a pattern of the first API evidence of the fault, see World.Watch; empty: the API never shows it.
	Sign string
	// Probed: a query of the kubelet shows the truth, and no object contains it.
	Probed bool
	// Hollow: it only works on hollow nodes.
	Hollow bool
	// Lone: it needs the cluster, the host or all pods of the node exclusively.
	Lone bool
	// Passes: the fault is short, or the node fixes it repeatedly for a while; it may be reported as resolved.
	Passes bool
	// Ordinary is the time, after the first API evidence, for which a healthy node shows the same.
	Ordinary time.Duration
	// Restarts are causes that are true for a moment during break and heal, because components restart.
	Restarts []string
	// Beyond are kinds of evidence without any trace of the fault: every answer is accepted unless it is wrong.
	Beyond []string
	// Asked: the node is diagnosed by name, because no object in the cluster shows the fault.
	Asked bool
	// Texts are additional kubectl commands whose output users paste, OnNode are commands on the node.
	Texts, OnNode []string
	// Plain: a node with systemd cannot show it.
	Plain bool
	// Loud: the kernel log reports it on every node of the host; it runs when nothing else does.
	Loud bool
	// Prepare creates the objects to break; nil: none.
	Prepare func(context.Context, *World) error
	Break   func(context.Context, *World) error
	Heal    func(context.Context, *World) error
}

// World is the target of a scenario: one node of a lab. The other nodes are healthy.
type World struct {
	Plane   *lab.ControlPlane
	Client  kubernetes.Interface
	Node    string
	Pod     string       // name, and name prefix, of the pods that scenarios create
	Machine *lab.Machine // nil for a hollow node
	asked   string       // the node, if it is diagnosed by name
	texts   []string     // additional kubectl commands
	onNode  []string     // and commands on the node
	saved   map[string]string
	// threshold is the eviction threshold of the kubelet for available memory, in bytes.
	threshold int64
	marks     map[string]string // of the logs of the machine, at the break
}

// NewWorld returns the world of one node of the lab.
func NewWorld(plane *lab.ControlPlane, node string) (*World, error) {
	client, err := plane.Client()
	if err != nil {
		return nil, err
	}
	return &World{Plane: plane, Client: client, Node: node, Pod: podName, Machine: plane.Machine(node), saved: map[string]string{}, marks: map[string]string{}}, nil
}

// Start prepares, records the positions of the logs and breaks the node.
func (s Scenario) Start(ctx context.Context, w *World) error {
	if err := s.Arrange(ctx, w); err != nil {
		return err
	}
	return s.Strike(ctx, w)
}

// Arrange creates the objects to break.
func (s Scenario) Arrange(ctx context.Context, w *World) error {
	if s.Asked {
		w.asked = w.Node
	}
	w.texts, w.onNode = s.Texts, s.OnNode
	if s.Prepare == nil {
		return nil
	}
	if err := s.Prepare(ctx, w); err != nil {
		return fmt.Errorf("prepare %s: %w", s.Name, err)
	}
	if w.Machine == nil {
		return nil
	}
	return w.settled(ctx)
}

// Strike records the positions of the logs and breaks the node.
func (s Scenario) Strike(ctx context.Context, w *World) error {
	if w.Machine != nil {
		for _, unit := range []string{lab.Kubelet, lab.Containerd} {
			mark, err := w.Machine.Unit(unit).Mark()
			if err != nil {
				return err
			}
			w.marks[unit] = mark
		}
	}
	if err := s.Break(ctx, w); err != nil {
		return fmt.Errorf("break %s: %w", s.Name, err)
	}
	return nil
}

// All returns the scenarios for nodes without systemd, by the part that breaks.
func All() []Scenario {
	return slices.Concat(kubelets, runtimes, networks, storages, limits, objects)
}

// OnSystemd returns the scenarios for nodes with systemd: those of real nodes, and those that need systemd.
func OnSystemd() []Scenario {
	var all []Scenario
	for _, s := range All() {
		if s.Real && !s.Plain {
			all = append(all, s)
		}
	}
	return append(all, units...)
}

// Units returns the scenarios that need a node with systemd.
func Units() []Scenario { return slices.Clone(units) }

// NeedsSystemd reports whether the scenario needs a node with systemd.
func (s Scenario) NeedsSystemd() bool {
	return slices.ContainsFunc(units, func(u Scenario) bool { return u.Name == s.Name })
}

// Named returns the scenario of that name.
func Named(name string) (Scenario, error) {
	for _, s := range slices.Concat(All(), units) {
		if s.Name == name {
			return s, nil
		}
	}
	return Scenario{}, fmt.Errorf("there is no scenario %q", name)
}

// Chosen returns the scenarios that a list with commas names, or all of from if it is empty.
func Chosen(list string, from []Scenario) ([]Scenario, error) {
	if list == "" {
		return from, nil
	}
	var out []Scenario
	for name := range strings.SplitSeq(list, ",") {
		s, err := Named(name)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
