//go:build unix

package lab

import (
	"context"
	"fmt"
	"slices"
)

// RestartAPIServer kills the API server and starts it again; it returns when it is ready. Controllers and scheduler
// exit when their leases expire meanwhile, and are restarted as a kubelet does.
func (c *ControlPlane) RestartAPIServer(ctx context.Context) error {
	i := slices.IndexFunc(c.processes, func(p *process) bool { return p.name == "kube-apiserver" })
	if i < 0 {
		return fmt.Errorf("restart the API server: it does not run")
	}
	c.processes[i].stop()
	var err error
	for range c.processes {
		if err = c.Revive(); err != nil {
			return err
		}
		if err = c.waitReady(ctx); err == nil {
			return c.Revive()
		}
	}
	return err
}

// Revive restarts exited programs.
func (c *ControlPlane) Revive() error {
	for i, p := range c.processes {
		if p.ended() == nil {
			continue
		}
		now, err := start(p.name, p.cmd.Path, c.Dir, p.cmd.Args[1:]...)
		if err != nil {
			return fmt.Errorf("start %s again: %w", p.name, err)
		}
		c.processes[i] = now
	}
	return nil
}
