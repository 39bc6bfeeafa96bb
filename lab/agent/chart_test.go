//go:build linux

package agent_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab"
)

var dist = flag.String("dist", "", "folder with what make release made; without it the chart and the agent are those of the clone")

// helm builds Helm in the version of hack/release/trial.
func helm(t *testing.T) string {
	t.Helper()
	cache, err := lab.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "install", "helm.sh/helm/v4/cmd/helm@v4.3.1")
	cmd.Env = append(os.Environ(), "GOBIN="+cache, "GOFLAGS=-trimpath", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build Helm: %v\n%s", err, out)
	}
	return filepath.Join(cache, "helm")
}

// released returns the single release file that matches a pattern.
func released(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(*dist, pattern))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s in %s: %d files, want one (%v)", pattern, *dist, len(files), err)
	}
	return files[0]
}

// Helm installs the agent on a real node, with a role for diagnosis, upgrades it and removes it.
func TestChart(t *testing.T) {
	w := newWorld(t)
	program := helm(t)
	home := t.TempDir()
	do := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, append(args, "-n", "nodetriage", "--kubeconfig", w.plane.Kubeconfig, "--wait", "--timeout", "5m")...)
		cmd.Env = append(os.Environ(), "HOME="+home)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("helm %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	ns, _ := manifest(t)
	if _, err := w.client.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	chart, values := "../../charts/nodetriage", []string{"--set", "agent.image.repository=" + strings.Split(image, ":")[0] + ",agent.image.tag=latest"}
	if *dist != "" {
		chart, values = released(t, "nodetriage-[0-9]*.tgz"), nil
		if err := w.machine.ImportImage(t.Context(), released(t, "nodetriage-agent_*_image.tar")); err != nil {
			t.Fatal(err)
		}
	}
	values = append(values, "--set", "agent.image.pullPolicy=Never,agent.every=10s,roles.reader.create=true,controller.enabled=false", "--set-json", `roles.reader.subjects=[{"kind":"User","name":"oncall"}]`)
	do(append([]string{"install", "nodetriage", chart}, values...)...)
	if first := w.wellReport(t); first.Node != w.machine.Name {
		t.Errorf("the report is of %q", first.Node)
	}
	for verb, want := range map[string]bool{"list": true, "patch": false} {
		review, err := w.client.AuthorizationV1().SubjectAccessReviews().Create(t.Context(), &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: "oncall", ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: verb, Resource: "nodes"},
		}}, metav1.CreateOptions{})
		if err != nil || review.Status.Allowed != want {
			t.Errorf("oncall may %s nodes: %t, want %t (%v)", verb, review.Status.Allowed, want, err)
		}
	}
	do(append(append([]string{"upgrade", "nodetriage", chart}, values...), "--set", "agent.every=20s")...)
	set, err := w.client.AppsV1().DaemonSets("nodetriage").Get(t.Context(), "nodetriage-agent", metav1.GetOptions{})
	if err != nil || !strings.Contains(strings.Join(set.Spec.Template.Spec.Containers[0].Args, " "), "-every=20s") {
		t.Errorf("after the upgrade: %v, %+v", err, set.Spec.Template.Spec.Containers)
	}
	do("uninstall", "nodetriage")
	if _, err := w.client.AppsV1().DaemonSets("nodetriage").Get(t.Context(), "nodetriage-agent", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the DaemonSet after the removal: %v", err)
	}
	if _, err := w.client.RbacV1().ClusterRoles().Get(t.Context(), "nodetriage-reader", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the role after the removal: %v", err)
	}
}
