package triage

import (
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
)

func TestNodesAreCountedByName(t *testing.T) {
	unnamed, w1, w2, pod := evidence.NodeSubject(""), evidence.NodeSubject("w1"), evidence.NodeSubject("w2"), evidence.Subject{Kind: "Pod", Name: "a"}
	for _, c := range []struct {
		subjects []evidence.Subject
		want     int
	}{
		{nil, 0}, {[]evidence.Subject{pod}, 0}, {[]evidence.Subject{unnamed}, 1}, {[]evidence.Subject{w1, unnamed, pod}, 1}, {[]evidence.Subject{w1, w2, w1, unnamed}, 2},
	} {
		if got := Nodes(c.subjects); got != c.want {
			t.Errorf("%v: %d, want %d", c.subjects, got, c.want)
		}
	}
}
