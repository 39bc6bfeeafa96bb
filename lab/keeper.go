//go:build linux

package lab

import (
	"context"
	"syscall"
)

// Unit is a supervised program of a machine.
type Unit interface {
	// Start starts the program, and restarts it whenever it ends.
	Start() error
	// Stop stops the program permanently.
	Stop() error
	// Restart is Stop and Start.
	Restart() error
	// Signal sends a signal to its main process, for example SIGSTOP.
	Signal(syscall.Signal) error
	// Mark returns the current end of its log.
	Mark() (string, error)
	// Said returns its log after that position; empty: all.
	Said(mark string) ([]byte, error)
}

// keeper supervises the units of a machine: the lab, with a first process that only waits, or systemd.
type keeper interface {
	// boot starts the first process of the machine and waits until units can be started.
	boot(ctx context.Context, m *Machine) error
	// address sets the address of the machine on its end of the cable.
	address(ctx context.Context, m *Machine) error
	// configure returns the differences between the files of a node and those of the lab.
	configure(m *Machine, file, text string) string
	// unit returns the unit of a program, not started yet.
	unit(m *Machine, name string, args ...string) (Unit, error)
	// enter returns the nsenter options for the namespaces of the machine.
	enter() []string
	// program returns the path of a host program in the machine.
	program(m *Machine, path string) (string, error)
	// showLogs makes the logs of the units visible at their usual paths until hide is called.
	showLogs(m *Machine) (hide func(), err error)
	// off stops the programs that the lab started for units.
	off(m *Machine)
}
