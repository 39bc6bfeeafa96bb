//go:build unix

package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata}]
`

func (c *ControlPlane) etcdArgs(peerPort int) []string {
	peer := "http://127.0.0.1:" + strconv.Itoa(peerPort) // the cluster has no other users
	return []string{
		"--data-dir=" + filepath.Join(c.Dir, "etcd"), "--unsafe-no-fsync", "--log-level=warn",
		"--quota-backend-bytes=" + strconv.Itoa(8<<30),
		"--listen-client-urls=" + c.Etcd, "--advertise-client-urls=" + c.Etcd,
		// There are no HTTP clients. If both share a port, gRPC goes through the slower HTTP handler.
		"--listen-client-http-urls=" + loopback(0),
		"--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer, "--initial-cluster=default=" + peer,
		"--cert-file=" + c.pki.path("apiserver", "crt"), "--key-file=" + c.pki.path("apiserver", "key"),
		"--trusted-ca-file=" + c.pki.path("ca", "crt"), "--client-cert-auth",
	}
}

func (c *ControlPlane) apiServerArgs(port int, opt Options) ([]string, error) {
	file := c.pki.path
	args := []string{
		"--etcd-servers=" + c.Etcd, "--etcd-cafile=" + file("ca", "crt"),
		"--etcd-certfile=" + file("apiserver", "crt"), "--etcd-keyfile=" + file("apiserver", "key"),
		"--bind-address=127.0.0.1", "--secure-port=" + strconv.Itoa(port),
		// There are no clients. Without this argument the server looks for an address of the host.
		"--advertise-address=192.0.2.1", "--endpoint-reconciler-type=none",
		"--tls-cert-file=" + file("apiserver", "crt"), "--tls-private-key-file=" + file("apiserver", "key"),
		"--client-ca-file=" + file("ca", "crt"), "--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction",
		"--kubelet-client-certificate=" + file("kubelet-client", "crt"), "--kubelet-client-key=" + file("kubelet-client", "key"),
		"--service-account-issuer=https://kubernetes.default.svc", "--service-cluster-ip-range=10.96.0.0/16",
		"--service-account-key-file=" + file("service-account", "crt"), "--service-account-signing-key-file=" + file("service-account", "key"),
		"--allow-privileged", "--kubelet-preferred-address-types=InternalIP",
	}
	if !opt.ServiceAccounts {
		args = append(args, "--disable-admission-plugins=ServiceAccount")
	}
	if opt.Machines {
		file, err := egressFile(c.Dir)
		if err != nil {
			return nil, fmt.Errorf("write the way to the kubelets: %w", err)
		}
		args = append(args, "--egress-selector-config-file="+file)
	}
	if opt.Audit {
		policy := filepath.Join(c.Dir, "audit-policy.yaml")
		if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
			return nil, err
		}
		c.AuditLog = filepath.Join(c.Dir, "audit.log")
		args = append(args, "--audit-policy-file="+policy, "--audit-log-path="+c.AuditLog)
	}
	return append(args, opt.APIServerArgs...), nil
}

// patientLeaders makes controllers and scheduler wait longer for the API server before they exit. On a busy host the
// API server sometimes does not answer for ten seconds, and the lab does not restart them as a kubelet would.
var patientLeaders = []string{"--leader-elect-lease-duration=30s", "--leader-elect-renew-deadline=25s"}

// startControllers starts controllers and scheduler; their leader election leases are in kube-system.
func (c *ControlPlane) startControllers(opt Options) error {
	c.controllerArgs = slices.Concat(patientLeaders, opt.ControllerArgs)
	if err := c.StartManager(); err != nil {
		return err
	}
	return c.StartScheduler(slices.Concat(patientLeaders, opt.SchedulerArgs)...)
}
