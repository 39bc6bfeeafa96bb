package simulate_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/simulate"
)

// full has room for nobody until the nodes are back.
type full struct{}

func (full) Place(_ *evidence.Snapshot, pods []simulate.Wanted, _ simulate.After) []simulate.Place {
	out := make([]simulate.Place, len(pods))
	for i, p := range pods {
		out[i] = simulate.Place{Fit: simulate.Pending, Message: "no room"}
		if p.NodesBack {
			out[i] = simulate.Place{Fit: simulate.Fits, Nodes: 1}
		}
	}
	return out
}

// A pod that finds no room while its node is away waits for that node, and starts when it is back.
func TestWaitsForTheNode(t *testing.T) {
	_, c, s := readCase(t, "testdata/reboot-400.txtar")
	c.Placer = full{}
	f, err := simulate.New(s, c.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	waited := 0
	for _, p := range f.Pods {
		r := p.Replacement
		if r.Kind != simulate.Created || r.At == nil || time.Duration(r.At.From) >= *c.BackAfter || p.Owner == "" {
			continue
		}
		waited++
		if r.Placement != simulate.Fits || r.StartsAt == nil || time.Duration(r.StartsAt.From) < *c.BackAfter {
			t.Errorf("%s: %s, created %s, starts %s; the node is back after %s", p.Name, r.Placement, r.At, r.StartsAt, *c.BackAfter)
		}
	}
	if waited == 0 {
		t.Error("no pod was replaced before the node was back")
	}
}
