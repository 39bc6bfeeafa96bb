package ask

import (
	"sync"

	"github.com/nodetriage/nodetriage/evidence"
)

// Progress is how far a reading is. The first call for a reading has Phase Begun, the last one Ended.
type Progress struct {
	// Reading is what is read: "the cluster", "standard input" or a path.
	Reading string
	Phase   Phase
	// Objects: objects of a cluster are counted; else bytes.
	Objects bool
	// Whole: all of a cluster is read.
	Whole bool
	// Done is how much was read, of Total; Total 0: it is not known how much there is.
	Done, Total int64
}

// Phase is where in its life a reading is.
type Phase int

// The phases of a reading.
const (
	Begun Phase = iota
	Going
	Ended
)

// tell reports progress, if anybody wants to know.
func (from *From) tell(p Progress) {
	if from.Progress != nil {
		from.Progress(p)
	}
}

// objects counts the objects that arrive from a cluster. It is told how many of a kind there are by now.
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
