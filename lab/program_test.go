//go:build unix

package lab_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/load"
)

// The tests run the program, built from the parent module, against one control plane whose objects do not change. It
// has 20 nodes, five of them unhealthy, and 600 pods, so that lists have more than one page.
var (
	program string
	plane   *lab.ControlPlane
	store   *load.Store
	size    = load.Size{Nodes: 20, Pods: 600, Sick: 5}
)

func TestMain(m *testing.M) {
	code, err := setUp(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func setUp(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "nodetriage-test-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if program, err = lab.BuildOwn("../cmd/nodetriage", dir); err != nil {
		return 0, err
	}
	ctx, cancel := signalContext()
	defer cancel()
	if plane, err = lab.Start(ctx, lab.Options{Still: true, Audit: true, Log: os.Stderr}); err != nil {
		return 0, err
	}
	defer plane.Stop()
	if store, err = plane.Store(); err != nil {
		return 0, err
	}
	defer store.Close()
	if _, err := store.Fill(ctx, size); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// report contains the checked fields of a Report.
type report struct {
	Verdict  string
	Findings []finding
	Symptoms []struct {
		ID      string
		Subject subject
	}
	NotChecked []struct{ What, Why, How string }
}

type finding struct {
	Cause    string
	Subject  subject
	Subjects []subject
	Evidence []evidence
}

type evidence struct{ Source, Text string }

type subject struct{ Kind, Namespace, Name string }

// result is the result of one run of the program.
type result struct {
	report
	code   int
	stderr string
	took   time.Duration
}

// loaded starts a control plane whose objects do not change, for a test with its own load.
func loaded(t *testing.T) (*lab.ControlPlane, *load.Store) {
	t.Helper()
	c, err := lab.Start(t.Context(), lab.Options{Still: true, Audit: true, Log: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	s, err := c.Store()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return c, s
}

// beating sends the heartbeats of kubelets until the returned function is called, or the test ends.
func beating(t *testing.T, s *load.Store, of load.Size) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	wait, err := s.Beating(ctx, of)
	if err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() { cancel(); wait() })
	t.Cleanup(stop)
	return stop
}

// diagnose runs nodetriage diagnose -o json while heartbeats are sent.
func diagnose(t *testing.T, kubeconfig string, args ...string) result {
	t.Helper()
	defer beating(t, store, size)()
	return triage(t, kubeconfig, args...)
}

// triage runs nodetriage diagnose -o json on the current cluster; on a busy machine a request may take long.
func triage(t *testing.T, kubeconfig string, args ...string) result {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, append([]string{"diagnose", "-o", "json", "--request-timeout=5m", "--kubeconfig", kubeconfig}, args...)...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	begin := time.Now()
	err := cmd.Run()
	r := result{stderr: stderr.String(), took: time.Since(begin), code: cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &r.report); err != nil {
			t.Fatalf("the report is no JSON: %v\n%s", err, &out)
		}
	}
	return r
}

// soon is the maximum duration of diagnose on a busy machine if it does not wait for an answer.
const soon = 2 * time.Minute

// answered repeats the run while a kubelet answers late, which happens on a busy machine.
func answered(look func() result) result {
	for end := time.Now().Add(5 * time.Minute); ; {
		if r := look(); !r.late() || time.Now().After(end) {
			return r
		}
	}
}

// late reports whether a kubelet did not answer a request in time.
func (r result) late() bool {
	for _, n := range r.NotChecked {
		if strings.HasPrefix(n.What, "kubelet ") && lateAnswer.MatchString(n.Why) {
			return true
		}
	}
	return false
}

var lateAnswer = regexp.MustCompile(`no answer .*in time|answers /healthz, but not this in |broke off after `)

// nodes lists the nodes of findings and symptoms.
func (r result) nodes() []string {
	var names []string
	add := func(s subject) {
		if s.Kind == "Node" {
			names = append(names, s.Name)
		}
	}
	for _, f := range r.Findings {
		add(f.Subject)
		for _, s := range f.Subjects {
			add(s)
		}
	}
	for _, s := range r.Symptoms {
		add(s.Subject)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// gap returns the reason why something was not checked; "" if it was.
func (r result) gap(what string) string {
	for _, n := range r.NotChecked {
		if n.What == what {
			return n.Why
		}
	}
	return ""
}

// readGaps returns the failed reads except those of kubelets, because the nodes of the load have none. A question that
// rules could not answer ("whether ...", "how ...") is not a failed read.
func (r result) readGaps() []string {
	var out []string
	for _, n := range r.NotChecked {
		if !strings.Contains(n.What, "kubelet") && !question.MatchString(n.What) {
			out = append(out, n.What+": "+n.Why)
		}
	}
	return out
}

var question = regexp.MustCompile(`^(whether|why|when|how|what|the VMs of|the free disk space of|the available memory of|the CPU and memory usage of|the pod count and pod limit of|the taints of|other possible causes of|controller health|processes, disks, network and clock of)\b`)

func (r result) String() string {
	return fmt.Sprintf("exit code %d, verdict %s, about %v, not checked %+v\n%s", r.code, r.Verdict, r.nodes(), r.NotChecked, r.stderr)
}

func sickNodes() []string {
	var out []string
	for i := range size.Sick {
		out = append(out, size.Node(i))
	}
	return out
}
