//go:build unix

package upgrade_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

var (
	randomCases = flag.Int("cases", 8, "random clusters to plan and replace")
	randomSeed  = flag.Uint64("seed", 20261121, "of the random clusters")
)

// Random pools with random workloads, PodDisruptionBudgets and settings end as planned.
func TestRandom(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	verdicts := map[string]int{}
	t.Run("case", func(t *testing.T) {
		for i := range *randomCases {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				r := chance{rand.New(rand.NewPCG(*randomSeed, uint64(i)))}
				p := play(t, r.cluster(), r.settings())
				mu.Lock()
				defer mu.Unlock()
				verdicts[p.Verdict]++
			})
		}
	})
	t.Logf("seed %d: verdicts %v", *randomSeed, verdicts)
}

type chance struct{ *rand.Rand }

func oneOf[T any](c chance, list ...T) T { return list[c.IntN(len(list))] }

func (c chance) cluster() cluster {
	out := cluster{Nodes: 2 + c.IntN(3), Naked: oneOf(c, 0, 0, 0, 1), Daemon: oneOf(c, true, false)}
	room := 4 * out.Nodes
	for range 1 + c.IntN(3) {
		a := app{Kind: oneOf(c, "Deployment", "Deployment", "StatefulSet"), Replicas: int32(1 + c.IntN(min(5, room))), CPU: oneOf(c, "", "1", "1"), Grace: int64(c.IntN(4))}
		if a.CPU != "" {
			room -= int(a.Replicas)
		}
		a.Budget = oneOf(c, budget{}, atMost(1), atMost(1), atMost(2), atLeast(int(a.Replicas)-1), atLeast(int(a.Replicas)))
		out.Apps = append(out.Apps, a)
		if room == 0 {
			break
		}
	}
	if room > 0 && c.IntN(3) == 0 {
		out.Apps = append(out.Apps, app{Kind: "Deployment", Replicas: int32(room), CPU: "1", Grace: 1})
	}
	return out
}

func (c chance) settings() settings {
	s := settings{Style: oneOf(c, "plain", "aks", "gke"), Surge: c.IntN(3)}
	if s.Surge == 0 || s.Style == "gke" && c.IntN(2) == 0 {
		s.MaxUnavailable = 1
	}
	if s.Style == "plain" && c.IntN(2) == 0 {
		return s
	}
	s.Timeout = 90 * time.Second
	s.Late = map[string]string{"plain": "stop", "gke": "force"}[s.Style]
	if s.Style == "aks" {
		s.Late = oneOf(c, "stop", "quarantine")
	}
	return s
}
