package evidence

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// A description without a name counts as a node only if there is no node with a name.
func TestDescriptionsWithoutAName(t *testing.T) {
	node := func(name string) *Node {
		n := &Node{Node: &corev1.Node{}}
		n.Name = name
		return n
	}
	for _, c := range []struct {
		names            []string
		nodes, described int
	}{
		{nil, 0, 0}, {[]string{"w1", "w2"}, 2, 2}, {[]string{""}, 1, 1}, {[]string{"w2", "", "w1", ""}, 2, 4},
	} {
		var d Data
		for _, name := range c.names {
			d.Nodes = append(d.Nodes, node(name))
		}
		s := New(d)
		if len(s.Nodes()) != c.nodes || len(s.Described()) != c.described {
			t.Errorf("%q: %d nodes, %d descriptions", c.names, len(s.Nodes()), len(s.Described()))
		}
	}
}
