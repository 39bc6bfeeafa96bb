package why_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/why"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/cases/casetest/snapshots"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
	"github.com/nodetriage/nodetriage/report"
)

// A case is a cluster, the subject and time of the question, and the answer.
func TestCases(t *testing.T) {
	states, kinds := map[why.State]bool{}, map[string]bool{}
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		a := ask(t, c)
		kinds[a.Subject.Kind] = true
		for _, p := range a.Pods {
			states[p.State] = true
		}
		var got bytes.Buffer
		if err := report.Why(&got, a, report.Style{Width: 100, Wide: true}); err != nil {
			t.Fatal(err)
		}
		c.Want(t, "want", got.String())
	})
	for _, s := range []why.State{why.Gated, why.Pending, why.Starting, why.Terminating, why.Lost, why.Failing, why.Running, why.Ended} {
		if !states[s] {
			t.Errorf("no case of a pod that is %s", s)
		}
	}
	for _, k := range []string{"Pod", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job"} {
		if !kinds[k] {
			t.Errorf("no case about a %s", k)
		}
	}
}

// ask answers the question of a case, like "Pod web-0 2026-06-02T00:10:00Z", from its cluster.
func ask(t *testing.T, c *casetest.Case) *why.Answer {
	t.Helper()
	words := strings.Fields(c.Text("ask"))
	if len(words) != 3 {
		t.Fatalf("the question is %q", words)
	}
	at, err := time.Parse(time.RFC3339, words[2])
	if err != nil {
		t.Fatal(err)
	}
	a, err := why.Ask(snapshots.Cluster(t, c), evidence.Subject{Kind: words[0], Namespace: "shop", Name: words[1]}, at, scheduler.New)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
