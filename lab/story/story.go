//go:build linux

package story

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/lab/scenario"
)

// Kind is the relation of two faults.
type Kind string

// Kinds of stories.
const (
	Then     Kind = "then"     // on one node, the second a while after the heal of the first
	Again    Kind = "again"    // a relapse: the same fault on the same node, a while after the heal
	Beside   Kind = "beside"   // at the same time, on two nodes
	Together Kind = "together" // at the same time, on one node
)

// InTurn reports whether the second fault starts after the end of the first.
func (k Kind) InTurn() bool { return k == Then || k == Again }

// Story is the plan of a story.
type Story struct {
	Name          string
	Kind          Kind
	First, Second string // scenarios
	// Distance is the time between the heal of the first and the start of the second fault; for simultaneous faults,
	// the time between their starts.
	Distance time.Duration
	Evict    bool `json:"evict,omitempty"`   // between two faults, all pods of the workload are evicted
	Systemd  bool `json:"systemd,omitempty"` // the first process of the real nodes is systemd
}

// distances are the distances of stories with faults in sequence, each with its share.
var distances = []struct {
	time.Duration
	share int
}{{5 * time.Second, 7}, {20 * time.Second, 7}, {time.Minute, 5}, {5 * time.Minute, 1}}

func distance(chance *rand.Rand) time.Duration {
	n := chance.IntN(20)
	for _, d := range distances {
		if n -= d.share; n < 0 {
			return d.Duration
		}
	}
	return 0
}

// Plan selects n random stories from the scenarios that do not need the cluster or the host exclusively; the same seed
// gives the same stories.
func Plan(n int, seed uint64, from []scenario.Scenario) ([]Story, error) {
	from = slices.DeleteFunc(slices.Clone(from), func(s scenario.Scenario) bool { return s.Lone || s.Loud })
	chance := rand.New(rand.NewPCG(seed, 0))
	var out []Story
	for tries := 0; len(out) < n; tries++ {
		if tries > 1000*n || len(from) == 0 {
			return nil, fmt.Errorf("choose stories: of these %d scenarios no two go together", len(from))
		}
		kind := Then
		switch k := chance.IntN(10); {
		case k >= 8:
			kind = Together
		case k >= 6:
			kind = Beside
		case k >= 4:
			kind = Again
		}
		apart, evict := distance(chance), kind.InTurn() && chance.IntN(2) == 0
		if !kind.InTurn() {
			apart = time.Duration(chance.IntN(16)) * time.Second
		}
		first, second := pair(kind, from, chance)
		for again := 0; again < 100 && !fits(kind, first, second); again++ {
			first, second = pair(kind, from, chance)
		}
		if fits(kind, first, second) {
			s := Story{Kind: kind, First: first.Name, Second: second.Name, Distance: apart, Evict: evict}
			s.Name = fmt.Sprintf("%d-%02d-%s-%s-%s", seed, len(out)+1, s.First, s.Kind, s.Second)
			out = append(out, s)
		}
	}
	return out, nil
}

func pair(kind Kind, from []scenario.Scenario, chance *rand.Rand) (first, second scenario.Scenario) {
	first = from[chance.IntN(len(from))]
	if kind == Again {
		return first, first
	}
	return first, from[chance.IntN(len(from))]
}

func fits(kind Kind, first, second scenario.Scenario) bool {
	if first.Name == second.Name {
		return kind == Again
	}
	machine := (first.Real || second.Real) && (first.Hollow || second.Hollow)
	switch kind {
	case Then:
		return !machine
	case Together:
		return !machine && first.Coexists(second)
	}
	return true
}
