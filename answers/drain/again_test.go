package drain

import "testing"

// The command that carries out a plan has the options without which the plan would be another one.
func TestAgain(t *testing.T) {
	p := &Plan{Nodes: []string{"w1"}, Surges: []Surge{{"shop", "web", "web-1"}}, Suspend: []string{"shop/db"}, Accepted: []Kind{LocalData}}
	if got := p.Again(); got != "nodetriage drain w1 --surge --suspend-pdb shop/db --accept local-data" {
		t.Error(got)
	}
	if got := (&Plan{Nodes: []string{"w1", "w2"}}).Again(); got != "nodetriage drain w1 w2" {
		t.Error(got)
	}
}
