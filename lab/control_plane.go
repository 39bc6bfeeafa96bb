//go:build unix

package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Options configures a control plane. The zero value starts everything in a temporary folder.
type Options struct {
	// Dir is the folder of all files and is kept at Stop; empty: a temporary folder that Stop removes.
	Dir string
	// Still starts no controllers and no scheduler: objects do not change.
	Still bool
	// Audit writes the metadata of every request to AuditLog.
	Audit bool
	// Additional command line arguments.
	APIServerArgs, ControllerArgs, SchedulerArgs []string
	// ServiceAccounts requires a service account for each pod, and mounts its token. Most tests start pods without one.
	ServiceAccounts bool
	// Machines prepares for real nodes, see AddMachine.
	Machines bool
	// Kubernetes is the minor version of all programs, "1.31", one of Releases; empty: that of KubernetesVersion.
	Kubernetes string
	// Log gets the progress of a first build; nil: no output.
	Log io.Writer
}

// ControlPlane is a running control plane.
type ControlPlane struct {
	Dir        string
	Kubeconfig string // of a user in system:masters
	AuditLog   string // path; empty without Options.Audit
	Etcd       string // its client URL, see Store

	keep      bool
	bin       string
	minor     string // see Options.Kubernetes
	log       io.Writer
	pki       *authority
	server    string
	processes []*process

	controllerArgs []string
	nodes          nodes
	hub            *hub // of the machines; nil without Options.Machines
}

const (
	readyTimeout = 5 * time.Minute // a busy machine is slow; usually it takes four seconds, and an exited process is detected at once
	attempts     = 3               // another process may take a free port before it is used
)

// Start builds missing programs and starts a control plane that is ready to use.
func Start(ctx context.Context, opt Options) (*ControlPlane, error) {
	if opt.Log == nil {
		opt.Log = io.Discard
	}
	bin, err := BuildRelease(ctx, opt.Kubernetes, opt.Machines, opt.Log)
	if err != nil {
		return nil, err
	}
	var last error
	for range attempts {
		c := &ControlPlane{Dir: opt.Dir, keep: opt.Dir != "", bin: bin, minor: opt.Kubernetes, log: opt.Log}
		if last = c.start(ctx, opt); last == nil {
			return c, nil
		}
		c.Stop()
		if !strings.Contains(last.Error(), "address already in use") {
			break
		}
	}
	return nil, last
}

func (c *ControlPlane) start(ctx context.Context, opt Options) (err error) {
	if err := c.prepare(); err != nil {
		return err
	}
	etcdPort, peerPort, port, err := freePorts()
	if err != nil {
		return err
	}
	c.Etcd, c.server = loopback(etcdPort), loopback(port)
	if err := os.WriteFile(c.pki.path("etcd", "address"), []byte(c.Etcd), 0o600); err != nil {
		return err
	}
	if c.Kubeconfig, err = c.writeKubeconfig("admin"); err != nil {
		return err
	}
	if opt.Machines {
		if c.hub, err = startHub(ctx, c.Dir, c.server); err != nil {
			return err
		}
	}
	if err := c.run("etcd", c.etcdArgs(peerPort)...); err != nil {
		return err
	}
	args, err := c.apiServerArgs(port, opt)
	if err != nil {
		return err
	}
	if err := c.run("kube-apiserver", args...); err != nil {
		return err
	}
	if err := c.waitReady(ctx); err != nil {
		return err
	}
	if opt.Still {
		return nil
	}
	return c.startControllers(opt)
}

// prepare creates the folder of the control plane, with its certificates.
func (c *ControlPlane) prepare() (err error) {
	if c.keep {
		err = os.MkdirAll(c.Dir, 0o700)
	} else {
		c.Dir, err = os.MkdirTemp("", "nodetriage-lab-")
	}
	if err != nil {
		return fmt.Errorf("make folder of the control plane: %w", err)
	}
	if c.pki, err = newAuthority(c.Dir); err != nil {
		return fmt.Errorf("make certificates: %w", err)
	}
	for name, organization := range map[string]string{
		"apiserver": "", "kubelet-client": "system:masters", "admin": "system:masters", "service-account": "",
		"system:kube-controller-manager": "", "system:kube-scheduler": "",
	} {
		if err := c.pki.issue(name, name, organization); err != nil {
			return fmt.Errorf("make certificates: %w", err)
		}
	}
	return nil
}

func (c *ControlPlane) run(name string, args ...string) error {
	p, err := start(name, filepath.Join(c.bin, name), c.Dir, args...)
	if err != nil {
		return err
	}
	c.processes = append(c.processes, p)
	return nil
}

// RestartControllers stops the controller manager and starts it again.
func (c *ControlPlane) RestartControllers() error {
	for i, p := range c.processes {
		if p.name == "kube-controller-manager" {
			p.stop()
			again, err := start(p.name, p.cmd.Path, c.Dir, p.cmd.Args[1:]...)
			if err == nil {
				c.processes[i] = again
			}
			return err
		}
	}
	return errors.New("restart the controllers: there are none in this control plane")
}

func (c *ControlPlane) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	client, err := c.Client()
	if err != nil {
		return err
	}
	for {
		for _, p := range c.processes {
			if err := p.ended(); err != nil {
				return err
			}
		}
		answer, err := client.Discovery().RESTClient().Get().AbsPath("/readyz").Timeout(10 * time.Second).DoRaw(ctx)
		if err == nil && string(answer) == "ok" {
			return nil
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("wait for the API server (%s): %w", filepath.Join(c.Dir, "kube-apiserver.log"), errors.Join(ctx.Err(), err))
		}
	}
}

// Config returns the client configuration of a user in system:masters, without a rate limit.
func (c *ControlPlane) Config() (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("read kubeconfig of the lab: %w", err)
	}
	config.QPS = -1
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	return config, nil
}

// Client returns a client of a user in system:masters.
func (c *ControlPlane) Client() (*kubernetes.Clientset, error) {
	config, err := c.Config()
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfig(config)
}

// Stop stops all nodes and processes and removes the temporary folder.
func (c *ControlPlane) Stop() {
	c.stopNodes()
	for i := len(c.processes) - 1; i >= 0; i-- {
		c.processes[i].stop()
	}
	c.processes = nil
	if c.hub != nil {
		c.hub.close()
		c.hub = nil
	}
	if !c.keep && c.Dir != "" {
		os.RemoveAll(c.Dir)
	}
}

func loopback(port int) string { return "https://127.0.0.1:" + strconv.Itoa(port) }

func freePorts() (a, b, c int, err error) {
	var ports [3]int
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return 0, 0, 0, fmt.Errorf("find a free port: %w", err)
		}
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports[0], ports[1], ports[2], nil
}
