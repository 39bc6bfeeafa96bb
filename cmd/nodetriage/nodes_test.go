package main

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Where nodes could not be read, nobody is told to add them.
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
		if got := noSuchNode(evidence.New(x.data), "worker-1"); !strings.Contains(got, x.want) || strings.Contains(got, "\x1b") {
			t.Errorf("%q, want %q", got, x.want)
		}
	}
}
