//go:build unix

package lab

import (
	"context"
	"fmt"
	"slices"
)

// RestartAPIServer kills the API server and starts it anew; it returns when it is ready.
func (c *ControlPlane) RestartAPIServer(ctx context.Context) error {
	i := slices.IndexFunc(c.processes, func(p *process) bool { return p.name == "kube-apiserver" })
	if i < 0 {
		return fmt.Errorf("restart the API server: it does not run")
	}
	old := c.processes[i]
	old.stop()
	now, err := start(old.name, old.cmd.Path, c.Dir, old.cmd.Args[1:]...)
	if err != nil {
		return err
	}
	c.processes[i] = now
	return c.waitReady(ctx)
}
