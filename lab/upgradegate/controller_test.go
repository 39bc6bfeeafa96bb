//go:build unix

package upgradegate

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/lab"
)

// replica is one controller.
type replica struct {
	cmd *exec.Cmd
	log string
}

func controller(t *testing.T, program string, i int, more ...string) *replica {
	t.Helper()
	r := &replica{log: filepath.Join(t.TempDir(), fmt.Sprintf("controller-%d.log", i))}
	out, err := os.Create(r.log)
	if err != nil {
		t.Fatal(err)
	}
	r.cmd = exec.Command(program, append([]string{
		"--kubeconfig", documentedUser(t), "--lease-namespace", "kube-system", "--metrics-address", "0", "--health-address", "0",
	}, more...)...)
	r.cmd.Stdout, r.cmd.Stderr = out, out
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.kill()
		if t.Failed() {
			text, _ := os.ReadFile(r.log)
			t.Logf("the last of the log of controller %d:\n%s", i, text[max(0, len(text)-3000):])
		}
	})
	return r
}

func (r *replica) kill() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// documents are the objects of files in deploy.
func documents(t *testing.T, files ...string) (out []*unstructured.Unstructured) {
	t.Helper()
	for _, f := range files {
		text, err := os.ReadFile("../../deploy/" + f)
		if err != nil {
			t.Fatal(err)
		}
		for doc := range strings.SplitSeq(string(text), "\n---\n") {
			var o unstructured.Unstructured
			if err := yaml.Unmarshal([]byte(doc), &o.Object); err != nil {
				t.Fatal(err)
			}
			out = append(out, &o)
		}
	}
	return out
}

var documented string // kubeconfig of a user with the documented roles

// documentedUser returns the kubeconfig of a user with the documented roles and no other permission.
func documentedUser(t *testing.T) string {
	t.Helper()
	if documented != "" {
		return documented
	}
	var rules []rbacv1.PolicyRule
	for _, o := range documents(t, "controller.yaml", "options/ask-kubelets/role.yaml", "options/upgrade-gate/role.yaml") {
		if !strings.HasSuffix(o.GetKind(), "Role") {
			continue
		}
		var role rbacv1.ClusterRole
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &role); err != nil {
			t.Fatal(err)
		}
		rules = append(rules, role.Rules...)
	}
	kubeconfig, err := plane.User(t.Context(), "controller", rules...)
	if err != nil {
		t.Fatal(err)
	}
	documented = kubeconfig
	return documented
}

// The API server accepts the policy in deploy.
func TestDeployedPolicy(t *testing.T) {
	for _, o := range documents(t, "options/upgrade-gate/policy.yaml") {
		if o.GetKind() != "UpgradeGatePolicy" {
			continue
		}
		if _, err := client.Resource(Policies).Create(t.Context(), o, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}); err != nil {
			t.Error(err)
		}
		if got, _, _ := unstructured.NestedString(o.Object, "spec", "provider"); got != provider {
			t.Errorf("the provider is %s, and the default of the controller %s", got, provider)
		}
		return
	}
	t.Error("no policy in deploy")
}

func installDiagnoses(t *testing.T) {
	t.Helper()
	files, err := filepath.Glob("../../deploy/crds/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no definitions", err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var o unstructured.Unstructured
		if err := yaml.Unmarshal(data, &o.Object); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Resource(definitions).Create(t.Context(), &o, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			t.Fatal(err)
		}
	}
}

var leases = schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}

// leader waits until a controller leads, and returns who it is.
func leader(t *testing.T, not string) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		l, err := client.Resource(leases).Namespace("kube-system").Get(t.Context(), "nodetriage-controller", metav1.GetOptions{})
		if err != nil {
			continue
		}
		if holder, _, _ := unstructured.NestedString(l.Object, "spec", "holderIdentity"); holder != "" && holder != not {
			return holder
		}
	}
	t.Fatal("no controller leads")
	return ""
}

// Two replicas of the real controller answer about hollow nodes, also after the leader was killed. Without the switch they answer nothing.
func TestController(t *testing.T) {
	program, err := lab.BuildOwn("../../cmd/nodetriage-controller", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	installDiagnoses(t)
	names, err := plane.AddHollow(t.Context(), 12, map[string]string{"kubernetes.azure.com/agentpool": "user"})
	if err != nil {
		t.Fatal(err)
	}
	policy(t, "nodetriage", provider, "user 1m")
	asker, err := NewAsker(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	replicas := []*replica{controller(t, program, 0, "--upgrade-gate"), controller(t, program, 1, "--upgrade-gate")}
	before := leader(t, "")
	time.Sleep(5 * time.Second) // the first judgement
	got, err := asker.Run(t.Context(), Upgrade{Name: "controller", Pool: "user", Nodes: names, Surge: 4})
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, got *Result, within time.Duration) {
		took := waits(t, got)
		if got.Aborted || len(took) != len(names) || *timed && at(took, 100) > within {
			t.Fatalf("%s: aborted %t (%s %s), answers %v", what, got.Aborted, got.Node, got.Reason, took)
		}
		t.Logf("%s: %d nodes, answered after %s (median), %s (longest)", what, len(took), at(took, 50), at(took, 100))
	}
	check("two replicas", got, 15*time.Second)

	// Kill both; the one that starts last has to take over from a dead leader.
	replicas[0].kill()
	replicas[1].kill()
	controller(t, program, 2, "--upgrade-gate")
	got, err = asker.Run(t.Context(), Upgrade{Name: "controller-killed", Pool: "user", Nodes: names, Surge: len(names)})
	if err != nil {
		t.Fatal(err)
	}
	leader(t, before)
	check("after a kill", got, 30*time.Second)
}

// The gate is off by default.
func TestControllerOff(t *testing.T) {
	program, err := lab.BuildOwn("../../cmd/nodetriage-controller", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	installDiagnoses(t)
	names, err := plane.AddHollow(t.Context(), 1, map[string]string{"kubernetes.azure.com/agentpool": "off"})
	if err != nil {
		t.Fatal(err)
	}
	policy(t, "nodetriage", provider, "off 20s")
	asker, err := NewAsker(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	controller(t, program, 0, "--leader-elect=false")
	got, err := asker.Run(t.Context(), Upgrade{Name: "controller-off", Pool: "off", Nodes: names})
	if err != nil {
		t.Fatal(err)
	}
	if !got.Aborted || got.Reason != "HealthCheckTimeout" {
		t.Errorf("got %+v", got)
	}
}
