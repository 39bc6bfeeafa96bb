//go:build unix

package lab

import (
	"os"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab/load"
)

// The loader writes into etcd what the API server would write: the API server reads all objects, and accepts them as
// valid in an update.
func TestLoad(t *testing.T) {
	c, err := Start(t.Context(), Options{Still: true, Log: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	store, err := c.Store()
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	size := load.Size{Nodes: 30, Pods: 900, Sick: 5}
	if _, err := store.Fill(t.Context(), size); err != nil {
		t.Fatal(err)
	}
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	ctx, all, dry := t.Context(), metav1.ListOptions{}, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}}
	check := func(kind string, got, want int, err error) {
		t.Helper()
		if err != nil || got != want {
			t.Errorf("%s: got %d (%v), want %d", kind, got, err, want)
		}
	}
	nodes, err := client.CoreV1().Nodes().List(ctx, all)
	check("nodes", len(nodes.Items), 30, err)
	pods, err := client.CoreV1().Pods("").List(ctx, all)
	check("pods", len(pods.Items), 900, err)
	sets, err := client.AppsV1().ReplicaSets("").List(ctx, all)
	check("replicasets", len(sets.Items), 84+84/14, err)
	daemons, err := client.AppsV1().DaemonSets("").List(ctx, all)
	check("daemonsets", len(daemons.Items), 2, err)
	budgets, err := client.PolicyV1().PodDisruptionBudgets("").List(ctx, all)
	check("budgets", len(budgets.Items), 30, err)
	events, err := client.CoreV1().Events("").List(ctx, all)
	check("events", len(events.Items), 10+9, err)
	if t.Failed() {
		return
	}
	update := func(kind string, err error) {
		if err != nil {
			t.Errorf("the API server does not take back what was written as %s: %v", kind, err)
		}
	}
	for i := range 6 {
		_, err = client.CoreV1().Nodes().Update(ctx, &nodes.Items[i], dry)
		update("node", err)
	}
	_, err = client.CoreV1().Pods(pods.Items[0].Namespace).Update(ctx, &pods.Items[0], dry)
	update("pod", err)
	_, err = client.AppsV1().ReplicaSets(sets.Items[0].Namespace).Update(ctx, &sets.Items[0], dry)
	update("replicaset", err)
	_, err = client.AppsV1().DaemonSets("kube-system").Update(ctx, &daemons.Items[0], dry)
	update("daemonset", err)
	_, err = client.PolicyV1().PodDisruptionBudgets(budgets.Items[0].Namespace).Update(ctx, &budgets.Items[0], dry)
	update("budget", err)

	begun := time.Now()
	if err := store.Beat(ctx, size); err != nil {
		t.Fatal(err)
	}
	leases, err := client.CoordinationV1().Leases("kube-node-lease").List(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	stale := 0
	for _, l := range leases.Items {
		if begun.Sub(l.Spec.RenewTime.Time) > 40*time.Second {
			stale++
		}
	}
	check("leases", len(leases.Items), 30, nil)
	check("stale leases", stale, 1, nil)
}
