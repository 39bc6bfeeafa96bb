//go:build linux

package story

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/lab/scenario"
)

// Fault is one scenario in a story, with the times of its events.
type Fault struct {
	Scenario string         `json:"scenario"`
	Node     string         `json:"node"`
	Truth    scenario.Truth `json:"truth"`
	// Needs, Probed, Asked, Passes, Ordinary, Visible and Restarts come from the scenario.
	Needs    map[string]string `json:"needs,omitempty"`
	Probed   bool              `json:"probed,omitempty"`
	Asked    bool              `json:"asked,omitempty"`
	Passes   bool              `json:"passes,omitempty"`
	Ordinary time.Duration     `json:"ordinary,omitempty"`
	Visible  time.Duration     `json:"visible,omitempty"`
	Restarts []string          `json:"restarts,omitempty"`

	Began  time.Time `json:"began,omitzero"`
	Told   time.Time `json:"told,omitzero"` // when the API first showed it
	By     string    `json:"by,omitempty"`  // the evidence
	Healed time.Time `json:"healed,omitzero"`
}

func newFault(s scenario.Scenario, node string) *Fault {
	return &Fault{Scenario: s.Name, Node: node, Truth: s.Truth, Needs: s.Needs, Probed: s.Probed, Asked: s.Asked, Passes: s.Passes, Ordinary: s.Ordinary, Visible: s.Visible, Restarts: s.Restarts}
}

// State is the phase of a fault.
type State string

// Phases of a fault.
const (
	Coming State = "coming"
	Untold State = "not told yet"
	Told   State = "now"
	Ended  State = "healed"
)

// State returns the phase of the fault at that time, as that kind of evidence of the given nodes shows it.
func (f *Fault) State(way Way, at time.Time, asked []string) State {
	switch {
	case f.ended(at):
		return Ended
	case !f.active(at):
		return Coming
	case f.told(way, at, asked):
		return Told
	}
	return Untold
}

func (f *Fault) active(at time.Time) bool {
	return !f.Began.IsZero() && !f.Began.After(at) && !f.ended(at)
}

func (f *Fault) ended(at time.Time) bool { return !f.Healed.IsZero() && !f.Healed.After(at) }

// reportDelay is the time within which a node report must show a problem that is visible on the node.
const reportDelay = 15 * time.Second

// asked are the nodes that were diagnosed by name; none for the whole cluster.
func asked(faults []*Fault) []string {
	var out []string
	for _, f := range faults {
		if f.Asked && !slices.Contains(out, f.Node) {
			out = append(out, f.Node)
		}
	}
	return out
}

// told reports whether that kind of evidence can show the fault at that time: a diagnosis of one node through the API
// does not cover other nodes.
func (f *Fault) told(way Way, at time.Time, asked []string) bool {
	if way == Report && f.Needs[scenario.Report] == "" && at.Sub(f.Began) > max(f.Visible, f.Ordinary)+reportDelay {
		return true
	}
	if len(asked) > 0 && !slices.Contains(asked, f.Node) {
		return false
	}
	if way == Dump && f.Probed && f.Asked {
		return false
	}
	return !f.Told.IsZero() && !f.Told.Add(f.Ordinary).After(at)
}

// Downtime of components that restart: a moment before the end of the heal, and until they serve.
const (
	stops  = 5 * time.Second
	starts = 15 * time.Second
)

// restarting reports whether a component that break or heal restarts may be down at that time.
func (f *Fault) restarting(at time.Time) bool {
	near := func(t time.Time) bool { return !t.IsZero() && at.After(t.Add(-stops)) && at.Before(t.Add(starts)) }
	return near(f.Began) || near(f.Healed)
}
