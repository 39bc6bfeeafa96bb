package agent

import (
	"sync"
	"time"
)

// Carried is the state that one snapshot passes to the next, possibly in another process. Times are monotonic, since
// boot.
type Carried struct {
	Packets sentAndLost `json:"packets,omitzero"`
	Tallies totals      `json:"tallies,omitzero"`
	Clock   bothClocks  `json:"clock,omitzero"`
	// Out has the start times of calls that have not returned, by name. They are not repeated.
	Out map[string]time.Time `json:"out,omitempty"`
}

// Carried returns the state for the next snapshot.
func (a *Agent) Carried() Carried {
	return Carried{Packets: a.before.packets.get(), Tallies: a.before.tallies.get(), Clock: a.before.clock.get(), Out: a.absent.out()}
}

// Rest frees what only a snapshot needs. The caller may hang afterwards and would keep the memory.
func (a *Agent) Rest() { a.opt.Signatures = nil }

// before has the counters of the previous snapshot.
type before struct {
	packets mark[sentAndLost]
	tallies mark[totals]
	clock   mark[bothClocks]
}

func (c Carried) before() *before {
	b := &before{}
	b.packets.was, b.tallies.was, b.clock.was = c.Packets, c.Tallies, c.Clock
	return b
}

// mark is one value of the previous snapshot. A probe locks it while it runs.
type mark[T any] struct {
	mu  sync.Mutex
	was T
}

// get returns the value, or the zero value while an abandoned probe holds the lock.
func (m *mark[T]) get() (was T) {
	if m.mu.TryLock() {
		was = m.was
		m.mu.Unlock()
	}
	return was
}
