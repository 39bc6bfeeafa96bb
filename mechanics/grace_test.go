package mechanics

import (
	"math"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

func TestGracePeriod(t *testing.T) {
	asks := func(n int64) *corev1.PodSpec { return &corev1.PodSpec{TerminationGracePeriodSeconds: &n} }
	for name, c := range map[string]struct {
		pod  evidence.Pod
		want time.Duration
	}{
		"not known":                  {evidence.Pod{}, 30 * time.Second},
		"asked for":                  {evidence.Pod{Spec: asks(5)}, 5 * time.Second},
		"of the deletion":            {evidence.Pod{Spec: asks(5), Deleted: time.Unix(1, 0), Grace: 60}, time.Minute},
		"more than a Duration holds": {evidence.Pod{Spec: asks(10_000_000_000)}, Longest},
		"as much as there is":        {evidence.Pod{Spec: asks(math.MaxInt64)}, Longest},
		"less than nothing":          {evidence.Pod{Spec: asks(-1)}, 0},
	} {
		if got := GracePeriod(&c.pod); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestHookSleep(t *testing.T) {
	sleep := func(n int64) corev1.Container {
		return corev1.Container{Lifecycle: &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Sleep: &corev1.SleepAction{Seconds: n}}}}
	}
	p := evidence.Pod{Spec: &corev1.PodSpec{Containers: []corev1.Container{sleep(5), {}, sleep(math.MaxInt64)}}}
	if got := HookSleep(&p); got != Longest {
		t.Errorf("the longest sleep is %s", got)
	}
	if got := HookSleep(&evidence.Pod{}); got != 0 {
		t.Errorf("of a pod that was not read: %s", got)
	}
}
