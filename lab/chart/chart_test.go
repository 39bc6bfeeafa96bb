//go:build unix

package chart_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab"
)

// The chart of the agent alone is upgraded: the DaemonSet stays the same object, and the controller comes with its definition.
func TestUpgradeFromAgentOnly(t *testing.T) {
	w := newWorld(t, lab.Options{Still: true})
	w.install(t, agentOnly, "--set", "roles.reader.create=true")
	agents := w.client.AppsV1().DaemonSets(namespace)
	was, err := agents.Get(t.Context(), "nodetriage-agent", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.install(t, chart, "--set", "roles.reader.create=true")
	is, err := agents.Get(t.Context(), "nodetriage-agent", metav1.GetOptions{})
	if err != nil || is.UID != was.UID {
		t.Errorf("the DaemonSet was %s, and is %s (%v)", was.UID, is.UID, err)
	}
	if _, err := w.client.AppsV1().Deployments(namespace).Get(t.Context(), "nodetriage-controller", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	w.until(t, "the definition is served", func() bool {
		_, err := w.dynamic.Resource(diagnoses).List(t.Context(), metav1.ListOptions{})
		return err == nil
	})
	w.install(t, chart, "--set", "controller.enabled=false") // and back: only the definition stays
	if _, err := w.client.AppsV1().Deployments(namespace).Get(t.Context(), "nodetriage-controller", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the Deployment without a controller: %v", err)
	}
}

// The pods of the controller and of the check meet the restricted Pod Security Standard. Those of the agent do not, as the notes say.
func TestPodSecurity(t *testing.T) {
	w := newWorld(t, lab.Options{Still: true})
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace, Labels: map[string]string{"pod-security.kubernetes.io/enforce": "restricted"}}}
	if _, err := w.client.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	w.install(t, chart, "--set", "check.enabled=true")
	controller, err := w.client.AppsV1().Deployments(namespace).Get(t.Context(), "nodetriage-controller", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	check, err := w.client.BatchV1().CronJobs(namespace).Get(t.Context(), "nodetriage-check", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, template := range map[string]corev1.PodTemplateSpec{"controller": controller.Spec.Template, "check": check.Spec.JobTemplate.Spec.Template} {
		if err := w.start(t, name, template); err != nil {
			t.Errorf("a pod of the %s: %v", name, err)
		}
	}
	agent, err := w.client.AppsV1().DaemonSets(namespace).Get(t.Context(), "nodetriage-agent", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.start(t, "agent", agent.Spec.Template); !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "PodSecurity") {
		t.Errorf("a pod of the agent in a restricted namespace: %v", err)
	}
}

// start creates a pod of a template, without storing it. The service account and the Pod Security Standard are checked.
func (w *world) start(t *testing.T, name string, template corev1.PodTemplateSpec) error {
	t.Helper()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: template.Labels}, Spec: template.Spec}
	if pod.Spec.ServiceAccountName == "" {
		pod.Spec.ServiceAccountName = "nodetriage-check" // no controller makes the default one
	}
	_, err := w.client.CoreV1().Pods(namespace).Create(t.Context(), pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}
