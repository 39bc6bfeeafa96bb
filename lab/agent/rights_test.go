//go:build linux

package agent_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The capability of the manifest is required. The capabilities in its comments are the only other ones that the agent
// can use: a pod without one of them names it in the gaps of the report. An attacker who controls the agent can do
// exactly what SECURITY.md lists.
func TestCapabilities(t *testing.T) {
	w := newWorld(t)
	// A log of another user that only this user can read.
	if _, err := w.machine.Run(t.Context(), "sh", "-c", "mkdir -p /var/log && echo hello > /var/log/syslog && chmod 600 /var/log/syslog && chown 104 /var/log/syslog"); err != nil {
		t.Fatal(err)
	}
	restricted, err := w.machine.Run(t.Context(), "cat", "/proc/sys/kernel/dmesg_restrict")
	if err != nil {
		t.Fatal(err)
	}
	ns, set := manifest(t)
	if _, err := w.client.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	spec := set.Spec.Template.Spec
	given := spec.Containers[0].SecurityContext.Capabilities.Add
	optional := []corev1.Capability{"SYS_PTRACE", "DAC_READ_SEARCH"}
	for _, g := range w.lookOnce(t, ns.Name, "all", spec, slices.Concat(given, optional)).Gaps {
		t.Logf("with all of them: %s: %s", g.What, g.Why)
		if g.What == "packet filter" {
			continue // reading needs NET_ADMIN, which also permits changes: the manifest does not grant it (docs/permissions.md)
		}
		if strings.Contains(g.Why, "capability") || strings.Contains(g.Why, "root") {
			t.Errorf("they are not enough for %s: %s", g.What, g.Why)
		}
	}
	says := func(r *report, what string, lacking corev1.Capability) {
		t.Helper()
		for _, g := range r.Gaps {
			if g.What == what && strings.Contains(g.Why, "it needs the capability "+string(lacking)) {
				return
			}
		}
		t.Errorf("without %s it does not say what it lacks: %+v", lacking, r.Gaps)
	}
	if !slices.Equal(given, []corev1.Capability{"SYSLOG"}) {
		t.Errorf("nobody has shown what all of %q are for", given)
	}
	asGiven := w.lookOnce(t, ns.Name, "given", spec, given)
	says(asGiven, "inotify instances", "SYS_PTRACE")
	says(asGiven, "/var/log/syslog", "DAC_READ_SEARCH")
	if strings.TrimSpace(restricted) != "0" { // otherwise every user can read the kernel log here
		says(w.lookOnce(t, ns.Name, "none", spec, nil), "kernel log", "SYSLOG")
	}
	// Each day the test adds another right: each takes half a minute.
	t.Run("intruder", func(t *testing.T) { w.intrude(t, ns.Name, spec, allColumns[0], allColumns[1+time.Now().YearDay()%3]) })
}

// lookOnce runs the pod of the manifest with these capabilities once and returns its report. It repeats the run if a
// probe was late.
func (w *world) lookOnce(t *testing.T, namespace, name string, spec corev1.PodSpec, capabilities []corev1.Capability) *report {
	t.Helper()
	spec = *spec.DeepCopy()
	spec.NodeName, spec.RestartPolicy = w.machine.Name, corev1.RestartPolicyNever
	c := &spec.Containers[0]
	c.ImagePullPolicy, c.LivenessProbe = corev1.PullNever, nil
	c.Args = append(c.Args, "-once")
	c.SecurityContext.Capabilities.Add = capabilities
	var r *report
	eventually(t, 5*time.Minute, "pod "+name+" sees all in time", func() bool {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: name + "-"}, Spec: spec}
		pod, err := w.client.CoreV1().Pods(namespace).Create(t.Context(), pod, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, r = w.printed(t, namespace, pod.Name)
		return !late(r)
	})
	return r
}

// printed returns the report that a pod printed before it ended.
func (w *world) printed(t *testing.T, namespace, name string) ([]byte, *report) {
	t.Helper()
	pods := w.client.CoreV1().Pods(namespace)
	eventually(t, 3*time.Minute, "pod "+name+" is done", func() bool {
		pod, err := pods.Get(t.Context(), name, metav1.GetOptions{})
		return err == nil && pod.Status.Phase == corev1.PodSucceeded
	})
	var data []byte
	eventually(t, 3*time.Minute, "the log of pod "+name+" can be had", func() bool {
		var err error
		if data, err = pods.GetLogs(name, &corev1.PodLogOptions{}).DoRaw(t.Context()); err != nil {
			t.Log(err)
		}
		return err == nil
	})
	var r report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatalf("%v: %.300s", err, data)
	}
	if late(&r) {
		t.Logf("pod %s did not see all in time: %+v", name, r)
	}
	return data, &r
}
