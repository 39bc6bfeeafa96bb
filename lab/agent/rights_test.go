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

// The manifest's capabilities are enough, and each of them is needed: a pod that lacks one says of what it could not see
// that it lacks that one.
func TestCapabilities(t *testing.T) {
	w := newWorld(t)
	// A log that belongs to somebody else, and is nobody else's to read.
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
	given := set.Spec.Template.Spec.Containers[0].SecurityContext.Capabilities.Add
	all := w.lookOnce(t, ns.Name, "all", set.Spec.Template.Spec, given)
	for _, g := range all.Gaps {
		t.Logf("with all of them: %s: %s", g.What, g.Why)
		if g.What == "packet filter" {
			continue // to ask takes NET_ADMIN, which may change rules too: the manifest does not give it (docs/permissions.md)
		}
		if strings.Contains(g.Why, "capability") || strings.Contains(g.Why, "root") {
			t.Errorf("they are not enough for %s: %s", g.What, g.Why)
		}
	}
	hidden := map[corev1.Capability]string{"DAC_READ_SEARCH": "/var/log/syslog", "SYS_PTRACE": "inotify instances", "SYSLOG": "kernel log"}
	for _, lacking := range given {
		if hidden[lacking] == "" {
			t.Errorf("nobody has shown what %s is for", lacking)
			continue
		}
		if lacking == "SYSLOG" && strings.TrimSpace(restricted) == "0" {
			continue // everybody may read the kernel's log here
		}
		rest := slices.DeleteFunc(slices.Clone(given), func(c corev1.Capability) bool { return c == lacking })
		r := w.lookOnce(t, ns.Name, "without-"+strings.ReplaceAll(strings.ToLower(string(lacking)), "_", "-"), set.Spec.Template.Spec, rest)
		said := false
		for _, g := range r.Gaps {
			t.Logf("without %s: %s: %s", lacking, g.What, g.Why)
			said = said || g.What == hidden[lacking] && strings.Contains(g.Why, "it needs the capability "+string(lacking))
		}
		if !said {
			t.Errorf("without %s it does not say what it lacks: %+v", lacking, r.Gaps)
		}
	}
}

// lookOnce runs the manifest's pod with these capabilities for one look, and again after one in which something was late, and returns its report.
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

// printed is the report that a pod printed before it ended.
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
