package mechanics

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

func TestHeartbeatGrace(t *testing.T) {
	const s = time.Second
	kubelet := func(v string) []*evidence.Node {
		n := node("a", nil)
		n.Node.Status.NodeInfo.KubeletVersion = v
		return []*evidence.Node{n}
	}
	for _, c := range []struct {
		name string
		data evidence.Data
		flag time.Duration
		want Grace
	}{
		{"1.36", evidence.Data{Server: evidence.Server{Version: "v1.36.3"}}, 0, Grace{50 * s, 50 * s}},
		{"1.31", evidence.Data{Server: evidence.Server{Version: "v1.31.4-gke.1"}}, 0, Grace{40 * s, 40 * s}},
		{"not known", evidence.Data{}, 0, Grace{40 * s, 50 * s}},
		{"a kubelet of 1.34", evidence.Data{Nodes: kubelet("v1.34.1")}, 0, Grace{50 * s, 50 * s}},
		{"a kubelet of 1.30", evidence.Data{Nodes: kubelet("v1.30.1")}, 0, Grace{40 * s, 50 * s}},
		{"the flag", evidence.Data{Server: evidence.Server{Version: "v1.36.3"}}, 20 * s, Grace{20 * s, 20 * s}},
	} {
		if got := HeartbeatGrace(&c.data, c.flag); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestOverdue(t *testing.T) {
	g := Grace{40 * time.Second, 50 * time.Second}
	for seconds, want := range map[int]evidence.Fact{-1: evidence.False, 40: evidence.False, 45: evidence.Unknown, 50: evidence.Unknown, 51: evidence.True} {
		if got := g.Overdue(time.Duration(seconds) * time.Second); got != want {
			t.Errorf("%d s: %v, want %v", seconds, got, want)
		}
	}
}
