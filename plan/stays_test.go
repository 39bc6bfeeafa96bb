package plan

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// The first toleration that matches decides, also where a later one is shorter.
func TestStays(t *testing.T) {
	five := int64(5)
	always := corev1.Toleration{Operator: corev1.TolerationOpExists}
	short := corev1.Toleration{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &five}
	other := corev1.Toleration{Key: "dedicated", Operator: corev1.TolerationOpExists}
	value := corev1.Toleration{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpEqual, Value: "x"}
	for name, c := range map[string]struct {
		list    []corev1.Toleration
		d       time.Duration
		forever bool
	}{
		"none":                   {nil, 0, false},
		"wildcard":               {[]corev1.Toleration{always}, 0, true},
		"wildcard, then short":   {[]corev1.Toleration{always, short}, 0, true},
		"short, then wildcard":   {[]corev1.Toleration{short, always}, 5 * time.Second, false},
		"others do not matter":   {[]corev1.Toleration{other, value, short}, 5 * time.Second, false},
		"another value does not": {[]corev1.Toleration{value}, 0, false},
	} {
		d, forever := stays(&evidence.Pod{Spec: &corev1.PodSpec{Tolerations: c.list}}, corev1.TaintNodeUnreachable)
		if d != c.d || forever != c.forever {
			t.Errorf("%s: %s, for ever %v; want %s, %v", name, d, forever, c.d, c.forever)
		}
	}
}

// A certificate of days is not called late when it has hours left, one of years is when it has weeks.
func TestSoon(t *testing.T) {
	day := 24 * time.Hour
	for life, want := range map[time.Duration]time.Duration{0: day, day: 4 * time.Hour, 365 * day: 30 * day, 90 * day: 15 * day} {
		if got := soon(life); got != want {
			t.Errorf("soon(%s) is %s, want %s", life, got, want)
		}
	}
}

func TestMinor(t *testing.T) {
	for text, want := range map[string]int{"v1.36.3": 36, "1.29": 29, "v1.30.2-gke.100": 30} {
		if got, ok := minor(text); !ok || got != want {
			t.Errorf("minor(%q) is %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "v1", "v1.x"} {
		if _, ok := minor(text); ok {
			t.Errorf("minor(%q) is known", text)
		}
	}
}
