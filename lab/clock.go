//go:build linux

package lab

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"time"
)

// TurnClock sets a clock offset for the machine and restarts runtime and kubelet with it, as after a boot without time
// synchronization. The offset applies to these two and to programs that are started with Timed, because namespaces do
// not cover the system clock.
func (m *Machine) TurnClock(ahead time.Duration) error {
	if skew == "" {
		return fmt.Errorf("set the clock of node %s: not implemented on %s", m.Name, runtime.GOARCH)
	}
	if err := errors.Join(m.Unit(Kubelet).Stop(), m.Unit(Containerd).Stop()); err != nil {
		return err
	}
	m.ahead.Store(int64(ahead / time.Second))
	return errors.Join(m.Unit(Containerd).Start(), m.Unit(Kubelet).Start())
}

// Timed returns the command line of a program that sees the clock of the machine.
func (m *Machine) Timed(args ...string) []string {
	if ahead := m.ahead.Load(); ahead != 0 {
		return append([]string{"/usr/local/bin/" + skew, strconv.FormatInt(ahead, 10)}, args...)
	}
	return args
}
