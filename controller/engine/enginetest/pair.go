// Package enginetest judges small clusters, for tests of what reads judgements.
package enginetest

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/nodetriage/nodetriage/controller/engine"
)

// Pair is a cluster of nodes n1 and n2, which report.
type Pair struct {
	At         time.Time                       // of the evidence
	FullSince  time.Time                       // since when n1 has disk pressure; zero: it has none
	Conditions map[string]corev1.NodeCondition // one more condition, by node
}

// Judge judges the cluster.
func (p Pair) Judge(t *testing.T) *engine.Judgement {
	t.Helper()
	var objects []runtime.Object
	for _, name := range []string{"n1", "n2"} {
		objects = append(objects, p.node(name), leaseOf(name, p.At))
	}
	return judge(t, p.At, objects)
}

func (p Pair) node(name string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name)}}
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastHeartbeatTime: metav1.NewTime(p.At)}}
	if c, is := p.Conditions[name]; is {
		n.Status.Conditions = append(n.Status.Conditions, c)
	}
	if name == "n1" && !p.FullSince.IsZero() {
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{
			Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue, Reason: "KubeletHasDiskPressure", LastTransitionTime: metav1.NewTime(p.FullSince)})
	}
	return n
}
