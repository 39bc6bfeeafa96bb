package repair

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// Data that is only on a node is fetched before a change that stops it, and not before others.
func TestEnds(t *testing.T) {
	var data evidence.Data
	for _, name := range []string{"a", "b", "other"} {
		pool := "np1"
		if name == "other" {
			pool = "np2"
		}
		data.Nodes = append(data.Nodes, evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"agentpool": pool, "kubernetes.azure.com/agentpool": pool}}}))
	}
	node, pool := evidence.NodeSubject("a"), evidence.Subject{Kind: "Pool", Name: "np1"}
	one, both := "[a]", "[a b]"
	model := func(latest evidence.Fact) *cloud.Standing {
		return &cloud.Standing{Machine: &cloud.Machine{Latest: latest}}
	}
	scaled := func(has, gets int) *cloud.Standing {
		return &cloud.Standing{Pool: &cloud.Unit{Name: "np1", Count: has}, Change: cloud.Change{Count: gets}}
	}
	pending := &cloud.Standing{Pools: []cloud.Unit{{Name: "np1", Pending: true}}, Pool: &cloud.Unit{Name: "np1"}}
	for _, c := range []struct {
		what     string
		action   cloud.Verb
		subject  evidence.Subject
		standing *cloud.Standing
		want     string
	}{
		{"", cloud.Reimage, node, model(evidence.True), one},
		{"", cloud.Restart, node, model(evidence.True), one},
		{"", cloud.Redeploy, node, model(evidence.True), one},
		{"", cloud.DeleteMachine, node, model(evidence.True), one},
		{"the cloud was not asked", cloud.Restart, node, nil, one},
		{"newest model", cloud.Refresh, node, model(evidence.True), "[]"},
		{"older model", cloud.Refresh, node, model(evidence.False), one},
		{"unknown model", cloud.Refresh, node, model(evidence.Unknown), one},
		{"it is off", cloud.Start, node, model(evidence.True), "[]"},
		{"", cloud.UpgradeImage, pool, scaled(2, 0), both},
		{"", cloud.DeletePool, pool, scaled(2, 0), both},
		{"fewer", cloud.ScalePool, pool, scaled(2, 1), both},
		{"fewer than machines", cloud.ScalePool, pool, scaled(4, 3), both},
		{"as many", cloud.ScalePool, pool, scaled(2, 2), "[]"},
		{"more", cloud.ScalePool, pool, scaled(2, 3), "[]"},
		{"", cloud.Reconcile, pool, scaled(2, 0), "[]"},
		{"an upgrade goes on", cloud.Reconcile, pool, pending, both},
		{"", cloud.Abort, pool, pending, "[]"},
		{"", cloud.AddPool, evidence.Subject{Kind: "Pool", Name: "np3"}, scaled(2, 1), "[]"},
	} {
		p := New(evidence.New(data), Options{Action: c.action, Subject: c.subject, Standing: c.standing})
		if got := fmt.Sprint(p.Ends); got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.action, c.what, got, c.want)
		}
	}
}
