package rules_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// A healthy cluster always has events: pods start and stop, probes fail at start, old events and evicted pods remain. None of this
// is a finding.
func TestHealthyCluster(t *testing.T) {
	r := judged(t, newCluster().snapshot())
	wantNothing(t, r)
	if r.Verdict != triage.Healthy {
		t.Errorf("the verdict is %q, want healthy; symptoms %v", r.Verdict, ids(r))
	}
}

// A runtime that was briefly unavailable leaves only an event: its node stayed Ready. The kubelet repeats the event as long as it
// lasts, so an old event is resolved. A new one is not, and neither is one on a NotReady node.
func TestEventThatWouldComeAgain(t *testing.T) {
	for _, test := range []struct {
		before  time.Duration
		reason  string
		unready bool
		want    bool
	}{
		{before: 26 * time.Minute, reason: "ContainerGCFailed"},
		{before: 12 * time.Minute, reason: "ImageGCFailed"},
		{before: 4 * time.Minute, reason: "ContainerGCFailed", want: true},
		{before: 26 * time.Minute, reason: "FailedToStart", want: true},
		{before: 26 * time.Minute, reason: "ContainerGCFailed", unready: true, want: true},
	} {
		c := newCluster()
		n := c.nodes[0]
		c.event("Node", "", n.Name, "Warning", test.reason, `rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: `+
			`dial unix /run/containerd/containerd.sock: connect: no such file or directory"`, test.before)
		if test.unready {
			for i := range n.Status.Conditions {
				if n.Status.Conditions[i].Type == corev1.NodeReady {
					n.Status.Conditions[i].Status = corev1.ConditionFalse
				}
			}
		}
		found := false
		for _, f := range judged(t, c.snapshot()).Findings {
			found = found || f.Cause == "runtime-down"
		}
		if found != test.want {
			t.Errorf("%+v: found is %v", test, found)
		}
	}
}

// A restarted runtime leaves an event on a pod that has since failed for another reason: the runtime answers.
func TestRuntimeAnswersAgain(t *testing.T) {
	for answer, want := range map[string]bool{
		"": true,
		`Failed to create pod sandbox: rpc error: code = Unknown desc = failed to start sandbox "8f": runc create failed: expected cgroupsPath to be of format "slice:prefix:name" for systemd cgroups, got "/kubepods/pod1/8f"`: false,
		`Failed to create pod sandbox: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused"`:                   true,
	} {
		c := newCluster()
		unready(c.find("web-5d9f-0"), 5*time.Minute, "ContainerCreating").CreationTimestamp = ago(5 * time.Minute)
		c.event("Pod", "shop", "web-5d9f-0", "Warning", "FailedCreatePodSandBox", `Failed to create pod sandbox: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: `+
			`dial unix /run/containerd/containerd.sock: connect: no such file or directory"`, 40*time.Second)
		if answer != "" {
			c.event("Pod", "shop", "web-5d9f-0", "Warning", "FailedCreatePodSandBox", answer, 10*time.Second)
		}
		found := false
		for _, f := range judged(t, c.snapshot()).Findings {
			found = found || f.Cause == "runtime-down"
		}
		if found != want {
			t.Errorf("%q: runtime-down is %v", answer, found)
		}
	}
}

// Vendors add their own conditions to nodes. Unknown conditions are not failures while they are not True; known ones count by their
// polarity.
func TestVendorConditions(t *testing.T) {
	c := newCluster()
	for i, n := range c.nodes {
		for typ, status := range map[corev1.NodeConditionType]corev1.ConditionStatus{
			"ExampleVendorAgentHealthy": corev1.ConditionTrue, "ExampleVendorDegraded": corev1.ConditionFalse,
			"ExampleVendorUnsure": corev1.ConditionUnknown, "EtcdIsVoter": corev1.ConditionTrue,
			"KernelDeadlock": corev1.ConditionFalse, "ReadonlyFilesystem": corev1.ConditionFalse,
			"FrequentKubeletRestart": corev1.ConditionFalse, "VMEventScheduled": corev1.ConditionFalse,
			"NetworkUnavailable": corev1.ConditionFalse, "ContainerRuntimeReady": corev1.ConditionTrue,
			"KubeletProblem": corev1.ConditionUnknown, "StorageReady": corev1.ConditionTrue,
		} {
			n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{
				Type: typ, Status: status, Reason: "Because", Message: fmt.Sprintf("vendor message %d", i),
				LastHeartbeatTime: ago(time.Minute), LastTransitionTime: ago(20 * 24 * time.Hour),
			})
		}
	}
	r := judged(t, c.snapshot())
	wantNothing(t, r)
	if r.Verdict != triage.Healthy {
		t.Errorf("the verdict is %q, want healthy; symptoms %v", r.Verdict, ids(r))
	}
}

// A condition that may be a problem is a warning, not a cause: its author controls its text.
func TestUnexplainedConditions(t *testing.T) {
	const words = "GPU has fallen off the bus; Failed to create pod sandbox; no space left on device"
	for typ, status := range map[corev1.NodeConditionType]corev1.ConditionStatus{
		"ExampleVendorSeen": corev1.ConditionTrue, "GpuMemWatch": corev1.ConditionTrue, "example.com/LinkError": corev1.ConditionTrue,
		"UnhealthyNvidiaDCGMServices": corev1.ConditionTrue, "RuntimeNotReady": corev1.ConditionTrue,
		"kubernetes.azure.com/NodeHealthy": corev1.ConditionUnknown, "ExampleVendorReady": corev1.ConditionUnknown, "ExampleVendorHealthy": corev1.ConditionFalse,
	} {
		c := newCluster()
		c.nodes[4].Status.Conditions = append(c.nodes[4].Status.Conditions, corev1.NodeCondition{
			Type: typ, Status: status, Reason: "Because", Message: words, LastHeartbeatTime: ago(time.Minute), LastTransitionTime: ago(time.Hour),
		})
		r := judged(t, c.snapshot())
		if r.Verdict != triage.Warn || len(ids(r)) == 0 {
			t.Errorf("%s=%s: the verdict is %q, symptoms %v", typ, status, r.Verdict, ids(r))
		}
		for _, f := range r.Findings {
			if f.Certainty != triage.Possible {
				t.Errorf("%s=%s: %s is %s", typ, status, f.Cause, f.Certainty)
			}
		}
	}
}

// A rolling upgrade cordons, drains, replaces machines and makes pods wait. None of this is a fault.
func TestRollingUpgrade(t *testing.T) {
	for minute := range 6 {
		c := newCluster()
		c.upgrade(time.Duration(minute) * time.Minute)
		r := judged(t, c.snapshot())
		seen := false
		for _, f := range r.Findings {
			if seen = seen || f.Cause == "upgrade-in-progress"; f.Cause != "upgrade-in-progress" || f.Severity != "info" {
				t.Errorf("minute %d: found %s (%s) on %s: %s", minute, f.Cause, f.Certainty, f.Subject, f.Summary)
			}
		}
		if !seen {
			t.Errorf("minute %d: the upgrade was not seen", minute)
		}
		if r.Verdict != triage.Healthy {
			t.Errorf("minute %d: the verdict is %q, want healthy; symptoms %v", minute, r.Verdict, ids(r))
		}
	}
}

func wantNothing(t *testing.T, r *triage.Report) {
	t.Helper()
	for _, f := range r.Findings {
		t.Errorf("found %s (%s) on %s: %s", f.Cause, f.Certainty, f.Subject, f.Summary)
	}
	if len(r.Cohorts) > 0 {
		t.Errorf("cohorts %v in a cluster without failing nodes", r.Cohorts)
	}
}

func judged(t *testing.T, s *evidence.Snapshot) *triage.Report {
	t.Helper()
	in := knowledge(t)
	in.Snapshot, in.Rulebook = s, rules.All()
	return triage.Run(in)
}

func ids(r *triage.Report) []string {
	var out []string
	for _, s := range r.Symptoms {
		out = append(out, s.ID+" on "+s.Subject.String()+" by "+s.ExplainedBy)
	}
	return out
}

// at is the time of the evidence.
var at = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

func ago(d time.Duration) metav1.Time { return metav1.NewTime(at.Add(-d)) }
