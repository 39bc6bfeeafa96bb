//go:build unix

package drain_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/race"
)

// A pool whose pods have PodDisruptionBudgets is drained. An independent observer of each event sees no violated
// PodDisruptionBudget and no pod that is deleted twice. make bench does the same with a thousand pods, and with
// kubectl.
func TestPoolIsEmptied(t *testing.T) {
	size := race.Size{Nodes: 3, Apps: 4, Replicas: 20}
	pool, err := race.Build(t.Context(), client, kubelets, "race", size)
	if err != nil {
		t.Fatal(err)
	}
	r, err := pool.Run(t.Context(), append([]string{program, "drain", "--kubeconfig", plane.Kubeconfig, "--yes"}, pool.Nodes...)...)
	if err != nil {
		t.Fatal(err)
	}
	gone := 0
	for _, node := range pool.Nodes {
		gone += r.Guard.Deleted[node]
		delete(r.Guard.Deleted, node)
	}
	if len(r.Guard.Violations)+len(r.Guard.Twice)+len(r.Guard.Deleted) > 0 || gone != size.Pods() {
		t.Errorf("violations %v, twice %v, deleted %d of %d and elsewhere %v", r.Guard.Violations, r.Guard.Twice, gone, size.Pods(), r.Guard.Deleted)
	}
	t.Logf("%d pods in %s, %d events", size.Pods(), r.Took.Round(100*time.Millisecond), r.Guard.Events)
}
