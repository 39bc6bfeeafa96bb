package mechanics

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

func owned(kind string) evidence.Pod {
	return evidence.Pod{Owner: evidence.Owner{Kind: kind, Name: "x"}}
}

func TestReplaces(t *testing.T) {
	mirror := owned("DaemonSet")
	mirror.Mirror = true
	for _, c := range []struct {
		name            string
		pod             evidence.Pod
		want            Replacement
		replaced, fixed bool
	}{
		{"of a ReplicaSet", owned("ReplicaSet"), AtDeletion, true, false},
		{"of a ReplicationController", owned("ReplicationController"), AtDeletion, true, false},
		{"of a StatefulSet", owned("StatefulSet"), WhenGone, true, false},
		{"of a DaemonSet", owned("DaemonSet"), OnSameNode, true, true},
		{"of a Job", owned("Job"), WhenFailed, true, false},
		{"of the kubelet", owned("Node"), ByKubelet, false, true},
		{"a mirror, whoever owns it", mirror, ByKubelet, false, true},
		{"of an operator", owned("Cluster"), NotKnown, false, false},
		{"of an operator whose kind has a known name", owned("StatefulSet.apps.kruise.io"), NotKnown, false, false},
		{"of nobody", evidence.Pod{}, NotReplaced, false, false},
		{"of nobody in a table", evidence.Pod{Partial: true}, NotKnown, false, false},
	} {
		if got := Replaces(&c.pod); got != c.want {
			t.Errorf("a pod %s: %d, want %d", c.name, got, c.want)
		}
		if Replaced(&c.pod) != c.replaced || TiedToNode(&c.pod) != c.fixed {
			t.Errorf("a pod %s: replaced %v, tied to its node %v", c.name, Replaced(&c.pod), TiedToNode(&c.pod))
		}
	}
}

func TestFinalizers(t *testing.T) {
	tracked := owned("Job")
	tracked.Finalizers = []string{"batch.kubernetes.io/job-tracking"}
	if !HeldByJobAlone(&tracked) || !GoneByForce(&tracked) {
		t.Error("a Job lets go of its pod")
	}
	tracked.Finalizers = append(tracked.Finalizers, "example.com/clean-up")
	if HeldByJobAlone(&tracked) || GoneByForce(&tracked) {
		t.Error("somebody else keeps the pod")
	}
	if got := LastingFinalizers(&tracked); !slices.Equal(got, []string{"example.com/clean-up"}) {
		t.Errorf("lasting are %v", got)
	}
}

func TestDrainOf(t *testing.T) {
	mirror, going, ended := owned("Node"), owned("ReplicaSet"), owned("DaemonSet")
	mirror.Mirror, going.Deleted, ended.Phase = true, time.Unix(1, 0), corev1.PodFailed
	for _, c := range []struct {
		name string
		pod  evidence.Pod
		want Drain
	}{
		{"static", mirror, Skip}, {"going", going, AwaitEnd}, {"of a DaemonSet", owned("DaemonSet"), Skip}, {"of a DaemonSet, ended", ended, Evict},
		{"of a ReplicaSet", owned("ReplicaSet"), Evict}, {"of nobody", evidence.Pod{}, Evict}, {"of nobody known", evidence.Pod{Partial: true}, Evict},
	} {
		if got, why := DrainOf(&c.pod); got != c.want || why == "" {
			t.Errorf("a pod %s: %s (%s), want %s", c.name, got, why, c.want)
		}
	}
}

func TestLoses(t *testing.T) {
	scratch := &corev1.PodSpec{Volumes: []corev1.Volume{{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}, {Name: "token"}}}
	bare, web, ended := evidence.Pod{Spec: scratch}, owned("ReplicaSet"), evidence.Pod{Phase: corev1.PodSucceeded}
	web.Spec = scratch
	for _, c := range []struct {
		name string
		pod  evidence.Pod
		want []Loss
	}{
		{"of nobody, with data", bare, []Loss{ThePod, LocalData}}, {"of a ReplicaSet, with data", web, []Loss{LocalData}},
		{"of a ReplicaSet", owned("ReplicaSet"), nil}, {"that has ended", ended, nil}, {"in a table", evidence.Pod{Partial: true}, nil},
	} {
		if got := Loses(&c.pod); !slices.Equal(got, c.want) {
			t.Errorf("a pod %s loses %v, want %v", c.name, got, c.want)
		}
	}
}

func TestTolerationsOf(t *testing.T) {
	dead := []corev1.Taint{{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute}}
	other := []corev1.Taint{{Key: "maintenance", Effect: corev1.TaintEffectNoExecute}}
	static, daemon, web := owned("Node"), owned("DaemonSet"), owned("ReplicaSet")
	for name, c := range map[string]struct {
		pod         evidence.Pod
		dead, other Stay
	}{
		"static":       {static, Stay{Forever: true}, Stay{Forever: true}},
		"daemon":       {daemon, Stay{Forever: true}, Stay{Now: true}},
		"of a set":     {web, Stay{For: 5 * time.Minute}, Stay{Now: true}},
		"with its own": {evidence.Pod{Spec: &corev1.PodSpec{}}, Stay{Now: true}, Stay{Now: true}},
	} {
		if got := StayUnder(TolerationsOf(&c.pod), dead); got != c.dead {
			t.Errorf("%s on a dead node: %+v, want %+v", name, got, c.dead)
		}
		if got := StayUnder(TolerationsOf(&c.pod), other); got != c.other {
			t.Errorf("%s on a node with another taint: %+v, want %+v", name, got, c.other)
		}
	}
}

func TestDaemonTolerations(t *testing.T) {
	taint := []corev1.Taint{{Key: corev1.TaintNodeNetworkUnavailable, Effect: corev1.TaintEffectNoSchedule}}
	if Untolerated(DaemonTolerations(&corev1.PodSpec{HostNetwork: true}), taint) != nil {
		t.Error("a pod in the host network waits for the network")
	}
	if Untolerated(DaemonTolerations(&corev1.PodSpec{}), taint) == nil {
		t.Error("a pod with a network of its own does not wait for it")
	}
	if Untolerated(DaemonTolerations(&corev1.PodSpec{}), []corev1.Taint{cordon}) != nil {
		t.Error("a cordon keeps the pod of a DaemonSet away")
	}
}

func TestWrittenTolerations(t *testing.T) {
	seconds, own := int64(300), int64(30)
	kept := WrittenTolerations([]corev1.Toleration{
		{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds},
		{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &own},
		{Key: "gpu", Operator: corev1.TolerationOpExists},
		{Key: corev1.TaintNodeDiskPressure, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	})
	if len(kept) != 2 || kept[0].TolerationSeconds == nil || kept[1].Key != "gpu" {
		t.Errorf("written are %v", kept)
	}
}
