package mechanics

import (
	"math"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

func tolerate(key string, seconds ...int64) corev1.Toleration {
	t := corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists}
	if len(seconds) > 0 {
		t.TolerationSeconds = &seconds[0]
	}
	return t
}

func evicting(key string) corev1.Taint {
	return corev1.Taint{Key: key, Effect: corev1.TaintEffectNoExecute}
}

func TestStayUnder(t *testing.T) {
	both := []corev1.Taint{evicting("a"), evicting("b")}
	for _, c := range []struct {
		name        string
		tolerations []corev1.Toleration
		taints      []corev1.Taint
		want        Stay
	}{
		{"no taint", nil, nil, Stay{Forever: true}},
		{"a taint that does not evict", nil, []corev1.Taint{{Key: "a", Effect: corev1.TaintEffectNoSchedule}}, Stay{Forever: true}},
		{"not tolerated", []corev1.Toleration{tolerate("a", 300)}, both, Stay{Now: true}},
		{"the least of several", []corev1.Toleration{tolerate("a", 300), tolerate("b", 60)}, both, Stay{For: time.Minute}},
		{"one for ever, one not", []corev1.Toleration{tolerate("a"), tolerate("b", 60)}, both, Stay{For: time.Minute}},
		{"for ever", []corev1.Toleration{tolerate("")}, both, Stay{Forever: true}},
		{"the first that matches", []corev1.Toleration{tolerate("a", 300), tolerate("a", 60), tolerate("b")}, both, Stay{For: 5 * time.Minute}},
		{"all, before one that ends", []corev1.Toleration{tolerate(""), tolerate("a", 60)}, both[:1], Stay{Forever: true}},
		{"all, after one that ends", []corev1.Toleration{tolerate("a", 5), tolerate("")}, both[:1], Stay{For: 5 * time.Second}},
		{"another value", []corev1.Toleration{{Key: "a", Value: "x"}}, both[:1], Stay{Now: true}},
		{"less than nothing", []corev1.Toleration{tolerate("", -5)}, both, Stay{}},
		{"more than a Duration holds", []corev1.Toleration{tolerate("", math.MaxInt64)}, both, Stay{For: Longest}},
	} {
		if got := StayUnder(c.tolerations, c.taints); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestEvictionDue(t *testing.T) {
	const s = time.Second
	hold := func(key string, from, to time.Duration) Held { return Held{evicting(key), from, to} }
	five := []corev1.Toleration{tolerate("a", 300), tolerate("b", 60)}
	for _, c := range []struct {
		name            string
		taints          []Held
		bound, nodeGone time.Duration
		want            time.Duration
	}{
		{"after the taint", []Held{hold("a", 10*s, Never)}, 0, Never, 310 * s},
		{"after it came to the node", []Held{hold("a", 10*s, Never)}, 50 * s, Never, 350 * s},
		{"the taint goes in time", []Held{hold("a", 10*s, 200*s)}, 0, Never, Never},
		{"swapped: the timer runs on", []Held{hold("a", 10*s, 100*s), hold("b", 100*s, Never)}, 0, Never, 310 * s},
		{"a gap cancels", []Held{hold("a", 10*s, 100*s), hold("a", 200*s, Never)}, 0, Never, 500 * s},
		{"not tolerated", []Held{hold("a", 10*s, Never), hold("c", 20*s, Never)}, 0, Never, 20 * s},
		{"the node goes first", []Held{hold("a", 10*s, Never)}, 0, 5 * s, Never},
		{"the node goes while the timer runs", []Held{hold("a", 10*s, 100*s)}, 0, 50 * s, 310 * s},
	} {
		if got := EvictionDue(five, c.taints, c.bound, c.nodeGone); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTaintedSince(t *testing.T) {
	at := func(second int) metav1.Time { return metav1.NewTime(time.Date(2026, 1, 1, 0, 0, second, 0, time.UTC)) }
	n := node("a", nil)
	n.Node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionUnknown, LastTransitionTime: at(30)}}
	added := at(31)
	dated, undated := evicting(corev1.TaintNodeUnreachable), evicting(corev1.TaintNodeUnreachable)
	dated.TimeAdded = &added
	other := evicting("maintenance")
	lost := &evidence.Event{Reason: "NodeNotReady", First: at(5).UTC()}
	well := &evidence.Event{Reason: "NodeReady", First: at(20).UTC()}
	for _, c := range []struct {
		name   string
		taint  corev1.Taint
		events []*evidence.Event
		want   time.Time
	}{
		{"when it was added", dated, nil, at(31).UTC()},
		{"when the node became Unknown", undated, nil, at(30).UTC()},
		{"when the node was first not ready", dated, []*evidence.Event{lost}, at(5).UTC()},
		{"it was well in between", dated, []*evidence.Event{lost, well}, at(31).UTC()},
		{"a taint of somebody else", other, []*evidence.Event{lost}, time.Time{}},
	} {
		if got := TaintedSince(n, &c.taint, c.events); !got.Equal(c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
