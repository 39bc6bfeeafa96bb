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

// restartAfter is the delay before an exited unit is restarted.
const restartAfter = 2 * time.Second

// unit supervises a program of a machine, like its service manager.
type unit struct {
	name string
	dir  string
	args func() []string // of nsenter, at each start

	mu     sync.Mutex
	now    *process
	wanted chan struct{} // closed when the program must no longer run; nil: stopped
}

// Start starts the unit and restarts it whenever it ends.
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
		if err == nil { // otherwise the next round retries
			p, u.now = next, next
		}
		u.mu.Unlock()
	}
}

// Stop ends the program permanently.
func (u *unit) Stop() error {
	if p := u.give(); p != nil {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGCONT) // a stopped process handles no other signal
		p.stop()
	}
	return nil
}

// give releases the program from the unit.
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

// Signal sends a signal to the program, for example SIGSTOP.
func (u *unit) Signal(s syscall.Signal) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.wanted == nil {
		return fmt.Errorf("send %s to %s: it is stopped", s, u.name)
	}
	return syscall.Kill(-u.now.cmd.Process.Pid, s)
}

func (u *unit) log() string { return filepath.Join(u.dir, u.name+".log") }

// Mark returns the length of the log.
func (u *unit) Mark() (string, error) {
	info, err := os.Stat(u.log())
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return strconv.FormatInt(info.Size(), 10), nil
}

// Said returns the log after that length.
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
