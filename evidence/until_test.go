package evidence_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

var noon = time.Date(2026, 6, 2, 12, 0, 0, 0, time.UTC)

// Evidence up to a time has nothing later, and reports that objects are from a later moment.
func TestUntil(t *testing.T) {
	before, after := noon.Add(-time.Hour), noon.Add(time.Hour)
	node := func(name string, made, changed time.Time) *evidence.Node {
		return evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(made)}, Status: corev1.NodeStatus{
			Conditions: []corev1.NodeCondition{{Type: "Ready", Status: "True", LastTransitionTime: metav1.NewTime(changed), LastHeartbeatTime: metav1.NewTime(after)}},
		}})
	}
	event := func(reason string, first, last time.Time) *evidence.Event {
		return &evidence.Event{Object: evidence.NodeSubject("old"), Reason: reason, First: first, Last: last}
	}
	repeated := event("repeated", before, after)
	data := evidence.Data{
		TakenAt: after, Coverage: map[evidence.Kind]evidence.Coverage{evidence.Leases: evidence.Complete},
		Nodes:  []*evidence.Node{node("old", before, before), node("changed", before, after), node("new", after, after)},
		Leases: []*evidence.Lease{{Name: "old", Renewed: after}},
		Pods: []*evidence.Pod{
			{Namespace: "shop", Name: "same", Created: before, Phase: "Running", Ready: evidence.True, ReadySince: before},
			{Namespace: "shop", Name: "became-ready", Created: before, Phase: "Running", Ready: evidence.True, ReadySince: after},
			{Namespace: "shop", Name: "deleted", Created: before, Phase: "Running", Status: "Terminating", Deleted: after, Ready: evidence.True, ReadySince: before},
			{Namespace: "shop", Name: "new", Created: after},
		},
		Events: []*evidence.Event{event("old", before, before), repeated, event("new", after, after)},
		Matches: []*evidence.Match{
			{Signature: "old", First: before, Last: before, Until: after, Quiet: 2 * time.Hour}, {Signature: "repeated", Event: repeated, First: before, Last: after}, {Signature: "new", First: after},
		},
		CloudActivities: []*evidence.CloudActivity{{ID: "old", Time: before}, {ID: "new", Time: after}},
		Lines:           []*evidence.Line{{Number: 1, Time: before}, {Number: 2, Time: after}},
		Usage:           []*evidence.Usage{{}},
	}
	s := evidence.New(data)
	u := s.Until(noon)
	if !u.TakenAt().Equal(noon) || len(u.Data().Nodes) != 2 || len(u.Pods()) != 3 || len(u.Leases()) != 0 || len(u.Events()) != 2 || len(u.Matches()) != 2 ||
		len(u.Data().CloudActivities) != 1 || len(u.Lines()) != 1 || len(u.Data().Usage) != 0 {
		t.Errorf("%+v", u.Data())
	}
	if u.Covers(evidence.Leases) == evidence.Complete {
		t.Error("the absence of a lease that is of another time proves something")
	}
	if n := u.Node("old"); n.Ready() != evidence.True || n.Partial || n.Condition("Ready").LastHeartbeatTime.After(noon) {
		t.Errorf("%+v", n)
	}
	if n := u.Node("changed"); n.Ready() != evidence.Unknown || !n.Partial {
		t.Errorf("a condition that changed later is known: %+v", n.Node.Status.Conditions)
	}
	if p := u.Pod("shop", "became-ready"); p.Ready != evidence.Unknown || !p.Partial || p.Phase != "" {
		t.Errorf("%+v", p)
	}
	if p := u.Pod("shop", "deleted"); p.Deleting() {
		t.Errorf("it is deleted before somebody asked for that: %+v", p)
	}
	if p := u.Pod("shop", "same"); p.Ready != evidence.True || p.Partial {
		t.Errorf("%+v", p)
	}
	for _, e := range u.Events() {
		if e.Last.After(noon) {
			t.Errorf("event %s came last at %s", e.Reason, e.Last)
		}
	}
	if m := u.Matches()[0]; !m.Until.Equal(noon) || m.Quiet != time.Hour {
		t.Errorf("%+v", m)
	}
	if !slices.ContainsFunc(u.Gaps(), func(g evidence.Gap) bool {
		return strings.HasPrefix(g.What, "nodes, pods and leases as of 2026-06-02T12:00:00Z")
	}) {
		t.Errorf("gaps: %v", u.Gaps())
	}
	if s.Until(after) != s || s.Until(time.Time{}) != s {
		t.Error("evidence that is not newer becomes other evidence")
	}
	if len(s.Pods()) != 4 || !s.Pod("shop", "deleted").Deleting() {
		t.Error("the evidence itself was changed")
	}
}

// The STATUS column equals that of kubectl.
func TestPodStatus(t *testing.T) {
	yes, always := true, corev1.ContainerRestartPolicyAlways
	waiting := func(reason string) corev1.ContainerState {
		return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}
	}
	ended := func(code int32, reason string) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: reason}}
	}
	runs := corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	pod := func(phase corev1.PodPhase, states ...corev1.ContainerState) *corev1.Pod {
		p := &corev1.Pod{Status: corev1.PodStatus{Phase: phase}}
		for _, s := range states {
			p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{State: s, Ready: s.Running != nil})
		}
		return p
	}
	starting := func(states ...corev1.ContainerState) *corev1.Pod {
		p := pod("Pending", waiting("PodInitializing"))
		for i, s := range states {
			name := string(rune('a' + i))
			p.Spec.InitContainers = append(p.Spec.InitContainers, corev1.Container{Name: name})
			p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, corev1.ContainerStatus{Name: name, State: s})
		}
		return p
	}
	sidecar := starting(runs, runs)
	sidecar.Spec.InitContainers[0].RestartPolicy, sidecar.Status.InitContainerStatuses[0].Started = &always, &yes
	gated := pod("Pending")
	gated.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: "False", Reason: corev1.PodReasonSchedulingGated}}
	evicted := pod("Failed")
	evicted.Status.Reason = "Evicted"
	deleted, lost, done := pod("Running", runs), pod("Running", runs), pod("Succeeded", ended(0, "Completed"))
	for _, p := range []*corev1.Pod{deleted, lost, done} {
		p.DeletionTimestamp = &metav1.Time{Time: noon}
	}
	lost.Status.Reason = "NodeLost"
	half := pod("Running", ended(0, "Completed"), runs)
	ready := half.DeepCopy()
	ready.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: "True"}}
	for want, p := range map[string]*corev1.Pod{
		"Running": pod("Running", runs), "Pending": pod("Pending"), "ContainerCreating": pod("Pending", waiting("ContainerCreating")),
		"CrashLoopBackOff": pod("Running", runs, waiting("CrashLoopBackOff")), "OOMKilled": pod("Running", ended(137, "OOMKilled")), "ExitCode:3": pod("Failed", ended(3, "")),
		"Init:0/2": starting(runs, waiting("PodInitializing")), "Init:Error": starting(ended(1, "Error")), "Init:ImagePullBackOff": starting(ended(0, ""), waiting("ImagePullBackOff")),
		"Init:1/2": sidecar, "SchedulingGated": gated, "Evicted": evicted, "Terminating": deleted, "Unknown": lost, "Completed": done, "NotReady": half,
	} {
		if got := evidence.PodStatus(p); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := evidence.PodStatus(ready); got != "Running" {
		t.Errorf("%s, want Running", got)
	}
}

// A cordon that came later was not there, and one that came before stays.
func TestUntilOfCordons(t *testing.T) {
	for _, c := range []struct {
		name     string
		cordoned time.Time
		want     bool
	}{{"before", noon.Add(-time.Minute), true}, {"later", noon.Add(time.Minute), false}} {
		added := metav1.NewTime(c.cordoned)
		n := evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "worker-1"}, Spec: corev1.NodeSpec{
			Unschedulable: true, Taints: []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule, TimeAdded: &added}},
		}})
		u := evidence.New(evidence.Data{TakenAt: noon.Add(time.Hour), Nodes: []*evidence.Node{n}}).Until(noon).Node("worker-1")
		if u.Spec.Unschedulable != c.want || len(u.Spec.Taints) == 1 != c.want {
			t.Errorf("cordoned %s: %+v", c.name, u.Spec)
		}
		if !n.Spec.Unschedulable {
			t.Error("the evidence itself was changed")
		}
	}
}
