package collect_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

// Local times are corrected by the difference between systemctl and the heartbeats of the cluster, and stay if these contradict.
func TestZoneOfAMachine(t *testing.T) {
	const (
		node = `{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"},"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2026-06-02T00:40:00Z"}]}}`
		log  = "Jun 02 05:31:12 n1 kubelet[3510]: " + plegLine
	)
	status := func(active string) string {
		return "● kubelet.service - kubelet\n     Active: active (running) since " + active + "\n"
	}
	for name, c := range map[string]struct {
		status string
		want   string
	}{
		"ahead":                    {status("Tue 2026-06-02 05:31:17 IST; 40min ago"), "2026-06-02T00:01:12Z"},
		"in UTC":                   {status("Tue 2026-06-02 00:01:17 UTC; 40min ago"), "2026-06-02T05:31:12Z"},
		"between two zones":        {status("Tue 2026-06-02 05:21:17 IST; 42min ago"), "2026-06-02T05:31:12Z"},
		"asked on another day":     {status("Thu 2026-06-04 05:31:17 IST; 40min ago"), "2026-06-02T05:31:12Z"},
		"clocks that contradict":   {status("Tue 2026-06-02 05:31:17 IST; 40min ago") + "\n" + status("Tue 2026-06-02 03:31:17 CEST; 40min ago"), "2026-06-02T05:31:12Z"},
		"beside a machine in UTC":  {status("Tue 2026-06-02 05:31:17 IST; 40min ago") + "\n" + status("Tue 2026-06-02 00:01:17 UTC; 40min ago"), "2026-06-02T05:31:12Z"},
		"another hour than named":  {status("Tue 2026-06-02 05:01:17 CEST; 40min ago"), "2026-06-02T05:31:12Z"},
		"an age without its hours": {status("Tue 2026-05-12 05:31:17 IST; 3 weeks ago"), "2026-06-02T05:31:12Z"},
	} {
		b := collect.NewBuilder(evidence.Source{Kind: "folder"}, builtin(t))
		err := b.AddFS(fstest.MapFS{"node.json": {Data: []byte(node)}, "status.txt": {Data: []byte(c.status)}, "kubelet.log": {Data: []byte(strings.TrimSpace(log) + "\n")}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, m := range b.Snapshot().Data().Matches {
			if m.Ref.Source == "kubelet.log" {
				got = m.Last.Format(time.RFC3339)
			}
		}
		if got != c.want {
			t.Errorf("%s: said at %s, want %s", name, got, c.want)
		}
	}
}
