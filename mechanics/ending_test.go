package mechanics

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// nodeThat returns a node whose Ready condition has this status and message.
func nodeThat(status corev1.ConditionStatus, message string) *evidence.Node {
	n := &corev1.Node{}
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status, Message: message}}
	return &evidence.Node{Node: n}
}

func TestEnding(t *testing.T) {
	now := time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)
	running := evidence.Pod{Node: "w1", Phase: corev1.PodRunning, Ready: evidence.True, ReadyCount: 1, Total: 1, Grace: 60}
	ended := running
	ended.Phase, ended.Ready, ended.ReadyCount, ended.Grace = corev1.PodFailed, evidence.False, 0, 0
	with := func(p evidence.Pod, late time.Duration, finalizers ...string) evidence.Pod {
		p.Deleted, p.Finalizers = now.Add(-late), finalizers
		return p
	}
	forced, unplaced, unmounts := running, ended, ended
	forced.Grace, unplaced.Node, unmounts.Grace = 0, "", 60
	table := evidence.Pod{Node: "w1", Status: "Terminating", Partial: true, Total: 1}
	ready, silent := nodeThat("True", ""), nodeThat("Unknown", "")
	dumb, unready := nodeThat("False", "container runtime is down"), nodeThat("False", "container runtime network not ready")
	const guard, job = "example.com/guard", "batch.kubernetes.io/job-tracking"
	for name, c := range map[string]struct {
		pod   evidence.Pod
		node  *evidence.Node
		lost  bool
		want  Holder
		stuck bool
	}{
		"in its grace period":                     {with(running, -30*time.Second, guard), ready, false, HeldByGrace, false},
		"a moment late":                           {with(running, 5*time.Second, guard), ready, false, HeldByKubelet, false},
		"late, with a finalizer":                  {with(running, 20*time.Minute, guard), ready, false, HeldByKubelet, true},
		"forced, with a finalizer, still running": {with(forced, 20*time.Minute, guard), ready, false, HeldByKubelet, true},
		"ended, not unmounted, with a finalizer":  {with(unmounts, 20*time.Minute, guard), ready, false, HeldByKubelet, true},
		"ended, with a finalizer":                 {with(ended, 20*time.Minute, guard), ready, false, HeldByFinalizer, true},
		"just ended, with a finalizer":            {with(ended, time.Second, guard), ready, false, HeldByFinalizer, false},
		"just ended, of a Job":                    {with(ended, time.Second, job), ready, false, HeldByCollector, false},
		"ended long ago, of a Job":                {with(ended, time.Hour, job), ready, false, HeldByFinalizer, true},
		"ended, on a silent node":                 {with(ended, time.Hour, guard), silent, false, HeldByFinalizer, true},
		"running, on a silent node":               {with(running, time.Hour, guard), silent, false, HeldByNode, true},
		"forced, on a silent node":                {with(forced, time.Hour, guard), silent, false, HeldByNode, true},
		"its runtime is down":                     {with(running, -time.Second), dumb, false, HeldByRuntime, true},
		"in time, on a node that is not Ready":    {with(running, -time.Second), unready, false, HeldByGrace, false},
		"late, on a node that is not Ready":       {with(running, time.Hour), unready, false, HeldByNode, true},
		"its node is gone":                        {with(running, time.Hour), nil, true, HeldByCollector, false},
		"its node is gone, with a finalizer":      {with(running, time.Hour, guard), nil, true, HeldByFinalizer, true},
		"its node was not read":                   {with(running, time.Hour), nil, false, HeldByKubelet, true},
		"never placed, with a finalizer":          {with(unplaced, time.Hour, guard), nil, false, HeldByFinalizer, true},
		"a row of a table":                        {table, nodeThat("True", ""), false, HeldByGrace, false},
		"a row of a table, on a NotReady node":    {table, nodeThat("False", ""), false, HeldByNode, true},
	} {
		e := EndingOf(&c.pod, c.node, c.lost, now)
		if e.Holder != c.want || e.Stuck() != c.stuck {
			t.Errorf("%s: held by %s (stuck %t), want %s (stuck %t)", name, e.Holder, e.Stuck(), c.want, c.stuck)
		}
		if e.Holder == HeldByFinalizer && !slices.Equal(e.Finalizers, c.pod.Finalizers) {
			t.Errorf("%s: finalizers %q", name, e.Finalizers)
		}
	}
}
