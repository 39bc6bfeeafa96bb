package agent

import (
	"sync"
	"time"
)

// Carried is what one look leaves for the next, which another process may make. Times of it are since the boot, by the clock that
// nobody sets.
type Carried struct {
	Packets sentAndLost `json:"packets,omitzero"`
	Tallies totals      `json:"tallies,omitzero"`
	Clock   bothClocks  `json:"clock,omitzero"`
	// Out are the calls that have not come back, by name: since when. Nobody makes them again.
	Out map[string]time.Time `json:"out,omitempty"`
}

// Carried returns what the looks so far leave for the next.
func (a *Agent) Carried() Carried {
	return Carried{Packets: a.before.packets.get(), Tallies: a.before.tallies.get(), Clock: a.before.clock.get(), Out: a.absent.out()}
}

// Rest drops what only a look needs: what follows may hang, and would hold it.
func (a *Agent) Rest() { a.opt.Signatures = nil }

// before is what was counted at the look before.
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

// mark is one thing as it was at the look before. A probe holds it while it looks.
type mark[T any] struct {
	mu  sync.Mutex
	was T
}

// get returns what was marked, and nothing while a probe that was left behind holds it.
func (m *mark[T]) get() (was T) {
	if m.mu.TryLock() {
		was = m.was
		m.mu.Unlock()
	}
	return was
}
