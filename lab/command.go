//go:build linux

package lab

import (
	"context"
	"os/exec"
)

// Command is a program to be started in the machine. The process is nsenter's; its only child is the program.
func (m *Machine) Command(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "nsenter", m.enter(args...)...)
}
