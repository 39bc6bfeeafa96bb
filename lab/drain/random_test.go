//go:build unix

package drain_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/lab/guard"
)

var (
	randomCases = flag.Int("cases", 30, "random clusters to plan and drain")
	randomSeed  = flag.Uint64("seed", 20261121, "of the random clusters")
)

// pools is the number of parallel random clusters, each with its own nodes.
const pools = 5

// tally counts the kinds of random cases.
type tally struct {
	sync.Mutex
	verdicts map[string]int
	blockers map[string]int
	hung     int // slow plans that did not complete
}

// In random clusters with random PodDisruptionBudgets, a clear plan completes, and a blocked plan hangs on exactly the
// named pods for exactly the named reasons. No PodDisruptionBudget is violated.
func TestRandomPlans(t *testing.T) {
	free := make(chan []string, pools)
	for i := range pools {
		pool := fmt.Sprintf("pool-%d", i)
		names := []string{pool + "-a", pool + "-b", pool + "-c", pool + "-d"}
		if err := kubelets.Add(t.Context(), map[string]string{"pool": pool}, names...); err != nil {
			t.Fatal(err)
		}
		free <- names
	}
	count := &tally{verdicts: map[string]int{}, blockers: map[string]int{}}
	begin := time.Now()
	var wait sync.WaitGroup
	for i := range *randomCases {
		on := <-free
		wait.Go(func() {
			defer func() { free <- on }()
			t.Run(fmt.Sprintf("case-%d", i), func(t *testing.T) {
				defer func() {
					if t.Failed() {
						t.Logf("again: go test ./drain -run TestRandomPlans/case-%d -seed %d -cases %d", i, *randomSeed, *randomCases)
					}
				}()
				c := &chance{scene: newSceneOn(t, on), Rand: rand.New(rand.NewPCG(*randomSeed, uint64(i))), on: on}
				c.build()
				c.judge(count)
			})
		})
	}
	wait.Wait()
	t.Logf("seed %d, %d cases in %s: verdicts %v, blockers %v, %d slow plans did not complete",
		*randomSeed, *randomCases, time.Since(begin).Round(time.Second), count.verdicts, count.blockers, count.hung)
	if *randomCases >= 30 && (count.verdicts["clear"] < 4 || count.verdicts["blocked"] < 4 || count.blockers["pdb"] == 0) {
		t.Error("the cases are one-sided")
	}
}

// drainPlan contains the checked fields of a plan.
type drainPlan struct {
	Verdict string
	Pods    []plannedPod
}

type plannedPod struct {
	Namespace, Name, Node, Action string
	Wave                          int
	Blockers                      []struct{ Kind, Name, Detail string }
}

// judge plans, drains, and compares both.
func (c *chance) judge(count *tally) {
	c.t.Helper()
	picked := c.on[:1+c.IntN(3)]
	args := append([]string{}, picked...)
	for _, kind := range []string{"unmanaged", "local-data", "no-room"} {
		if c.chance(40) {
			args = append(args, "--accept", kind)
		}
	}
	r, _ := drain(c.t, append(args, "--plan")...)
	var p drainPlan
	if err := json.Unmarshal(r.out.Bytes(), &p); err != nil {
		c.t.Fatalf("no plan: %v\n%s", err, r)
	}
	watch, err := guard.Watch(c.t.Context(), client, c.namespace)
	c.check(err)
	timeout := "45s"
	if p.Verdict == "blocked" {
		timeout = "10s"
	}
	uids := map[string]string{}
	for _, n := range picked {
		for _, pod := range c.podsOn(n) {
			uids[pod.Name] = string(pod.UID)
		}
	}
	r, code := drain(c.t, append(args, "--anyway", "--timeout", timeout)...)
	seen := watch.Stop()
	if len(seen.Violations)+len(seen.Twice) > 0 {
		c.t.Errorf("violations %v, evicted twice %v\n%s", seen.Violations, seen.Twice, r)
	}
	left := map[string]string{}
	for _, l := range r.end(c.t).Left {
		left[strings.TrimPrefix(l.Pod, c.namespace+"/")] = l.Why
	}
	count.Lock()
	count.verdicts[p.Verdict]++
	if p.Verdict == "slow" && code != drained {
		count.hung++
	}
	count.Unlock()
	if c.refused && p.Verdict == "clear" {
		c.t.Errorf("a webhook refuses, and the plan says clear: %+v", p)
	}
	switch p.Verdict {
	case "clear":
		if code != drained || len(left) > 0 {
			c.t.Errorf("the plan says clear; exit code %d, left %v\n%s\nplan %+v", code, left, r, p)
		}
	case "blocked":
		if code == drained {
			c.t.Errorf("the plan says blocked, and everything went\n%s\nplan %+v", r, p)
		}
	}
	for _, pod := range p.Pods {
		if pod.Action != "block" || pod.Namespace != c.namespace {
			continue
		}
		why, there := left[pod.Name]
		if !there || !c.names(pod, why) {
			c.t.Errorf("%s is blocked by %+v; left %v: %q\n%s", pod.Name, pod.Blockers, there, why, r)
		}
		count.Lock()
		for _, b := range pod.Blockers {
			count.blockers[b.Kind]++
		}
		count.Unlock()
		now := c.pod(pod.Name)
		if now == nil || string(now.UID) != uids[pod.Name] || now.DeletionTimestamp != nil && !waits(pod) {
			c.t.Errorf("%s was to stay and went\n%s", pod.Name, r)
		}
	}
}

// names reports whether the reason of the drain is one of the plan.
func (c *chance) names(pod plannedPod, why string) bool {
	for _, b := range pod.Blockers {
		_, short, _ := strings.Cut(b.Name, "/")
		switch b.Kind {
		case "pdb", "several-pdbs":
			if strings.Contains(why, short) {
				return true
			}
		case "webhook":
			if strings.Contains(why, "webhook") {
				return true
			}
		case "finalizer":
			return true
		default:
			if strings.HasPrefix(why, b.Kind+":") {
				return true
			}
		}
	}
	return false
}

// waits reports whether the pod was already being deleted before the drain.
func waits(pod plannedPod) bool {
	for _, b := range pod.Blockers {
		if b.Kind == "finalizer" {
			return true
		}
	}
	return false
}

// end is the last line of a drain.
func (r *run) end(t *testing.T) (end struct {
	Drained bool
	Evicted int
	Aborted string
	Left    []struct{ Pod, Why string }
}) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(r.out.String()), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &end); err != nil {
		t.Fatalf("no end: %v\n%s", err, r)
	}
	return end
}

func (s *scene) podsOn(node string) []corev1.Pod {
	var out []corev1.Pod
	for _, p := range s.pods() {
		if p.Spec.NodeName == node {
			out = append(out, p)
		}
	}
	return out
}

func (s *scene) pod(name string) *corev1.Pod {
	for _, p := range s.pods() {
		if p.Name == name {
			return &p
		}
	}
	return nil
}
