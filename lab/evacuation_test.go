//go:build unix

package lab_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/lab/load"
)

// In a big cluster, plans for one node and answers about one pod read a part of it, with the same result as from the
// whole cluster.
func TestPartOfABigCluster(t *testing.T) {
	t.Parallel()
	c, s := loaded(t)
	big := load.Size{Nodes: 220, Pods: 3300, Sick: 9} // up to 200 nodes, everything is read
	if _, err := s.Fill(t.Context(), big); err != nil {
		t.Fatal(err)
	}
	if err := c.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	beating(t, s, big)
	run := func(args ...string) []byte {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output() // the exit code is the verdict
		if len(out) == 0 {
			t.Fatalf("%s: %v, no output\n%s", strings.Join(args, " "), err, &stderr)
		}
		return out
	}
	live := func(args ...string) []byte { return run(append(args, "--request-timeout=5m")...) } // the machine may be busy
	whole := filepath.Join(t.TempDir(), "whole.tar.gz")
	if out, err := exec.CommandContext(t.Context(), program, "collect", "-o", whole, "--request-timeout=5m", "--kubeconfig", c.Kubeconfig).CombinedOutput(); err != nil {
		t.Fatalf("collect: %v\n%s", err, out)
	}
	well := big.Node(210)
	pod := podOn(t, live, well)
	for _, args := range [][]string{
		{"drain", well, "--plan"}, {"drain", big.Node(100), big.Node(101), "--plan"}, {"drain", big.Node(0), "--plan"},
		{"predict", well, "--event", "power-off"}, {"predict", well, "--event", "reboot", "--back-after", "200s"}, {"predict", well, "--event", "delete"},
		{"why", pod},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			_, mark := requestsOf(t, c, 0)
			part := live(append(args, "-o", "json")...)
			asked, _ := requestsOf(t, c, mark)
			for _, r := range asked {
				if strings.Contains(r.RequestURI, "/pods?") && !strings.Contains(r.RequestURI, "Selector=") {
					t.Errorf("it lists all pods: %s", r.RequestURI)
				}
			}
			if a, b := withoutOrigin(t, part), withoutOrigin(t, run(append(args, "-o", "json", "-f", whole)...)); a != b {
				t.Errorf("of a part:\n%s\nof all:\n%s", a, b)
			}
		})
	}
}

// podOn returns the name of a pod of a ReplicaSet on the node.
func podOn(t *testing.T, run func(...string) []byte, node string) string {
	t.Helper()
	var plan struct {
		Pods []struct{ Name, Action string }
	}
	if err := json.Unmarshal(run("drain", node, "--plan", "-o", "json"), &plan); err != nil {
		t.Fatal(err)
	}
	for _, p := range plan.Pods {
		if p.Action == "evict" {
			return p.Name
		}
	}
	t.Fatalf("no pod of node %s moves", node)
	return ""
}

// withoutOrigin removes from a result where and when it was read, and the number of nodes with known capacity.
func withoutOrigin(t *testing.T, out []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := json.MarshalIndent(pruned(v), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func pruned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range []string{"source", "takenAt", "at"} {
			delete(v, key)
		}
		if _, is := v["placement"]; is {
			delete(v, "nodes") // on which it fits
		}
		for k := range v {
			v[k] = pruned(v[k])
		}
		return v
	case []any:
		out := []any{}
		for _, x := range v {
			if s, is := x.(string); is && strings.HasPrefix(s, "capacity was checked only on ") {
				continue
			}
			out = append(out, pruned(x))
		}
		return out
	}
	return v
}
