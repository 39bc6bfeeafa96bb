//go:build linux

package scenario

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
)

// Truth is what a recorded case must be judged as; see docs/knowledge.md.
type Truth struct {
	Class     string   `json:"class"`
	Secondary []string `json:"secondary,omitempty"`
	Not       []string `json:"not,omitempty"`
	// Wider is what is true too, and all that can be seen from outside.
	Wider []string `json:"-"`
	Truth string   `json:"truth"`
}

// Scenario is one way in which a node fails.
type Scenario struct {
	Name  string
	Truth Truth
	// Real needs a machine; the others make do with a hollow node.
	Real bool
	// After is how long it takes until everything shows.
	After time.Duration
	Break func(context.Context, *World) error
	Heal  func(context.Context, *World) error
}

// World is what a scenario acts on: one node of a lab. The other nodes are well.
type World struct {
	Plane   *lab.ControlPlane
	Client  kubernetes.Interface
	Node    string
	Machine *lab.Machine // nil for a hollow node
	saved   map[string]string
}

// NewWorld is about one node of the lab.
func NewWorld(plane *lab.ControlPlane, node string) (*World, error) {
	client, err := plane.Client()
	if err != nil {
		return nil, err
	}
	return &World{Plane: plane, Client: client, Node: node, Machine: plane.Machine(node), saved: map[string]string{}}, nil
}

// All are the scenarios, by the part that breaks.
func All() []Scenario {
	var all []Scenario
	for _, part := range [][]Scenario{kubelets, runtimes, networks, storages, objects} {
		all = append(all, part...)
	}
	return all
}

// Named is the scenario of that name.
func Named(name string) (Scenario, error) {
	for _, s := range All() {
		if s.Name == name {
			return s, nil
		}
	}
	return Scenario{}, fmt.Errorf("there is no scenario %q", name)
}
