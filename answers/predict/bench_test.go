package predict_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/evidence"
)

// A zone of a large cluster fails: 5,000 nodes, 150,000 pods, a third of them affected.
func BenchmarkZone(b *testing.B) {
	const nodes, pods, zones = 5000, 150_000, 3
	d := evidence.Data{Coverage: map[evidence.Kind]evidence.Coverage{evidence.Nodes: evidence.Complete}, Server: evidence.Server{Version: "v1.36.3"}}
	var fallen []string
	for i := range nodes {
		name := fmt.Sprintf("n%04d", i)
		d.Nodes = append(d.Nodes, &evidence.Node{Node: &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelTopologyZone: fmt.Sprint(i % zones)}},
			Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
		}})
		if i%zones == 0 {
			fallen = append(fallen, name)
		}
	}
	spec := &corev1.PodSpec{Tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists, TolerationSeconds: new(int64)}}}
	for i := range pods {
		d.Pods = append(d.Pods, &evidence.Pod{
			Namespace: "a", Name: fmt.Sprintf("set-%d-%d", i%2000, i/2000), Node: fmt.Sprintf("n%04d", i%nodes), Spec: spec, Ready: evidence.True,
			Phase: corev1.PodRunning, Owner: evidence.Owner{Kind: "StatefulSet", Name: fmt.Sprintf("set-%d", i%2000)},
		})
	}
	s := evidence.New(d)
	for b.Loop() {
		if _, err := predict.New(s, predict.Scenario{Nodes: fallen, Event: predict.PowerOff}); err != nil {
			b.Fatal(err)
		}
	}
}
