//go:build linux

package scenario

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
)

// Truth is what a recorded case must be judged as; see docs/knowledge.md.
type Truth struct {
	Class string `json:"class"`
	// Wider are causes that are true too and say less: as a first answer they leave the cause unknown.
	Wider []string `json:"secondary,omitempty"`
	Not   []string `json:"not,omitempty"`
	Truth string   `json:"truth"`
}

// Scenario is one way in which a node fails.
type Scenario struct {
	Name  string
	Truth Truth
	// Real needs a machine; the others make do with a hollow node.
	Real bool
	// Options are added to those of the lab.
	Options lab.Options
	// Needs says, for the ways of having evidence that cannot show the truth, what would: words of the advice that the
	// program must give there.
	Needs map[string]string
	// Visible is how long after the break the node itself can know it at the earliest; 0: at once.
	Visible time.Duration
	// After is how long it takes until everything shows.
	After time.Duration
	// Occupies are the parts of the node that another fault must leave alone while this one is to be seen.
	Occupies []Part
	// Sign is a pattern of what the API says first of the fault, see World.Watch; empty: the API never tells it.
	Sign string
	// Probed: the truth is told by asking the kubelet and stands in no object.
	Probed bool
	// Hollow: it acts on nodes without machines alone.
	Hollow bool
	// Lone: it needs the cluster, the computer or all places of the node for itself.
	Lone bool
	// Passes: it is over as soon as it has happened, or the node mends it for a while again and again; that it happened may be
	// told as what is over.
	Passes bool
	// Ordinary is for how long, after the API has told of it, the same is seen where nothing is broken.
	Ordinary time.Duration
	// Restarts are causes that are true for a moment when it breaks and when it heals, because components are started anew.
	Restarts []string
	// Beyond are ways of having evidence in which nothing points at the fault: any answer that is not wrong will do.
	Beyond []string
	// Asked: the node is asked about by name, because nothing in the cluster speaks of it.
	Asked bool
	// Texts are further commands of kubectl whose output people paste, OnNode those that they type on the node.
	Texts, OnNode []string
	// Plain: a node with systemd cannot show it.
	Plain bool
	// Loud: the kernel's log tells of it, on every node of the computer; it is played when nothing else is.
	Loud bool
	// Prepare makes what is whole and will break; nil: nothing.
	Prepare func(context.Context, *World) error
	Break   func(context.Context, *World) error
	Heal    func(context.Context, *World) error
}

// World is what a scenario acts on: one node of a lab. The other nodes are well.
type World struct {
	Plane   *lab.ControlPlane
	Client  kubernetes.Interface
	Node    string
	Pod     string       // name, and beginning of names, of the pods that scenarios make
	Machine *lab.Machine // nil for a hollow node
	asked   string       // the node, where it is asked about by name
	texts   []string     // further commands of kubectl
	onNode  []string     // and on the node
	saved   map[string]string
	// threshold is below how much available memory, in bytes, the kubelet was told to evict.
	threshold int64
	marks     map[string]string // of the machine's logs, when it broke
}

// NewWorld is about one node of the lab.
func NewWorld(plane *lab.ControlPlane, node string) (*World, error) {
	client, err := plane.Client()
	if err != nil {
		return nil, err
	}
	return &World{Plane: plane, Client: client, Node: node, Pod: podName, Machine: plane.Machine(node), saved: map[string]string{}, marks: map[string]string{}}, nil
}

// Start prepares, remembers where the logs are and breaks the node.
func (s Scenario) Start(ctx context.Context, w *World) error {
	if err := s.Arrange(ctx, w); err != nil {
		return err
	}
	return s.Strike(ctx, w)
}

// Arrange makes what is whole and will break.
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

// Strike remembers where the logs are and breaks the node.
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

// All are the scenarios that a node without systemd can show, by the part that breaks.
func All() []Scenario {
	return slices.Concat(kubelets, runtimes, networks, storages, limits, objects)
}

// OnSystemd are the scenarios that a node with systemd can show: those of real nodes, and its own.
func OnSystemd() []Scenario {
	var all []Scenario
	for _, s := range All() {
		if s.Real && !s.Plain {
			all = append(all, s)
		}
	}
	return append(all, units...)
}

// Units are the scenarios that only a node with systemd can show.
func Units() []Scenario { return slices.Clone(units) }

// NeedsSystemd reports whether only a node with systemd can show it.
func (s Scenario) NeedsSystemd() bool {
	return slices.ContainsFunc(units, func(u Scenario) bool { return u.Name == s.Name })
}

// Named is the scenario of that name.
func Named(name string) (Scenario, error) {
	for _, s := range slices.Concat(All(), units) {
		if s.Name == name {
			return s, nil
		}
	}
	return Scenario{}, fmt.Errorf("there is no scenario %q", name)
}
