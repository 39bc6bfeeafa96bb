//go:build linux

package lab

import (
	"context"
	"syscall"
)

// Unit is a program of a machine that is kept running.
type Unit interface {
	// Start starts it, and from then on again whenever it ends.
	Start() error
	// Stop ends it and leaves it so.
	Stop() error
	// Restart is Stop and Start.
	Restart() error
	// Signal sends its main process a signal, such as SIGSTOP.
	Signal(syscall.Signal) error
	// Mark is the place at which its log ends now.
	Mark() (string, error)
	// Said is what stands in its log after that place; empty: all.
	Said(mark string) ([]byte, error)
}

// keeper is what keeps the units of a machine running: the lab, beside a first process that only waits, or systemd.
type keeper interface {
	// boot starts the machine's first process and waits until it is ready for units.
	boot(ctx context.Context, m *Machine) error
	// address gives the machine's end of the cable its address.
	address(ctx context.Context, m *Machine) error
	// configure says how the files of a node differ from those that are in the lab.
	configure(m *Machine, file, text string) string
	// unit is that program, not started yet.
	unit(m *Machine, name string, args ...string) (Unit, error)
	// enter are nsenter's options for the machine's namespaces.
	enter() []string
	// program is where the machine has a program of this computer.
	program(m *Machine, path string) (string, error)
	// showLogs puts the logs of the units where the machine looks for them, until hide.
	showLogs(m *Machine) (hide func(), err error)
	// off ends what the lab itself has started for units.
	off(m *Machine)
}
