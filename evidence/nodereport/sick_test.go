package nodereport

import (
	"testing"
	"time"
)

func TestSick(t *testing.T) {
	no, yes := false, true
	for want, r := range map[string]Report{
		"": {
			Filesystems: []Filesystem{{Mount: "/", BytesUsedPercent: 96, InodesUsedPercent: -1, Holds: []string{"/var/lib/kubelet"}}, {Mount: "/usr", ReadOnly: true, BytesUsedPercent: 100}},
			Connections: []Connection{{Peer: "kubelet", Answer: "ok"}, {Peer: "api-server", Answer: "ok", Status: 403}, {Peer: "metadata", Answer: "timeout"}},
			Runtime:     &Runtime{Answer: "ok", RuntimeReady: &yes, NetworkReady: &yes}, Tasks: &Tasks{Current: 400, Max: 32768},
		},
		"file system /mnt has not answered for 3s": {Hung: []Hung{{What: "file system", Name: "/mnt", After: 3*time.Second + time.Millisecond}}},
		"/ cannot be written to":                   {Filesystems: []Filesystem{{Mount: "/", ReadOnly: true, Holds: []string{"/var/lib/kubelet"}}}},
		"/var is full":                             {Filesystems: []Filesystem{{Mount: "/var", InodesUsedPercent: 100, Holds: []string{"/var/log"}}}},
		"kubelet: refused":                         {Connections: []Connection{{Peer: "kubelet", Answer: "refused"}}},
		"api-server: timeout":                      {Connections: []Connection{{Peer: "kubelet", Answer: "ok"}, {Peer: "api-server", Answer: "timeout"}}},
		"api-server: HTTP status 401":              {Connections: []Connection{{Peer: "api-server", Answer: "ok", Status: 401}}},
		"container runtime: hung":                  {Runtime: &Runtime{Answer: "hung"}},
		"container runtime: not ready":             {Runtime: &Runtime{Answer: "ok", RuntimeReady: &no}},
		"network of the pods: not ready":           {Runtime: &Runtime{Answer: "ok", RuntimeReady: &yes, NetworkReady: &no}},
		"990 of 1000 processes and threads":        {Tasks: &Tasks{Current: 990, Max: 1000}},
	} {
		if got := r.Sick(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
