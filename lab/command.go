//go:build linux

package lab

import (
	"context"
	"os/exec"
)

// Command returns a program to start in the machine. The process is nsenter; its only child is the program.
func (m *Machine) Command(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "nsenter", m.enter(args...)...)
}
