package accuracy

import (
	"hash/fnv"
	"math/rand/v2"
)

// chance is the source of chance of one play: the same case, kind and seed give the same for ever.
func chance(seed uint64, about ...string) *rand.Rand {
	h := fnv.New64a()
	for _, s := range about {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
