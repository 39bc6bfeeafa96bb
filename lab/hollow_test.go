//go:build unix

package lab_test

import (
	"context"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/hollow"
)

// eventually waits until the condition is true, or the test fails with its last message.
func eventually(t *testing.T, within time.Duration, what string, holds func(context.Context) bool) time.Duration {
	t.Helper()
	begin := time.Now()
	for !holds(t.Context()) {
		if time.Since(begin) > within {
			t.Fatalf("not within %s: %s", within, what)
		}
		time.Sleep(100 * time.Millisecond)
	}
	return time.Since(begin)
}

func daemonSet(name string) *appsv1.DaemonSet {
	labels, grace := map[string]string{"app": name}, int64(5)
	return &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: appsv1.DaemonSetSpec{
		Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{
			TerminationGracePeriodSeconds: &grace, Containers: []corev1.Container{{Name: "agent", Image: "registry.example.com/agent"}},
		}},
	}}
}

// Hollow nodes work. They become ready, run the pods of a DaemonSet, and stop a pod within its grace period and no
// sooner. The node controller detects a silent node after its usual time, and so does nodetriage.
func TestHollowNodes(t *testing.T) {
	t.Parallel()
	c, err := lab.Start(t.Context(), lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	names, err := c.AddHollow(t.Context(), 20, nil, "lab-a", "lab-b")
	if err != nil || len(names) != 20 {
		t.Fatalf("added %d nodes: %v", len(names), err)
	}
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	status := func(ctx context.Context, node string) corev1.ConditionStatus {
		n, err := client.CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
		if err != nil {
			return ""
		}
		i := slices.IndexFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool { return c.Type == corev1.NodeReady })
		return n.Status.Conditions[i].Status
	}
	set := daemonSet("agent")
	set.Spec.Template.Annotations = map[string]string{hollow.StopsAfter: "1h"}
	if _, err := client.AppsV1().DaemonSets("default").Create(t.Context(), set, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	took := eventually(t, 3*time.Minute, "20 ready pods of the DaemonSet", func(ctx context.Context) bool {
		set, err := client.AppsV1().DaemonSets("default").Get(ctx, set.Name, metav1.GetOptions{})
		return err == nil && set.Status.NumberReady == 20
	})
	t.Logf("20 nodes with a pod each after %s", took.Round(time.Millisecond))

	list, err := client.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{FieldSelector: "spec.nodeName=" + names[1]})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("pods of %s: %v, %v", names[1], list, err)
	}
	old := list.Items[0]
	deleted := time.Now() // its grace period begins after that
	if err := client.CoreV1().Pods("default").Delete(t.Context(), old.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, 3*time.Minute, "the deleted pod is gone", func(ctx context.Context) bool {
		_, err := client.CoreV1().Pods("default").Get(ctx, old.Name, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	if took := time.Since(deleted); took < 4*time.Second {
		t.Errorf("a pod that needs an hour to stop, with a grace period of 5s, was gone after %s", took)
	}

	silent := names[0]
	c.Hollow(silent).Silence()
	lease, err := client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Get(t.Context(), silent, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	took = eventually(t, 4*time.Minute, "the silent node is Unknown", func(ctx context.Context) bool { return status(ctx, silent) == corev1.ConditionUnknown })
	t.Logf("Unknown %s after the silence", took.Round(100*time.Millisecond))
	if since := time.Since(lease.Spec.RenewTime.Time); since < 49*time.Second { // its grace period is 50 s
		t.Errorf("the node controller found the silence %s after the last renewal, sooner than it can", since)
	}
	if r := triage(t, c.Kubeconfig); r.code != problem || !slices.Equal(r.nodes(), []string{silent}) {
		t.Errorf("want a problem about %s alone, got %s: %+v, %+v", silent, r, r.Findings, r.Symptoms)
	}
	c.Hollow(silent).Wake()
	eventually(t, 3*time.Minute, "the node is ready again", func(ctx context.Context) bool { return status(ctx, silent) == corev1.ConditionTrue })
}
