//go:build unix

package lab

import (
	"fmt"
	"slices"
	"syscall"
)

const manager = "kube-controller-manager"

// StartManager starts a kube-controller-manager. A second one becomes the leader when the lease of the first one
// expires.
func (c *ControlPlane) StartManager() error {
	kubeconfig, err := c.writeKubeconfig("system:" + manager)
	if err != nil {
		return err
	}
	file := c.pki.path
	args := []string{
		"--kubeconfig=" + kubeconfig, "--secure-port=0", "--use-service-account-credentials=true",
		"--service-account-private-key-file=" + file("service-account", "key"), "--root-ca-file=" + file("ca", "crt"),
		"--cluster-signing-cert-file=" + file("ca", "crt"), "--cluster-signing-key-file=" + file("ca", "key"),
	}
	return c.run(manager, append(args, c.controllerArgs...)...)
}

// KillManager kills the oldest kube-controller-manager like a crash: its lease remains.
func (c *ControlPlane) KillManager() error {
	i := slices.IndexFunc(c.processes, func(p *process) bool { return p.name == manager })
	if i < 0 {
		return fmt.Errorf("end %s: none runs", manager)
	}
	p := c.processes[i]
	c.processes = slices.Delete(c.processes, i, i+1)
	if err := syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		return fmt.Errorf("end %s: %w", manager, err)
	}
	<-p.done
	return nil
}
