package survey

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Only kubelets of unusual nodes are asked, at most ten at once, and each once in a while. Their answers are evidence until the node is
// well.
func TestKubelets(t *testing.T) {
	var open, most, asked atomic.Int32
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/healthz") {
			asked.Add(1)
			now := open.Add(1)
			defer open.Add(-1)
			for was := most.Load(); now > was && !most.CompareAndSwap(was, now); was = most.Load() {
			}
			<-release
		}
		w.WriteHeader(http.StatusUnauthorized) // nothing more is asked
	}))
	defer server.Close()
	reader, err := kube.NewReader(&rest.Config{Host: server.URL}, kube.Options{Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	_, set := casetest.Builtin(t)
	k := NewKubelets(reader, set)
	k.opt.ProbeTimeout = time.Minute
	sick := nodesWith(15, 14)
	k.Ask(context.Background(), sick)
	k.Ask(context.Background(), sick)
	for asked.Load() < kubeletsAtOnce {
		time.Sleep(time.Millisecond)
	}
	close(release)
	answered := func(now *evidence.Snapshot) (n int) {
		b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, set)
		b.Edit(func(d *evidence.Data, _ *evidence.Templates) { d.Nodes = slices.Clone(now.Nodes()) })
		k.addTo(newSurvey(reader, b, Options{}))
		b.Edit(func(d *evidence.Data, _ *evidence.Templates) { n = len(d.Kubelets) })
		return n
	}
	for answered(sick) < 14 {
		k.Ask(context.Background(), sick)
		<-k.Answered()
	}
	k.Ask(context.Background(), sick)
	if asked.Load() != 14 || most.Load() > kubeletsAtOnce {
		t.Errorf("%d kubelets were asked, %d at once; 14 of 15 nodes are sick", asked.Load(), most.Load())
	}
	if n := answered(nodesWith(15, 0)); n != 0 {
		t.Errorf("%d answers of nodes that are well", n)
	}
	k.Ask(context.Background(), nodesWith(15, 0))
	if n := answered(sick); n != 0 {
		t.Errorf("%d answers from before the nodes were well", n)
	}
}

// nodesWith returns nodes. Some of them report a problem.
func nodesWith(all, sick int) *evidence.Snapshot {
	d := evidence.Data{TakenAt: time.Now()}
	for i := range all {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("n%02d", i)}}
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		if i < sick {
			n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue})
		}
		d.Nodes = append(d.Nodes, &evidence.Node{Node: n})
	}
	return evidence.New(d)
}
