//go:build unix

package lab_test

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
)

// forecast is what the test reads of a Forecast.
type forecast struct {
	Timeline []struct {
		span
		What string
	}
	Pods []fate
}

type fate struct {
	Name, Fate        string
	DeletedAt, GoneAt *span
	Replacement       struct {
		Kind, Placement string
		At              *span
	}
}

func (f forecast) pod(t *testing.T, name string) fate {
	t.Helper()
	for _, p := range f.Pods {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no fate of pod %s", name)
	return fate{}
}

type span struct{ From, To string }

// slack is how late a loaded machine may be.
const slack = 5 * time.Second

// holds compares what was seen, that long after the event, with what was predicted.
func (s *span) holds(t *testing.T, what string, seen time.Duration) {
	t.Helper()
	if s == nil {
		t.Errorf("%s: seen after %s, predicted never", what, seen)
		return
	}
	from, err := time.ParseDuration(s.From)
	to, err2 := time.ParseDuration(s.To)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: predicted %s to %s, seen after %s", what, from, to, seen.Round(10*time.Millisecond))
	if seen < from-time.Second || seen > to+slack {
		t.Errorf("%s: seen after %s, predicted %s to %s", what, seen, from, to)
	}
}

func predict(t *testing.T, kubeconfig string, args ...string) forecast {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), program, append([]string{"predict", "-o", "json", "--kubeconfig", kubeconfig}, args...)...).Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() < problem) {
		t.Fatalf("predict %v: %v", args, err)
	}
	var f forecast
	if err := json.Unmarshal(out, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// workloads are a Deployment and a StatefulSet of three pods each, which tolerate a lost node for 10 s.
func workloads(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	seconds, replicas := int64(10), int32(3)
	spec := corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Image: "registry.example.com/app"}}}
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		spec.Tolerations = append(spec.Tolerations, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds})
	}
	template := func(app string) (*metav1.LabelSelector, corev1.PodTemplateSpec) {
		labels := map[string]string{"app": app}
		return &metav1.LabelSelector{MatchLabels: labels}, corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: spec}
	}
	web, db := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web"}}, &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "db"}}
	web.Spec.Replicas, db.Spec.Replicas = &replicas, &replicas
	web.Spec.Selector, web.Spec.Template = template("web")
	db.Spec.Selector, db.Spec.Template = template("db")
	_, err := client.AppsV1().Deployments("default").Create(t.Context(), web, metav1.CreateOptions{})
	_, err2 := client.AppsV1().StatefulSets("default").Create(t.Context(), db, metav1.CreateOptions{})
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	eventually(t, 2*time.Minute, "six ready pods", func(ctx context.Context) bool {
		a, err := client.AppsV1().Deployments("default").Get(ctx, "web", metav1.GetOptions{})
		b, err2 := client.AppsV1().StatefulSets("default").Get(ctx, "db", metav1.GetOptions{})
		return errors.Join(err, err2) == nil && a.Status.ReadyReplicas == replicas && b.Status.ReadyReplicas == replicas
	})
}

// A node is switched off, and then marked as out of service: what the controllers do lies in the intervals that
// were predicted before.
func TestPredict(t *testing.T) {
	t.Parallel()
	c, err := lab.Start(t.Context(), lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	if _, err := c.AddHollow(t.Context(), 4, nil, "lab-a"); err != nil {
		t.Fatal(err)
	}
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	workloads(t, client)
	db := func(ctx context.Context) *corev1.Pod {
		p, err := client.CoreV1().Pods("default").Get(ctx, "db-0", metav1.GetOptions{})
		if err != nil {
			return &corev1.Pod{}
		}
		return p
	}
	old := db(t.Context())
	victim := old.Spec.NodeName
	f := predict(t, c.Kubeconfig, victim, "--event", "power-off")
	c.Hollow(victim).Silence()
	off := time.Now()
	eventually(t, 2*time.Minute, "the node is lost", func(ctx context.Context) bool {
		n, err := client.CoreV1().Nodes().Get(ctx, victim, metav1.GetOptions{})
		return err == nil && len(n.Spec.Taints) > 0
	})
	f.Timeline[1].holds(t, f.Timeline[1].What, time.Since(off))
	eventually(t, time.Minute, "db-0 is being deleted", func(ctx context.Context) bool { return db(ctx).DeletionTimestamp != nil })
	fate := f.pod(t, "db-0")
	fate.DeletedAt.holds(t, "deletion of db-0", time.Since(off))
	if fate.Fate != "stuck-terminating" || fate.Replacement.Kind != "waits" {
		t.Errorf("db-0: %s, replacement %s", fate.Fate, fate.Replacement.Kind)
	}
	for _, p := range f.Pods {
		if p.Replacement.Kind == "created" && p.Replacement.Placement != "fits" {
			t.Errorf("%s: %s, and three nodes have room", p.Name, p.Replacement.Placement)
		}
	}
	time.Sleep(10 * time.Second)
	if db(t.Context()).UID != old.UID {
		t.Error("db-0 is gone, and nothing should remove it")
	}

	f = predict(t, c.Kubeconfig, victim, "--event", "out-of-service")
	n, err := client.CoreV1().Nodes().Get(t.Context(), victim, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute})
	if _, err := client.CoreV1().Nodes().Update(t.Context(), n, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	marked := time.Now()
	eventually(t, time.Minute, "another db-0", func(ctx context.Context) bool { p := db(ctx); return p.UID != "" && p.UID != old.UID })
	f.pod(t, "db-0").Replacement.At.holds(t, "new db-0", time.Since(marked))
}
