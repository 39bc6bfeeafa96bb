//go:build unix

package lab_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/load"
)

func signalContext() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

const (
	failed, usage, problem, unclear = 1, 2, 3, 5 // exit codes
)

// Whole cluster: the five unhealthy nodes are named, no other node is, and everything was read.
func TestWholeCluster(t *testing.T) {
	r := diagnose(t, plane.Kubeconfig)
	if r.code != problem || !slices.Equal(r.nodes(), sickNodes()) {
		t.Errorf("want a problem about %v, got %s", sickNodes(), r)
	}
	if gaps := r.readGaps(); len(gaps) > 0 {
		t.Errorf("not read: %v", gaps)
	}
}

// One node: only that node is evaluated, healthy or not.
func TestOneNode(t *testing.T) {
	sick := size.Node(1)
	if r := diagnose(t, plane.Kubeconfig, sick); r.code != problem || !slices.Equal(r.nodes(), []string{sick}) {
		t.Errorf("want a problem about %s, got %s", sick, r)
	}
	well := size.Node(size.Nodes - 1)
	if r := diagnose(t, plane.Kubeconfig, well); len(r.nodes()) > 0 || len(r.Findings) > 0 || len(r.readGaps()) > 0 {
		t.Errorf("want nothing about %s, got %s", well, r)
	}
	if r := diagnose(t, plane.Kubeconfig, sick, well); r.code != problem || !slices.Equal(r.nodes(), []string{sick}) {
		t.Errorf("want a problem about %s of two, got %s", sick, r)
	}
	if r := diagnose(t, plane.Kubeconfig, "no-such-node"); r.code != usage || !strings.Contains(r.stderr, "node \"no-such-node\" not found in the cluster at ") ||
		!strings.HasSuffix(strings.TrimSpace(r.stderr), ", and there is no file \"no-such-node\"\nhint: nodetriage nodes lists them") {
		t.Errorf("want a word about the name, got %s", r)
	}
	if r := diagnose(t, plane.Kubeconfig, sick+"x"); r.code != usage || !strings.Contains(r.stderr, "did you mean ") {
		t.Errorf("want the name that was meant, got %s", r)
	}
}

// A user who may read only nodes gets the findings from nodes, and every other missing permission.
func TestForbidden(t *testing.T) {
	nodesOnly, err := plane.User(t.Context(), "nodes-only", rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"nodes"}, Verbs: []string{"get", "list"}})
	if err != nil {
		t.Fatal(err)
	}
	nothing, err := plane.User(t.Context(), "nothing")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {size.Node(1)}} {
		r := diagnose(t, nodesOnly, args...)
		if r.code != problem || !slices.Contains(r.nodes(), size.Node(1)) {
			t.Errorf("want a problem about %s, got %s", size.Node(1), r)
		}
		for _, what := range []string{"pods", "leases", "events", "workloads", "webhookconfigurations"} {
			if !strings.HasPrefix(r.gap(what), "forbidden: ") {
				t.Errorf("%s: not told as forbidden in %s", what, r)
			}
		}
		if r := diagnose(t, nothing, args...); r.code != unclear || !strings.HasPrefix(r.gap("nodes"), "forbidden: ") {
			t.Errorf("want not enough to judge, got %s", r)
		}
	}
}

// Without an API server there is soon an error with its address.
func TestUnreachable(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := closed.Addr().String()
	closed.Close()
	kubeconfig, err := plane.Behind("closed", "https://"+address)
	if err != nil {
		t.Fatal(err)
	}
	r := diagnose(t, kubeconfig)
	if r.code != failed || !strings.Contains(r.stderr, address) || !strings.Contains(r.stderr, "connection refused") || r.took > soon {
		t.Errorf("after %s: %s", r.took, r)
	}
}

// Rejected credentials are reported once.
func TestUnauthorized(t *testing.T) {
	text, err := os.ReadFile(plane.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	kept := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		return strings.Contains(line, "client-certificate") || strings.Contains(line, "client-key")
	})
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, []byte(strings.Join(kept, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	r := diagnose(t, kubeconfig, "--token", "not-a-token")
	if r.code != unclear || !strings.HasPrefix(r.gap("everything in the cluster"), "unauthorized") {
		t.Errorf("got %s", r)
	}
}

// request is a line of the audit log.
type request struct {
	Verb       string
	RequestURI string
	UserAgent  string
	ObjectRef  struct{ Resource, Subresource string }

	ResponseStatus struct{ Code int }
}

// requests returns the requests of nodetriage since the mark, and the new mark. The API server writes the log in
// parallel with the responses, in order. The log is complete when it contains a request of the test.
func requests(t *testing.T, mark int64) ([]request, int64) {
	t.Helper()
	return requestsOf(t, plane, mark)
}

// requestsOf does the same for that control plane.
func requestsOf(t *testing.T, c *lab.ControlPlane, mark int64) ([]request, int64) {
	t.Helper()
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	last := fmt.Sprintf("/version?asked=%d", time.Now().UnixNano())
	if err := client.Discovery().RESTClient().Get().RequestURI(last).Do(t.Context()).Error(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if out, next, whole := audited(t, c.AuditLog, mark, last); whole {
			return out, next
		}
	}
	t.Fatal("the audit log does not have the test's own request")
	return nil, 0
}

// audited reads the audit log from the mark to the request with the URI last; whole reports whether it is there.
func audited(t *testing.T, log string, mark int64, last string) (out []request, next int64, whole bool) {
	t.Helper()
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(mark, 0); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(f)
	for next = mark; ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil, 0, false // the end, or an incomplete line
		}
		next += int64(len(line))
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		switch {
		case r.RequestURI == last:
			return out, next, true
		case strings.HasPrefix(r.UserAgent, "nodetriage"):
			out = append(out, r)
		}
	}
}

// nodetriage writes nothing and never requests a Secret, in every mode.
func TestReadsOnlyWhatItSays(t *testing.T) {
	_, mark := requests(t, 0)
	diagnose(t, plane.Kubeconfig)
	diagnose(t, plane.Kubeconfig, size.Node(0), size.Node(7))
	asked, _ := requests(t, mark)
	if len(asked) < 40 {
		t.Fatalf("the audit log has %d requests of two runs", len(asked))
	}
	for _, r := range asked {
		switch {
		case r.Verb != "get" && r.Verb != "list":
			t.Errorf("%s %s", r.Verb, r.RequestURI)
		case slices.Contains([]string{"secrets", "configmaps", "serviceaccounts"}, r.ObjectRef.Resource):
			t.Errorf("asked for %s", r.RequestURI)
		}
	}
}

// One node costs the same number of requests in clusters of 10 and 500 nodes. Requests that a busy API server delays,
// and that are retried, do not count.
func TestRequestsDoNotGrow(t *testing.T) {
	c, store := loaded(t) // separate: other tests count the nodes of the shared one
	count := func(label string, nodes int) []string {
		s := load.Size{Nodes: nodes, Pods: nodes * 30, Pools: 1, Label: label}
		if _, err := store.Fill(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if err := c.CatchUp(t.Context()); err != nil { // pods of one node come from the watch cache
			t.Fatal(err)
		}
		_, mark := requestsOf(t, c, 0)
		beating(t, store, s)
		if r := triage(t, c.Kubeconfig, s.Node(3)); len(r.readGaps()) > 0 {
			t.Errorf("with %d nodes: %s", nodes, r)
		}
		asked, _ := requestsOf(t, c, mark)
		var out []string
		for _, r := range asked {
			if r.ObjectRef.Subresource != "proxy" && r.ResponseStatus.Code < http.StatusTooManyRequests { // a kubelet that does not answer gets fewer requests
				out = append(out, fmt.Sprint(r.Verb, " ", r.RequestURI, " ", r.ResponseStatus.Code))
			}
		}
		return out
	}
	few := count("few", 10)
	if many := count("many", 500); len(many) != len(few) || len(few) == 0 {
		t.Errorf("%d requests with 10 nodes, %d with 500:\n%s\n\n%s", len(few), len(many), strings.Join(few, "\n"), strings.Join(many, "\n"))
	}
}
