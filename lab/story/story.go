//go:build linux

package story

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/lab/scenario"
)

// Kind is how two faults stand to each other.
type Kind string

// Kinds of stories.
const (
	After    Kind = "after"    // on one node, the second a while after the first was healed
	Beside   Kind = "beside"   // at once, on two nodes
	Together Kind = "together" // at once, on one node
)

// Story is what is played.
type Story struct {
	Name          string
	Kind          Kind
	First, Second string // scenarios
	// Distance is how long after the first was healed the second begins; of two at once: after the first began.
	Distance time.Duration
}

// distances of stories in which the second fault comes after the first is over; the last one is rare.
var distances = []time.Duration{5 * time.Second, 20 * time.Second, time.Minute, 5 * time.Minute}

// Plan chooses n stories by chance from those scenarios; the same seed gives the same stories.
func Plan(n int, seed uint64, from []scenario.Scenario) ([]Story, error) {
	from = slices.DeleteFunc(slices.Clone(from), func(s scenario.Scenario) bool { return s.Lone })
	chance := rand.New(rand.NewPCG(seed, 0))
	var out []Story
	for tries := 0; len(out) < n; tries++ {
		if tries > 1000*n || len(from) == 0 {
			return nil, fmt.Errorf("choose stories: of these %d scenarios no two go together", len(from))
		}
		kind := After
		switch k := chance.IntN(10); {
		case k >= 8:
			kind = Together
		case k >= 6:
			kind = Beside
		}
		first, second := from[chance.IntN(len(from))], from[chance.IntN(len(from))]
		distance := distances[min(chance.IntN(10)/3, len(distances)-1)]
		if kind != After {
			distance = time.Duration(chance.IntN(16)) * time.Second
		}
		if fits(kind, first, second) {
			s := Story{Kind: kind, First: first.Name, Second: second.Name, Distance: distance}
			s.Name = fmt.Sprintf("%d-%02d-%s-%s-%s", seed, len(out)+1, s.First, s.Kind, s.Second)
			out = append(out, s)
		}
	}
	return out, nil
}

func fits(kind Kind, first, second scenario.Scenario) bool {
	if first.Name == second.Name {
		return false
	}
	machine := (first.Real || second.Real) && (first.Hollow || second.Hollow)
	switch kind {
	case After:
		return !machine
	case Together:
		return !machine && first.Coexists(second)
	}
	return true
}
