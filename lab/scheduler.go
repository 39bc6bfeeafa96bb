//go:build unix

package lab

// StartScheduler starts the scheduler of a control plane with the option Still, with additional arguments.
func (c *ControlPlane) StartScheduler(args ...string) error {
	kubeconfig, err := c.writeKubeconfig("system:kube-scheduler")
	if err != nil {
		return err
	}
	return c.run("kube-scheduler", append([]string{"--kubeconfig=" + kubeconfig, "--secure-port=0"}, args...)...)
}
