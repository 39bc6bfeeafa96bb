package ask

import (
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// If nodes could not be read, no hint says to add them.
func TestNoSuchNode(t *testing.T) {
	for _, x := range []struct {
		data evidence.Data
		want string
	}{
		{evidence.Data{}, "add the output of kubectl get nodes"},
		{evidence.Data{Gaps: []evidence.Gap{{What: "nodes", Why: "throttled: \x1b[2Jlater", How: "run again"}}}, "the nodes could not be read: throttled: "},
		{evidence.Data{
			Nodes: []*evidence.Node{evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "worker-2"}})},
			Gaps:  []evidence.Gap{{What: "nodes", Why: "timed out", How: "run again with a longer --request-timeout"}},
		}, "it may be among the nodes that could not be read: timed out; run again with a longer --request-timeout"},
	} {
		got := withItsHint(noNode(evidence.New(x.data), "worker-1"))
		if !strings.Contains(got, x.want) || strings.Contains(got, "\x1b") {
			t.Errorf("%q, want %q", got, x.want)
		}
	}
}

// If pods or workloads could not be read, a missing one may exist.
func TestNoSuchPod(t *testing.T) {
	pod := &evidence.Pod{Name: "db-0", Namespace: "shop"}
	for _, x := range []struct{ kind, gap, want string }{
		{"Pod", "pods", "it may be among the pods that could not be read: timed out"},
		{"Pod", "nodes, pods in shop", "it may be among the pods that could not be read: timed out"},
		{"Pod", "nodes", `pod "web" not found in the evidence (1 pod)`},
		{"Deployment", "workloads", "the deployments could not be read: timed out"},
		{"Deployment", "daemonsets, deployments", "the deployments could not be read: timed out"},
		{"Deployment", "pods", `deployment "web" not found in the evidence (0 deployments)`},
	} {
		s := evidence.New(evidence.Data{Pods: []*evidence.Pod{pod}, Gaps: []evidence.Gap{{What: x.gap, Why: "timed out"}}})
		_, err := (&WhyOptions{}).find(s, x.kind, "web")
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s without %s: %v, want %q", x.kind, x.gap, err, x.want)
		}
	}
}

// If nodes could not be read, a missing node or pool may exist.
func TestUnread(t *testing.T) {
	from := From{Source: Held{evidence.New(evidence.Data{
		Pods: []*evidence.Pod{{Name: "db-0", Namespace: "shop"}}, Coverage: map[evidence.Kind]evidence.Coverage{evidence.Nodes: evidence.Partial},
		Gaps: []evidence.Gap{{Kind: evidence.Nodes, What: "nodes", Why: "timed out", How: "run again"}},
	})}, Knowledge: knowing(t)}
	for name, err := range map[string]error{
		"diagnose": second(Diagnose(t.Context(), from, DiagnoseOptions{Nodes: []string{"n1"}})),
		"drain":    second(Drain(t.Context(), from, DrainOptions{Nodes: []string{"n1"}})),
		"upgrade":  second(Upgrade(t.Context(), from, UpgradeOptions{Pool: "a"})),
		"check":    second(Check(t.Context(), from, CheckOptions{Pools: []string{"a"}})),
		"why":      second(Why(t.Context(), from, WhyOptions{Subject: "ds/log"})),
		"repair":   second(Repair(t.Context(), from, RepairOptions{Action: "reimage", Target: "n1"})),
	} {
		unread := (*UnreadError)(nil)
		if name != "why" && !errors.As(err, &unread) || err == nil {
			t.Errorf("%s: %v", name, err)
		}
		if unread != nil && (unread.Unwrap() == nil || unread.Error() != err.Error()) {
			t.Errorf("%s: %v", name, unread)
		}
	}
}

// A usage error wraps its cause.
func TestErrorsAreWrapped(t *testing.T) {
	inner := errors.New("inner")
	if !errors.Is(usagef("outer: %w", inner), inner) {
		t.Error("the inner error is lost")
	}
}

// A cluster in which nothing could be read is not a collection.
func TestNothingRead(t *testing.T) {
	from := From{Source: Held{evidence.New(evidence.Data{
		Source: evidence.Source{Kind: "cluster", Name: "lab"}, Gaps: []evidence.Gap{{Kind: evidence.Nodes, What: "nodes", Why: "forbidden", How: "allow it"}},
	})}, Knowledge: knowing(t)}
	_, err := Collect(t.Context(), from, CollectOptions{})
	if unread := (*UnreadError)(nil); !errors.As(err, &unread) || !strings.HasPrefix(err.Error(), "nothing could be read, so no bundle was written: ") {
		t.Error(err)
	}
}
