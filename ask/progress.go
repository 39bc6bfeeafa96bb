package ask

import (
	"sync"

	"github.com/nodetriage/nodetriage/evidence"
)

// Progress is the progress of a reading. Phase is Begun in the first call and Ended in the last one.
type Progress struct {
	// Reading is what is read: "the cluster", "standard input" or a path.
	Reading string
	Phase   Phase
	// Objects reports whether objects of a cluster are counted, not bytes.
	Objects bool
	// Whole reports whether the whole cluster is read.
	Whole bool
	// Done is how much of Total was read. If Total is 0, the total is unknown.
	Done, Total int64
}

// Phase is the phase of a reading.
type Phase int

// Phases of a reading.
const (
	Begun Phase = iota
	Going
	Ended
)

// tell reports progress to the caller, if it wants it.
func (from *From) tell(p Progress) {
	if from.Progress != nil {
		from.Progress(p)
	}
}

// objects returns a function that counts the objects read from a cluster. Its argument is the current number of a kind.
func (from *From) objects(p Progress) func(evidence.Kind, int) {
	var mu sync.Mutex
	known := map[evidence.Kind]int{}
	p.Phase = Going
	return func(kind evidence.Kind, n int) {
		mu.Lock()
		defer mu.Unlock()
		if more := n - known[kind]; more > 0 {
			known[kind] = n
			p.Done += int64(more)
			from.tell(p)
		}
	}
}
