package mechanics

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

func TestTolerates(t *testing.T) {
	taint := corev1.Taint{Key: "disk", Value: "5", Effect: corev1.TaintEffectNoExecute}
	for _, c := range []struct {
		name string
		tol  corev1.Toleration
		want bool
	}{
		{"everything", corev1.Toleration{Operator: corev1.TolerationOpExists}, true},
		{"every value of the key", corev1.Toleration{Key: "disk", Operator: corev1.TolerationOpExists}, true},
		{"another key", corev1.Toleration{Key: "cpu", Operator: corev1.TolerationOpExists}, false},
		{"another effect", corev1.Toleration{Key: "disk", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule}, false},
		{"equal value", corev1.Toleration{Key: "disk", Operator: corev1.TolerationOpEqual, Value: "5"}, true},
		{"no operator is Equal", corev1.Toleration{Key: "disk", Value: "5"}, true},
		{"another value", corev1.Toleration{Key: "disk", Value: "6"}, false},
		{"no key, equal value: the API refuses such a pod, the function does not", corev1.Toleration{Value: "5"}, true},
		{"above an equal number", corev1.Toleration{Key: "disk", Operator: corev1.TolerationOpGt, Value: "5"}, false},
		{"above a lower number", corev1.Toleration{Key: "disk", Operator: corev1.TolerationOpGt, Value: "4"}, true},
		{"below a higher number", corev1.Toleration{Key: "disk", Operator: corev1.TolerationOpLt, Value: "6"}, true},
		{"below what is no number", corev1.Toleration{Key: "disk", Operator: corev1.TolerationOpLt, Value: "six"}, false},
		{"an operator that does not exist", corev1.Toleration{Key: "disk", Operator: "In", Value: "5"}, false},
	} {
		if got := Tolerates(&c.tol, &taint); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestUntolerated(t *testing.T) {
	taints := []corev1.Taint{
		{Key: "soft", Effect: corev1.TaintEffectPreferNoSchedule}, {Key: "gpu", Effect: corev1.TaintEffectNoSchedule},
		{Key: "down", Effect: corev1.TaintEffectNoExecute},
	}
	gpu := []corev1.Toleration{{Key: "gpu", Operator: corev1.TolerationOpExists}}
	if got := Untolerated(nil, taints); got == nil || got.Key != "gpu" {
		t.Errorf("no tolerations: %v, want gpu", got)
	}
	if got := Untolerated(gpu, taints); got == nil || got.Key != "down" {
		t.Errorf("gpu tolerated: %v, want down", got)
	}
	if got := Untolerated(gpu, taints[:2]); got != nil {
		t.Errorf("gpu tolerated, the last one gone: %v, want none", got)
	}
}

func TestToleratesCordon(t *testing.T) {
	for name, c := range map[string]struct {
		spec *corev1.PodSpec
		want bool
	}{
		"not known": {nil, false},
		"none":      {&corev1.PodSpec{}, false},
		"the key":   {&corev1.PodSpec{Tolerations: []corev1.Toleration{{Key: corev1.TaintNodeUnschedulable, Operator: corev1.TolerationOpExists}}}, true},
		"all":       {&corev1.PodSpec{Tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists}}}, true},
		"eviction":  {&corev1.PodSpec{Tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}}}, false},
	} {
		if got := ToleratesCordon(&evidence.Pod{Spec: c.spec}); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
