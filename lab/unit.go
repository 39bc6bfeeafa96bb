//go:build linux

package lab

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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
func (u *unit) Stop() error {
	if p := u.give(); p != nil {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGCONT) // one that stands still hears nothing else
		p.stop()
	}
	return nil
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
	return errors.Join(u.Stop(), u.Start())
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

func (u *unit) log() string { return filepath.Join(u.dir, u.name+".log") }

// Mark is how long the log is.
func (u *unit) Mark() (string, error) {
	info, err := os.Stat(u.log())
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return strconv.FormatInt(info.Size(), 10), nil
}

// Said is the log after that length.
func (u *unit) Said(mark string) ([]byte, error) {
	data, err := os.ReadFile(u.log())
	if err != nil || mark == "" {
		return data, err
	}
	from, err := strconv.Atoi(mark)
	if err != nil {
		return nil, fmt.Errorf("read the log of %s: %w", u.name, err)
	}
	return data[min(from, len(data)):], nil
}
