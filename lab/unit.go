//go:build linux

package lab

import (
	"fmt"
	"sync"
	"syscall"
	"time"
)

// restartAfter is how long a unit that ended waits for its next start.
const restartAfter = 2 * time.Second

// unit keeps a program of a machine running, as the machine's service manager would.
type unit struct {
	name string
	dir  string
	args func() []string // of nsenter, at each start

	mu     sync.Mutex
	now    *process
	wanted chan struct{} // closed when it shall not run any more; nil: stopped
}

// Start starts the unit and starts it again whenever it ends.
func (u *unit) Start() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.wanted != nil {
		return nil
	}
	p, err := start(u.name, "nsenter", u.dir, u.args()...)
	if err != nil {
		return err
	}
	u.now, u.wanted = p, make(chan struct{})
	go u.watch(p, u.wanted)
	return nil
}

func (u *unit) watch(p *process, wanted chan struct{}) {
	for {
		select {
		case <-wanted:
			return
		case <-p.done:
		}
		select {
		case <-wanted:
			return
		case <-time.After(restartAfter):
		}
		u.mu.Lock()
		select {
		case <-wanted:
			u.mu.Unlock()
			return
		default:
		}
		next, err := start(u.name, "nsenter", u.dir, u.args()...)
		if err == nil { // else: the next round tries again
			p, u.now = next, next
		}
		u.mu.Unlock()
	}
}

// Stop ends the program and leaves it so.
func (u *unit) Stop() {
	if p := u.give(); p != nil {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGCONT) // one that stands still hears nothing else
		p.stop()
	}
}

// give takes the program out of the unit's care.
func (u *unit) give() *process {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.wanted == nil {
		return nil
	}
	close(u.wanted)
	u.wanted = nil
	return u.now
}

// Restart is Stop and Start.
func (u *unit) Restart() error {
	u.Stop()
	return u.Start()
}

// Signal sends the program a signal, such as SIGSTOP.
func (u *unit) Signal(s syscall.Signal) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.wanted == nil {
		return fmt.Errorf("send %s to %s: it is stopped", s, u.name)
	}
	return syscall.Kill(-u.now.cmd.Process.Pid, s)
}
