//go:build unix

package drain_test

import (
	"bytes"
	"context"
	"flag"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/guard"
)

var kills = flag.Int("kills", 6, "how often a drain is killed at a random moment")

// watched is a scene under a guard. At its end, no PodDisruptionBudget was violated, no pod was deleted twice, and only
// pods of the drained nodes were deleted.
func watched(t *testing.T, s *scene, drained ...string) {
	t.Helper()
	g, err := guard.Watch(t.Context(), client, s.namespace)
	s.check(err)
	t.Cleanup(func() {
		seen := g.Stop()
		if len(seen.Violations)+len(seen.Twice) > 0 {
			t.Errorf("violations %v, evicted twice %v", seen.Violations, seen.Twice)
		}
		for node, n := range seen.Deleted {
			if !strings.Contains(" "+strings.Join(drained, " ")+" ", " "+node+" ") {
				t.Errorf("%d pods of node %q went, which was not drained", n, node)
			}
		}
		t.Logf("%d events, deleted %v, lowest %v", seen.Events, seen.Deleted, seen.Lowest)
	})
}

// fuse signals its run after that many lines with these words.
type fuse struct {
	left  int
	words string
	with  os.Signal
	of    *run
}

func (f *fuse) Write(p []byte) (int, error) {
	n, err := f.of.out.Write(p)
	for l := range bytes.Lines(p) {
		if bytes.HasSuffix(l, []byte("\n")) && bytes.Contains(l, []byte(f.words)) {
			if f.left--; f.left == 0 {
				_ = f.of.cmd.Process.Signal(f.with)
			}
		}
	}
	return n, err
}

// The drain is killed at random moments while a PodDisruptionBudget is suspended and a surge is in progress. The next
// drain, or --restore, restores the previous state, and the active PodDisruptionBudgets are never violated.
func TestKilledAnywhere(t *testing.T) {
	seed := *randomSeed
	r := rand.New(rand.NewPCG(seed, 7))
	s := newScene(t)
	s.crowd(func() {
		s.deployment("web", 6, 1)
		s.deployment("held", 2, 1)
		s.deployment("single", 1, 1)
	}, "w1", "w2")
	s.budget("web", maxUnavailable(1), "web")
	s.budget("held", maxUnavailable(0), "held")
	s.budget("single", minAvailable(1), "single")
	s.close("w3") // of another user
	held := s.pdb("held").Spec
	watched(t, s, "w1", "w2", "w4") // includes the extra replicas, which their controller removes
	args := []string{"w1", "w2", "w3", "--anyway", "--surge", "--suspend-pdb", s.namespace + "/held"}
	for i := range *kills {
		after := 1 + r.IntN(16) // lines: the plan, and one for each action or wait
		run := prepare(plane.Kubeconfig, args...)
		run.cmd.Stdout = &fuse{left: after, with: os.Kill, of: run}
		s.check(run.cmd.Start())
		t.Logf("seed %d, kill %d after %d lines: exit code %d", seed, i, after, run.wait(t))
	}
	run, code := drain(t, args...)
	if code != drained || len(s.on("w1"))+len(s.on("w2")) > 0 {
		t.Fatalf("exit code %d\n%s", code, run)
	}
	if b := s.pdb("held"); !reflect.DeepEqual(b.Spec, held) || b.Annotations["nodetriage.dev/suspended"] != "" {
		t.Errorf("the suspended budget is %+v with %v, was %+v", b.Spec, b.Annotations, held)
	}
	if n := s.ready("single"); n != 1 {
		t.Errorf("the surged workload has %d ready pods", n)
	}
	if n := s.node("w3"); !n.Spec.Unschedulable || n.Annotations["nodetriage.dev/cordoned-by"] != "" {
		t.Errorf("the foreign cordon was touched: %v", n.Annotations)
	}
}

// The API server stops, lists break off, and every third request hangs for a while: the drain continues.
func TestServerGoesAway(t *testing.T) {
	t.Run("restart", func(t *testing.T) {
		s := newScene(t)
		s.crowd(func() { s.deployment("web", 6, 1); s.deployment("other", 1, 1) }, "w1", "w2")
		s.budget("web", maxUnavailable(1), "web")
		s.budget("other", maxUnavailable(0), "other")
		before := s.pdb("other").Spec
		watched(t, s, "w1", "w2")
		run := start(t, plane.Kubeconfig, "w1", "w2", "--anyway", "--timeout", "4m", "--suspend-pdb", s.namespace+"/other")
		s.check(s.until("the first eviction", func() bool { return len(s.on("w1"))+len(s.on("w2")) < 7 || s.going() > 0 }))
		s.check(plane.RestartAPIServer(t.Context()))
		stop := revive(t)
		defer stop()
		if code := run.wait(t); code != drained || len(s.on("w1"))+len(s.on("w2")) > 0 {
			t.Fatalf("exit code %d\n%s", code, run)
		}
		if b := s.pdb("other"); !reflect.DeepEqual(b.Spec, before) || len(b.Annotations) > 0 {
			t.Errorf("the suspended budget is %+v with %v", b.Spec, b.Annotations)
		}
	})
	cut := map[string]func(n int64, w http.ResponseWriter, r *http.Request) bool{
		"lists break off": func(n int64, w http.ResponseWriter, r *http.Request) bool {
			if n%4 != 0 || r.Method != http.MethodGet {
				return false
			}
			w.Header().Set("Content-Length", "100000")
			_, _ = io.WriteString(w, "k8s\x00")
			panic(http.ErrAbortHandler)
		},
		"requests hang": func(n int64, w http.ResponseWriter, r *http.Request) bool {
			if n%5 == 0 {
				select {
				case <-time.After(3 * time.Second):
				case <-r.Context().Done():
				}
			}
			return false
		},
	}
	for name, spoil := range cut {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.crowd(func() { s.deployment("web", 4, 1) }, "w1", "w2")
			s.budget("web", maxUnavailable(1), "web")
			watched(t, s, "w1", "w2")
			var reading atomic.Bool // the plan requires all its input; read faults have separate tests
			run := start(t, behind(t, func(n int64, w http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodGet {
					reading.Store(true)
				}
				return reading.Load() && spoil(n, w, r)
			}), "w1", "w2", "--anyway")
			if code := run.wait(t); code != drained || len(s.on("w1"))+len(s.on("w2")) > 0 {
				t.Fatalf("exit code %d\n%s", code, run)
			}
		})
	}
}

// revive restarts controllers and scheduler whenever they exit, until the returned function is called.
func revive(t *testing.T) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if err := plane.Revive(); err != nil {
				t.Error(err)
			}
			time.Sleep(500 * time.Millisecond)
		}
	}()
	return func() { cancel(); <-done }
}

// going counts the pods that are being deleted.
func (s *scene) going() (n int) {
	for _, p := range s.pods() {
		if p.DeletionTimestamp != nil {
			n++
		}
	}
	return n
}

// Two drains of overlapping nodes suspend the same PodDisruptionBudget, and one is killed. The other keeps its
// suspension, and the PodDisruptionBudget is restored at the end.
func TestOverlappingSuspensions(t *testing.T) {
	s := newScene(t)
	s.crowd(func() { s.deployment("held", 6, 2) }, "w1", "w2", "w3")
	s.budget("held", maxUnavailable(0), "held")
	before := s.pdb("held").Spec
	watched(t, s, "w1", "w2", "w3")
	flags := []string{"--anyway", "--suspend-pdb", s.namespace + "/held"}
	a := start(t, plane.Kubeconfig, append([]string{"w1", "w2"}, flags...)...)
	if err := s.until("the suspension", func() bool { return s.pdb("held").Annotations["nodetriage.dev/suspended"] != "" }); err != nil {
		_ = a.cmd.Process.Kill()
		a.wait(t)
		t.Fatalf("%v\n%s", err, a)
	}
	b := start(t, plane.Kubeconfig, append([]string{"w2", "w3"}, flags...)...)
	time.Sleep(500 * time.Millisecond)
	_ = a.cmd.Process.Signal(os.Kill)
	a.wait(t)
	if code := b.wait(t); code != drained {
		t.Errorf("the second drain: exit code %d\n%s", code, b)
	}
	if r, code := drain(t, append([]string{"w1", "w2"}, flags...)...); code != drained {
		t.Errorf("the first drain again: exit code %d\n%s", code, r)
	}
	if r, code := drain(t, "--restore"); code != drained {
		t.Errorf("restore: exit code %d\n%s", code, r)
	}
	if x := s.pdb("held"); !reflect.DeepEqual(x.Spec, before) || x.Annotations["nodetriage.dev/suspended"] != "" {
		t.Errorf("the budget is %+v with %v, was %+v", x.Spec, x.Annotations, before)
	}
	if left := len(s.on("w1")) + len(s.on("w2")) + len(s.on("w3")); left > 0 {
		t.Errorf("%d pods are left", left)
	}
}
