//go:build unix

package upgradegate

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

var (
	kills = flag.Int("kills", 20, "number of kills of the answering programs")
	timed = flag.Bool("timed", false, "fail if a goal of time is missed, which says something only on a quiet computer")
	asked = flag.Int("requests", 1000, "number of node requests")
)

const provider = "nodetriage.dev"

// fleet returns nodes of a pool with recorded judgements.
func fleet(prefix string, n int, of []record) (names []string, nodes map[string]node) {
	nodes = map[string]node{}
	for i := range n {
		name := fmt.Sprintf("%s-%04d", prefix, i)
		names = append(names, name)
		nodes[name] = node{Pool: "user", Judgement: of[i%len(of)].Judgement}
	}
	return names, nodes
}

func uids(r *Result) (out []types.UID) {
	for _, n := range r.Nodes {
		out = append(out, n.UID)
	}
	return out
}

// waits returns how long the answers took, sorted.
func waits(t *testing.T, r *Result) []time.Duration {
	var out []time.Duration
	for _, n := range r.Nodes {
		at, ok := n.Answered[provider]
		if !ok {
			t.Errorf("node %s has no answer", n.Name)
			continue
		}
		out = append(out, at.Sub(n.Asked))
	}
	slices.Sort(out)
	return out
}

func at(sorted []time.Duration, percent int) time.Duration {
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)].Round(time.Millisecond)
}

// A thousand healthy nodes at once: all are answered within ten seconds at the 99th percentile, and none is refused.
func TestHealthyNodes(t *testing.T) {
	policy(t, "nodetriage", provider, "cluster 5m")
	names, nodes := fleet("healthy", *asked, healthyNodes())
	answer(t, provider, nodes)
	asker, err := NewAsker(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	got, err := asker.Run(t.Context(), Upgrade{Name: "healthy", Pool: "user", Nodes: names, Surge: len(names)})
	if err != nil {
		t.Fatal(err)
	}
	if got.Aborted || len(got.Nodes) != len(names) || asker.watch.falsesAbout(uids(got)) > 0 {
		t.Errorf("aborted %t at %s: %s; %d of %d nodes; %d False", got.Aborted, got.Node, got.Reason, len(got.Nodes), len(names), asker.watch.falsesAbout(uids(got)))
	}
	took := waits(t, got)
	t.Logf("%d requests: answered after %s (median), %s (99 %%), %s (longest)", len(took), at(took, 50), at(took, 99), at(took, 100))
	if *timed && at(took, 99) > 10*time.Second {
		t.Errorf("99 %% are answered after %s", at(took, 99))
	}
}

// Two programs answer at the same time, and each is killed again and again. No request is open 30 s before its deadline, and no healthy
// node is refused.
func TestKilled(t *testing.T) {
	policy(t, "nodetriage", provider, "cluster 2m")
	names, nodes := fleet("killed", *asked, healthyNodes())
	programs := []*answering{answer(t, provider, nodes), answer(t, provider, nodes)}
	asker, err := NewAsker(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range *kills {
			time.Sleep(time.Duration(200+r.IntN(1600)) * time.Millisecond)
			p := programs[i%len(programs)]
			p.kill()
			p.start(provider)
		}
	}()
	// The nodes come one after another, for as long as programs are killed.
	each := time.Duration(*kills) * time.Second / time.Duration(len(names))
	got, err := asker.Run(t.Context(), Upgrade{Name: "killed", Pool: "user", Nodes: names, Surge: len(names), Pause: each})
	if err != nil {
		t.Fatal(err)
	}
	<-done
	if got.Aborted || len(got.Nodes) != len(names) || asker.watch.falsesAbout(uids(got)) > 0 {
		t.Errorf("seed %d: aborted %t at %s: %s; %d of %d nodes", seed, got.Aborted, got.Node, got.Reason, len(got.Nodes), len(names))
	}
	for _, n := range got.Nodes {
		if a, ok := n.Answered[provider]; !ok || a.After(n.Deadline.Add(-30*time.Second)) {
			t.Errorf("seed %d: node %s was open 30 s before its deadline", seed, n.Name)
		}
	}
	took := waits(t, got)
	t.Logf("seed %d, %d kills, %d requests: answered after %s (median), %s (99 %%), %s (longest)", seed, *kills, len(took), at(took, 50), at(took, 99), at(took, 100))
}

// Nodes that are broken after their upgrade, with the evidence of recorded nodes: at least 95 % are refused within a minute of the
// evidence. Each has a separate upgrade, because the first refusal ends it.
func TestBrokenNodes(t *testing.T) {
	policy(t, "nodetriage", provider, "cluster 2m")
	broken := brokenNodes()
	if len(broken) < 30 {
		t.Fatalf("only %d recorded nodes have a certain cause", len(broken))
	}
	names, nodes := fleet("broken", len(broken), broken)
	for i, name := range names {
		n := nodes[name]
		n.Image = "new"                                                           // of all, so that none of them counts as an old node with the same fault
		n.From = time.Now().Add(10*time.Second + time.Duration(i%20)*time.Second) // until then, nothing is known but that it is not Ready
		nodes[name] = n
	}
	answer(t, provider, nodes)
	asker, err := NewAsker(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	results := make([]*Result, len(names))
	ended := make([]time.Time, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() {
			r, err := asker.Run(t.Context(), Upgrade{Name: name, Pool: "user", Nodes: []string{name}})
			if err != nil {
				t.Error(err)
			}
			results[i], ended[i] = r, time.Now()
		})
	}
	wait.Wait()
	refused := 0
	for i, name := range names {
		r := results[i]
		if r == nil {
			continue
		}
		took := ended[i].Sub(nodes[name].From).Round(time.Millisecond)
		switch {
		case r.Aborted && r.Reason == "CertainFault" && (took <= time.Minute || !*timed):
			refused++
			if took < 0 {
				t.Errorf("node %s was refused %s before its evidence", name, -took)
			}
		default:
			t.Logf("%s, node %s (%s): aborted %t, %s, after %s", broken[i].Case, broken[i].Node, broken[i].First, r.Aborted, r.Reason, took)
		}
	}
	t.Logf("%d of %d broken nodes refused", refused, len(names))
	if refused*100 < len(names)*95 {
		t.Errorf("only %d of %d broken nodes were refused", refused, len(names))
	}
}
