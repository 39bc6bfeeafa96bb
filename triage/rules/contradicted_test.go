package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Occasional failures of an API server are not an outage while every kubelet reports; failures every few seconds are.
func TestFailuresBesideReadyNodes(t *testing.T) {
	const head = `{"kind":"List","apiVersion":"v1","items":[{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"},"status":{"conditions":[` +
		`{"type":"Ready","status":"%s","reason":"KubeletReady","lastHeartbeatTime":"2021-08-03T10:09:30Z","lastTransitionTime":"%s"}]}}]}`
	const line = "E0803 10:09:%02d.285978      20 writers.go:117] apiserver was unable to write a JSON response: http: Handler timeout\n"
	lines := func(seconds ...int) string {
		var out strings.Builder
		for _, s := range seconds {
			fmt.Fprintf(&out, line, s)
		}
		return out.String()
	}
	often := lines(0, 4, 8, 12, 16, 20, 24, 28, 32, 36)
	for name, c := range map[string]struct {
		ready, since, log string
		want              triage.Certainty
	}{
		"one request":                               {"True", "2021-08-03T09:20:40Z", lines(41, 41), triage.Possible},
		"one after another":                         {"True", "2021-08-03T09:20:40Z", often, triage.Likely},
		"one request, and a node that is silent":    {"Unknown", "2021-08-03T10:09:40Z", lines(41, 41), triage.Likely},
		"one request, and a node that became Ready": {"True", "2021-08-03T10:09:50Z", lines(41, 41), triage.Likely},
	} {
		t.Run(name, func(t *testing.T) {
			b := collect.NewBuilder(evidence.Source{Kind: "file"}, knowledge(t).Signatures)
			b.AddStream("nodes.json", strings.NewReader(fmt.Sprintf(head, c.ready, c.since)))
			b.AddStream("kube-apiserver.log", strings.NewReader(c.log))
			for _, f := range judged(t, b.Snapshot()).Findings {
				if f.Cause == "control-plane-degraded" {
					if f.Certainty != c.want {
						t.Errorf("it is %s, want %s", f.Certainty, c.want)
					}
					return
				}
			}
			t.Error("it was not found")
		})
	}
}
