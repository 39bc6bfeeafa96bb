package placement

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
)

// Noted returns an Open like o, and a function that reports whether one of its Boards returned an Unread answer.
func (o Open) Noted() (Open, func() bool) {
	met := false
	return func(s *evidence.Snapshot) (Board, error) {
		b, err := o(s)
		return noted{b, &met}, err
	}, func() bool { return met }
}

// noted is a Board that records Unread answers.
type noted struct {
	Board
	met *bool
}

func (n noted) note(a Answer) Answer {
	*n.met = *n.met || a.Unread
	return a
}

func (n noted) Fit(p *evidence.Pod) Answer   { return n.note(n.Board.Fit(p)) }
func (n noted) Place(p *evidence.Pod) Answer { return n.note(n.Board.Place(p)) }

func (n noted) Clone() (Board, error) {
	b, err := n.Board.Clone()
	return noted{b, n.met}, err
}

// LookedOn returns a note about the number of simulated nodes if the evidence does not have the pods of other nodes, or
// "".
func LookedOn(s *evidence.Snapshot) string {
	d := s.Data()
	if d.PodsReadOn == nil {
		return ""
	}
	return fmt.Sprintf("capacity was checked only on the %d of %d nodes whose pods were read; anti-affinity of pods on other nodes is unknown",
		len(d.PodsReadOn), len(d.Nodes))
}
