//go:build unix

package upgradegate

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/nodetriage/nodetriage/lab"
)

var (
	plane    *lab.ControlPlane
	client   dynamic.Interface
	answerer string // the program
	records  []record
)

// record is a recorded node with its judgement.
type record struct {
	Case, Node, Class, First string
	Healthy                  bool
	Judgement                json.RawMessage
}

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := setUp(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func setUp(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "nodetriage-gate-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if answerer, err = lab.BuildOwn("../../controller/recorded", dir); err != nil {
		return 0, err
	}
	judged, err := exec.Command(answerer, "-judge", "../../cases").Output()
	if err != nil {
		return 0, fmt.Errorf("judge the recorded nodes: %w", err)
	}
	if err := json.Unmarshal(judged, &records); err != nil {
		return 0, err
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if plane, err = lab.Start(ctx, lab.Options{Log: os.Stderr}); err != nil {
		return 0, err
	}
	defer plane.Stop()
	config, err := plane.Config()
	if err != nil {
		return 0, err
	}
	config.QPS = -1
	if client, err = dynamic.NewForConfig(config); err != nil {
		return 0, err
	}
	if err := Install(ctx, client); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// policy creates a policy for the time of the test. A rule is "cluster TIMEOUT" or "POOL TIMEOUT"; without a timeout, the longest.
func policy(t *testing.T, name, provider string, rules ...string) {
	t.Helper()
	var list []any
	for _, text := range rules {
		scope, limit, _ := strings.Cut(text, " ")
		target := map[string]any{"scope": "NodePool", "name": scope}
		if scope == "cluster" {
			target = map[string]any{"scope": "Cluster"}
		}
		rule := map[string]any{"target": target}
		if limit != "" {
			rule["nodeTimeout"] = limit
		}
		list = append(list, rule)
	}
	o := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "upgrade.aks.io/v1alpha1", "kind": "UpgradeGatePolicy", "spec": map[string]any{"provider": provider, "rules": list},
	}}
	o.SetName(name)
	if _, err := client.Resource(Policies).Create(t.Context(), o, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Resource(Policies).Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	})
}

// node is a node of the cluster for the answering program.
type node struct {
	Pool      string
	Image     string
	From      time.Time
	Judgement json.RawMessage
}

// answering is a program that answers. It is started again after each kill.
type answering struct {
	t     *testing.T
	nodes string
	cmd   *exec.Cmd
	log   *os.File
}

// answer starts the program with these nodes until the end of the test.
func answer(t *testing.T, provider string, nodes map[string]node) *answering {
	t.Helper()
	data, err := json.Marshal(nodes)
	if err != nil {
		t.Fatal(err)
	}
	a := &answering{t: t, nodes: filepath.Join(t.TempDir(), "nodes.json")}
	if err := os.WriteFile(a.nodes, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if a.log, err = os.Create(filepath.Join(t.TempDir(), "log")); err != nil {
		t.Fatal(err)
	}
	a.start(provider)
	t.Cleanup(func() {
		a.kill()
		if t.Failed() {
			text, _ := os.ReadFile(a.log.Name())
			t.Logf("the last of the log of the answering program:\n%s", text[max(0, len(text)-4000):])
		}
	})
	return a
}

func (a *answering) start(provider string) {
	a.cmd = exec.Command(answerer, "-kubeconfig", plane.Kubeconfig, "-nodes", a.nodes, "-provider", provider)
	a.cmd.Stdout, a.cmd.Stderr = a.log, a.log
	if err := a.cmd.Start(); err != nil {
		a.t.Error(err)
	}
}

// kill ends the program as kill -9 does.
func (a *answering) kill() {
	_ = a.cmd.Process.Kill()
	_ = a.cmd.Wait()
}

// healthyNodes returns the judgements of recorded healthy nodes, and brokenNodes those of nodes with a certain cause.
func healthyNodes() (out []record) {
	for _, r := range records {
		if r.Healthy {
			out = append(out, r)
		}
	}
	return out
}

func brokenNodes() (out []record) {
	for _, r := range records {
		if r.First != "" && !strings.HasPrefix(r.Node, "hollow-") { // hollow nodes of a broken cluster are well
			out = append(out, r)
		}
	}
	return out
}
