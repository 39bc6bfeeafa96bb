package main

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/plan"
	"github.com/nodetriage/nodetriage/simulate/placement"
)

// drainPlacer finds room for the pods of a plan with the scheduler's own code, from its first use on.
type drainPlacer struct {
	s     *evidence.Snapshot
	gone  []string // nodes that are not there any more, with their zones and what runs on them
	board plan.Placer
	err   error
}

// Place plays on one board, which the plan puts back as it was.
func (p *drainPlacer) Place(pods []*evidence.Pod, closed []string) []plan.Placement {
	if p.board == nil && p.err == nil {
		var c *placement.Cluster
		if c, p.err = placement.New(p.s); p.err == nil {
			for _, n := range p.gone {
				c.RemoveNode(n)
			}
			p.board = plan.OnBoard(c)
		}
	}
	if p.err == nil {
		return p.board.Place(pods, closed)
	}
	out := make([]plan.Placement, len(pods))
	for i := range out {
		out[i] = plan.Placement{Room: plan.RoomUnknown, Message: p.err.Error()}
	}
	return out
}
