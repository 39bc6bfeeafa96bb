package accuracy

import (
	"hash/fnv"
	"math/rand/v2"
)

// chance returns the random source of one play. The same case, kind and seed always give the same numbers.
func chance(seed uint64, about ...string) *rand.Rand {
	h := fnv.New64a()
	for _, s := range about {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
