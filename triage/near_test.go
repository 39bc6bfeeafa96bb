package triage

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
)

// reachable returns every statement that is related to a root.
func TestNearIsAllThatIsRelated(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	place := func(i int) place {
		node := []string{"", "n1", "n2"}[rnd.IntN(3)]
		pod := evidence.Subject{Kind: "Pod", Namespace: "shop", Name: fmt.Sprint("p", i)}
		owner := []evidence.Owner{{}, {Kind: "DaemonSet", Name: "a"}, {Kind: "ReplicaSet", Name: "b"}}[rnd.IntN(3)]
		return []place{
			{subject: evidence.NodeSubject("n1"), name: "n1"}, {subject: evidence.NodeSubject("n2"), name: "n2"},
			{subject: pod, name: node, owner: owner}, {subject: pod, anywhere: true, unseen: true},
			{subject: evidence.ClusterSubject(), anywhere: true}, {subject: evidence.Subject{Kind: "Pool", Name: "np1"}, anywhere: true},
		}[rnd.IntN(6)]
	}
	for range 200 {
		g := &graph{byID: map[string][]*statement{}, onNode: map[string]map[string][]*statement{"x": {}}, ofOwner: map[string]map[evidence.Owner][]*statement{"x": {}}}
		for i := range 30 {
			g.keep("x", &statement{id: "x", place: place(i)})
		}
		root := &statement{place: place(0)}
		near := g.reachable(root, "x")
		for _, st := range g.byID["x"] {
			n := len(slices.DeleteFunc(slices.Clone(near), func(other *statement) bool { return other != st }))
			if n > 1 || n == 0 && related(root.place, st.place) {
				t.Fatalf("%+v is %d times near %+v", st.place, n, root.place)
			}
		}
	}
}
