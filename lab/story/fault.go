//go:build linux

package story

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/lab/scenario"
)

// Fault is one scenario in a story, and when what happened of it.
type Fault struct {
	Scenario string         `json:"scenario"`
	Node     string         `json:"node"`
	Truth    scenario.Truth `json:"truth"`
	// Needs, Probed, Asked, Passes, Ordinary, Visible and Restarts are those of the scenario.
	Needs    map[string]string `json:"needs,omitempty"`
	Probed   bool              `json:"probed,omitempty"`
	Asked    bool              `json:"asked,omitempty"`
	Passes   bool              `json:"passes,omitempty"`
	Ordinary time.Duration     `json:"ordinary,omitempty"`
	Visible  time.Duration     `json:"visible,omitempty"`
	Restarts []string          `json:"restarts,omitempty"`

	Began  time.Time `json:"began,omitzero"`
	Told   time.Time `json:"told,omitzero"` // when the API first told of it
	By     string    `json:"by,omitempty"`  // what told it
	Healed time.Time `json:"healed,omitzero"`
}

func newFault(s scenario.Scenario, node string) *Fault {
	return &Fault{Scenario: s.Name, Node: node, Truth: s.Truth, Needs: s.Needs, Probed: s.Probed, Asked: s.Asked, Passes: s.Passes, Ordinary: s.Ordinary, Visible: s.Visible, Restarts: s.Restarts}
}

// State is how far a fault is.
type State string

// States of a fault.
const (
	Coming State = "coming"
	Untold State = "not told yet"
	Told   State = "now"
	Ended  State = "healed"
)

// State is how far the fault is at that time, for who has evidence of that way of the nodes that were asked about.
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

// reportDelay is within what time a node report must tell what is visible on the node.
const reportDelay = 15 * time.Second

// asked are the nodes that were asked about by name; none where the cluster was.
func asked(faults []*Fault) []string {
	var out []string
	for _, f := range faults {
		if f.Asked && !slices.Contains(out, f.Node) {
			out = append(out, f.Node)
		}
	}
	return out
}

// told reports whether evidence of that way can tell of the fault at that time: who asks the API about one node hears of no other.
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

// How long components that are started anew are away: a moment before the end of the healing, and until they serve.
const (
	stops  = 5 * time.Second
	starts = 15 * time.Second
)

// restarting reports whether a component that breaking or healing starts anew may be away at that time.
func (f *Fault) restarting(at time.Time) bool {
	near := func(t time.Time) bool { return !t.IsZero() && at.After(t.Add(-stops)) && at.Before(t.Add(starts)) }
	return near(f.Began) || near(f.Healed)
}
