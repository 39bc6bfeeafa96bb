//go:build unix

package upgrade_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// plan contains the checked fields of an upgrade plan.
type plan struct {
	Verdict  string
	Duration lab.Interval
	Steps    []struct{ Nodes []string }
	Stuck    []struct {
		Node    string
		At      lab.Interval
		Certain bool
		Pods    []stuckPod
	}
	Moves  int
	Peak   struct{ Pods int }
	Left   []struct{ Workload string }
	Lost   []string
	Forced []string
}

type stuckPod struct {
	Name     string
	Blockers []struct{ Kind, Name, Detail string }
}

// ask makes the plan of a replacement.
func ask(t *testing.T, pool string, set settings) *plan {
	t.Helper()
	args := []string{"upgrade", pool, "--plan", "--kubeconfig", plane.Kubeconfig, "-o", "json", "--style", set.Style, "--node-start", "1s-12s",
		"--max-unavailable", fmt.Sprint(set.MaxUnavailable), "--drain-timeout", set.Timeout.String()}
	if !set.blueGreen() {
		args = append(args, "--surge", fmt.Sprint(set.Surge))
	}
	if undrainable := (map[string]string{"aks quarantine": "cordon", "eks force": "force"})[set.Style+" "+set.Late]; undrainable != "" {
		args = append(args, "--undrainable", undrainable)
	}
	cmd := exec.Command(program, args...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	p := &plan{}
	if err := json.Unmarshal(out.Bytes(), p); err != nil {
		t.Fatalf("no plan: %v\n%s%s", err, out.String(), stderr.String())
	}
	return p
}

// play creates the cluster, plans its replacement, runs it, and compares both.
func play(t *testing.T, c cluster, set settings) *plan {
	t.Helper()
	t.Logf("%s; %s", c, set)
	name := strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(t.Name()))
	o := &operator{settings: set, pool: name, names: c.build(t, name), see: observe(t, name)}
	o.first = o.see.names()
	p := ask(t, name, set)
	if err := o.run(t.Context()); err != nil {
		t.Fatalf("%v\nplan %+v", err, p)
	}
	if len(o.stuck) == 0 { // pods that wait for capacity wait a moment longer
		time.Sleep(2 * time.Second)
	}
	o.compare(t, p)
	if t.Failed() {
		t.Logf("plan %+v", p)
	}
	return p
}

// compare returns the differences between the plan and the result.
func (o *operator) compare(t *testing.T, p *plan) {
	t.Helper()
	t.Logf("%s: %s, plan %s; %d nodes stuck; peak %d, plan %d; %d moves at most",
		p.Verdict, o.took.Round(100*time.Millisecond), p.Duration, len(o.stuck), o.see.peak, p.Peak.Pods, p.Moves)
	if !p.Duration.Has(o.took) {
		t.Errorf("it took %s, planned %s", o.took, p.Duration)
	}
	var order [][]string
	for _, s := range p.Steps {
		order = append(order, o.named(s.Nodes))
	}
	if !slices.EqualFunc(order, o.steps, slices.Equal) {
		t.Errorf("the order was %v, planned %v", o.steps, order)
	}
	if o.see.peak != p.Peak.Pods {
		t.Errorf("%d pods had no place at the worst moment (%s), planned %d", o.see.peak, o.see.says, p.Peak.Pods)
	}
	o.compareStuck(t, p)
	if got := slices.Sorted(slices.Values(o.see.lost)); !slices.Equal(got, p.Lost) {
		t.Errorf("lost are %v, planned %v", got, p.Lost)
	}
	if got := o.original(o.forced); !slices.Equal(got, p.Forced) {
		t.Errorf("ended by force are %v, planned %v", got, p.Forced)
	}
	if left := o.see.homeless(); len(o.stuck) == 0 && left != len(p.Left) {
		t.Errorf("%d pods have no place at the end, planned %v", left, p.Left)
	}
}

// named maps nodes of the plan to the real names of the added nodes.
func (o *operator) named(nodes []string) (out []string) {
	for _, n := range nodes {
		var i int
		if _, err := fmt.Sscanf(n, o.pool+"-new-%d", &i); err == nil && i <= len(o.added) {
			n = o.added[i-1]
		}
		out = append(out, n)
	}
	return out
}

// compareStuck compares the nodes, pods and PodDisruptionBudgets that blocked the replacement with those of the plan.
func (o *operator) compareStuck(t *testing.T, p *plan) {
	t.Helper()
	planned := map[string]bool{}
	for _, s := range p.Stuck {
		node := o.named([]string{s.Node})[0]
		planned[node] = true
		got, there := o.stuck[node]
		if !there {
			if s.Certain {
				t.Errorf("planned to get stuck at %s, and did not", node)
			}
			continue
		}
		if s.Certain && !s.At.Has(got.at) {
			t.Errorf("it got stuck at %s after %s, planned %s", node, got.at, s.At)
		}
		if s.Certain {
			o.compareHeld(t, node, s.Pods, got.pods)
		}
	}
	for node, s := range o.stuck {
		if !planned[node] && !o.moved(s) {
			t.Errorf("it got stuck at %s, which was not planned: %v", node, s.pods)
		}
	}
}

// moved reports whether only replacement pods hold the node: the scheduler chose it among several.
func (o *operator) moved(s stuckNode) bool {
	for name := range s.pods {
		if o.first[name] {
			return false
		}
	}
	return true
}

// compareHeld compares the pods that stay on a node with those of the plan. Pods of one workload are equivalent.
func (o *operator) compareHeld(t *testing.T, node string, planned []stuckPod, said map[string]string) {
	t.Helper()
	want, got := map[string]int{}, map[string]int{}
	for _, p := range planned {
		want[workload(p.Name)]++
		for name, words := range said {
			if workload(name) != workload(p.Name) || len(p.Blockers) == 0 || p.Blockers[0].Kind != "pdb" && p.Blockers[0].Kind != "no-room" {
				continue
			}
			if _, budget, _ := strings.Cut(p.Blockers[0].Name, "/"); !strings.Contains(words, "disruption budget "+budget+" needs") {
				t.Errorf("pod %s was planned to be kept by budget %s; the API server said %q", name, budget, words)
			}
		}
	}
	for name := range said {
		got[workload(name)]++
	}
	if !maps.Equal(want, got) {
		t.Errorf("%v stay on %s, planned %v", got, node, want)
	}
}

// workload returns app-0 for app-0-75dbc7bb-sw4lm.
func workload(pod string) string {
	parts := strings.Split(pod, "-")
	return strings.Join(parts[:min(2, len(parts))], "-")
}

// original returns the pods that existed when the plan was made.
func (o *operator) original(keys []string) []string {
	return slices.Sorted(func(yield func(string) bool) {
		for _, k := range keys {
			if _, name, _ := strings.Cut(k, "/"); o.first[name] && !yield(k) {
				return
			}
		}
	})
}
