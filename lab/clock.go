//go:build linux

package lab

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"time"
)

// TurnClock makes the machine's clock differ from the true time, and starts runtime and kubelet again with it, as a boot
// after which no time service ran. It is the clock of those two, and of what is started with Timed: no namespace has one.
func (m *Machine) TurnClock(ahead time.Duration) error {
	if skew == "" {
		return fmt.Errorf("turn the clock of node %s: it is not known how on %s", m.Name, runtime.GOARCH)
	}
	if err := errors.Join(m.Unit(Kubelet).Stop(), m.Unit(Containerd).Stop()); err != nil {
		return err
	}
	m.ahead.Store(int64(ahead / time.Second))
	return errors.Join(m.Unit(Containerd).Start(), m.Unit(Kubelet).Start())
}

// Timed is the command line of a program that sees the machine's clock.
func (m *Machine) Timed(args ...string) []string {
	if ahead := m.ahead.Load(); ahead != 0 {
		return append([]string{"/usr/local/bin/" + skew, strconv.FormatInt(ahead, 10)}, args...)
	}
	return args
}
