//go:build linux

package lab

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Machine is a real node: containerd, runc, CNI plugins and a kubelet in separate process, mount, network and UTS
// namespaces. The namespaces and everything in them end with their first process.
type Machine struct {
	Name    string
	Address string // in the network of the lab
	dir     string
	plane   *ControlPlane
	hub     *hub
	port    string // its end of the cable, in the hub
	keeper  keeper
	init    *process
	pid     int // of the first process, in the PID namespace of the host
	born    time.Time
	ahead   atomic.Int64 // offset from the true time, in seconds
	cgroups []string
	units   map[string]Unit
}

// Units of a machine.
const (
	Kubelet    = "kubelet"
	Containerd = "containerd"
)

// CanRunMachines reports what this host is missing for real nodes; nil: nothing.
func CanRunMachines() error {
	if os.Getuid() != 0 {
		return errors.New("real nodes need root")
	}
	var missing []string
	for program, pkg := range map[string]string{
		"ip": "iproute2", "unshare": "util-linux", "nsenter": "util-linux", "mount": "mount", "gcc": "gcc and libc6-dev", "pkg-config": "pkg-config",
		"mkfs.ext4": "e2fsprogs", "hostname": "hostname", "iptables": "iptables",
	} {
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, pkg)
		}
	}
	if err := exec.Command("pkg-config", "--exists", "libseccomp").Run(); err != nil && len(missing) == 0 {
		missing = append(missing, "libseccomp-dev")
	}
	if len(missing) > 0 {
		return fmt.Errorf("real nodes need the Debian packages %s", strings.Join(missing, ", "))
	}
	if out, err := exec.Command("unshare", "--net", "--mount", "--pid", "--fork", "ip", "link", "add", "type", "bridge").CombinedOutput(); err != nil {
		return fmt.Errorf("real nodes need namespaces and the kernel's bridge: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// inotifyOfMachine is the number of inotify instances of one real node and its clients; measured, with a margin.
const inotifyOfMachine = 13

// MachinesAtOnce returns the number of real nodes that this host supports in parallel. All run as one user, and the
// kernel limits the inotify instances of a user (fs.inotify.max_user_instances, 128 by default). It is at least two.
func MachinesAtOnce() int {
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_user_instances")
	limit, bad := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || bad != nil {
		limit = 128
	}
	return max(2, limit/inotifyOfMachine)
}

// AddMachine adds a real node and waits until it is Ready.
func (c *ControlPlane) AddMachine(ctx context.Context) (*Machine, error) {
	return c.addMachine(ctx, plain{})
}

// AddSystemd adds a real node with systemd as its first process, and waits until it is Ready.
func (c *ControlPlane) AddSystemd(ctx context.Context) (*Machine, error) {
	root, err := BuildRoot(ctx, c.log)
	if err != nil {
		return nil, err
	}
	return c.addMachine(ctx, systemd{root: root})
}

func (c *ControlPlane) addMachine(ctx context.Context, k keeper) (*Machine, error) {
	if c.hub == nil {
		return nil, errors.New("add a real node: the control plane was started without Options.Machines")
	}
	index := c.nextNode()
	m := &Machine{
		Name: fmt.Sprintf("real-%d", index), Address: hubNet + strconv.Itoa(index+1), plane: c, hub: c.hub, port: fmt.Sprintf("port%d", index),
		keeper: k, units: map[string]Unit{}, born: time.Now(),
	}
	m.dir = filepath.Join(c.Dir, "machines", m.Name)
	c.nodes.mu.Lock()
	if c.nodes.machines == nil {
		c.nodes.machines = map[string]*Machine{}
	}
	c.nodes.machines[m.Name] = m
	c.nodes.mu.Unlock()
	for _, step := range []func(context.Context) error{m.powerOn, m.connect, m.install, m.startRuntime, m.startKubelet, m.waitReady} {
		if err := step(ctx); err != nil {
			return m, fmt.Errorf("start node %s: %w", m.Name, err)
		}
	}
	return m, nil
}

// Systemd reports whether the first process of the machine is systemd.
func (m *Machine) Systemd() bool { _, is := m.keeper.(systemd); return is }

func (m *Machine) powerOn(ctx context.Context) error {
	for _, dir := range []string{"opt/cni/bin", "lib/kubelet/pki", "lib/containerd", "log/pods", "etc/cni/net.d", "etc/kubernetes/manifests", "work"} {
		if err := os.MkdirAll(filepath.Join(m.dir, dir), 0o755); err != nil {
			return err
		}
	}
	var err error
	if m.cgroups, err = makeCgroups(m.cgroup()); err != nil {
		return err
	}
	return m.keeper.boot(ctx, m)
}

// begin starts the first process of the machine with unshare, and waits until it has created the file booted.
func (m *Machine) begin(ctx context.Context, program string, args ...string) error {
	var err error
	if m.init, err = start("machine", program, m.dir, args...); err != nil {
		return err
	}
	err = poll(ctx, "the machine boots", func() error {
		if err := m.init.ended(); err != nil {
			return err
		}
		_, err := os.Stat(filepath.Join(m.dir, "booted"))
		return err
	})
	if err != nil {
		return err
	}
	parent := m.init.cmd.Process.Pid
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", parent, parent))
	if err != nil {
		return fmt.Errorf("find the machine's first process: %w", err)
	}
	m.pid, err = strconv.Atoi(strings.TrimSpace(string(children)))
	if err != nil {
		return fmt.Errorf("find the machine's first process: %w", err)
	}
	return nil
}

func (m *Machine) connect(ctx context.Context) error {
	pid := strconv.Itoa(m.pid)
	for _, args := range [][]string{
		{"link", "add", m.port, "type", "veth", "peer", "name", "eth0", "netns", pid},
		{"link", "set", m.port, "master", "br0", "up"},
	} {
		if err := m.hub.ip(ctx, args...); err != nil {
			return err
		}
	}
	return m.keeper.address(ctx, m)
}

// enter returns the command line that runs a program in the machine.
func (m *Machine) enter(args ...string) []string {
	return slices.Concat([]string{"-t", strconv.Itoa(m.pid)}, m.keeper.enter(), []string{"--"}, args)
}

// Run runs a command in the machine and returns its output.
func (m *Machine) Run(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "nsenter", m.enter(args...)...).CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return string(out), nil
}

// SignalFirst sends a signal to the first process of the machine.
func (m *Machine) SignalFirst(s syscall.Signal) error { return syscall.Kill(m.pid, s) }

// Path returns the path on the host of a file of the machine.
func (m *Machine) Path(name string) string {
	return fmt.Sprintf("/proc/%d/root%s", m.pid, name)
}

// Log returns the path of the log of a unit, on a machine without systemd.
func (m *Machine) Log(unit string) string { return filepath.Join(m.dir, unit+".log") }

// Unit returns a program of the machine.
func (m *Machine) Unit(name string) Unit { return m.units[name] }

func (m *Machine) addUnit(name string, args ...string) error {
	u, err := m.keeper.unit(m, name, args...)
	if err != nil {
		return fmt.Errorf("make unit %s of node %s: %w", name, m.Name, err)
	}
	m.units[name] = u
	return u.Start()
}

func (m *Machine) startRuntime(ctx context.Context) error {
	if err := m.addUnit(Containerd, "/usr/local/bin/containerd", "--config=/etc/containerd/config.toml"); err != nil {
		return err
	}
	err := poll(ctx, "containerd answers", func() error {
		_, err := m.Run(ctx, "timeout", "10", "/usr/local/bin/ctr", "version")
		return err
	})
	if err != nil {
		return err
	}
	_, err = m.Run(ctx, "/usr/local/bin/ctr", "-n", "k8s.io", "images", "import", "/var/lib/pause.tar")
	if err != nil {
		return err
	}
	_, err = m.Run(ctx, "/usr/local/bin/ctr", "-n", "k8s.io", "images", "label", Image, "io.cri-containerd.pinned=pinned")
	return err
}

func (m *Machine) startKubelet(context.Context) error {
	return m.addUnit(Kubelet, "/usr/local/bin/kubelet", "--config=/var/lib/kubelet/config.yaml", "--kubeconfig=/etc/kubernetes/kubelet.conf",
		"--hostname-override="+m.Name, "--node-ip="+m.Address, "--v=2")
}

func (m *Machine) waitReady(ctx context.Context) error {
	client, err := m.plane.Client()
	if err != nil {
		return err
	}
	err = poll(ctx, "the node is Ready", func() error {
		node, err := client.CoreV1().Nodes().Get(ctx, m.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		for _, c := range node.Status.Conditions {
			if c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue {
				return nil
			} else if c.Type == corev1.NodeReady {
				err = errors.New(c.Message)
			}
		}
		return errors.Join(err, errors.New("not Ready"))
	})
	if err != nil {
		said, _ := m.Unit(Kubelet).Said("")
		err = fmt.Errorf("%w; the kubelet's last words: %s", err, lastOf(said))
	}
	return err
}

// Cut and Mend disconnect and reconnect the cable of the machine.
func (m *Machine) Cut(ctx context.Context) error {
	return m.hub.ip(ctx, "link", "set", m.port, "nomaster", "down")
}

func (m *Machine) Mend(ctx context.Context) error {
	return m.hub.ip(ctx, "link", "set", m.port, "master", "br0", "up")
}

// nowhere is an unused link-layer address: packets to it are lost.
const nowhere = "02:00:00:00:00:01"

// CutOut and MendOut affect packets from the machine, CutIn and MendIn packets to it.
func (m *Machine) CutOut(ctx context.Context) error {
	_, err := m.Run(ctx, "ip", "neigh", "replace", hubAddress, "lladdr", nowhere, "dev", "eth0", "nud", "permanent")
	return err
}

func (m *Machine) MendOut(ctx context.Context) error {
	_, err := m.Run(ctx, "ip", "neigh", "del", hubAddress, "dev", "eth0")
	return err
}

func (m *Machine) CutIn(ctx context.Context) error {
	return m.hub.ip(ctx, "neigh", "replace", m.Address, "lladdr", nowhere, "dev", "br0", "nud", "permanent")
}

func (m *Machine) MendIn(ctx context.Context) error {
	return m.hub.ip(ctx, "neigh", "del", m.Address, "dev", "br0")
}

// BlockServer and UnblockServer simulate a firewall: packets from the machine to the API server port are dropped, all
// others pass.
func (m *Machine) BlockServer(ctx context.Context) error { return m.serverRule(ctx, "-I") }

func (m *Machine) UnblockServer(ctx context.Context) error { return m.serverRule(ctx, "-D") }

// BlockKubelet and UnblockKubelet simulate a firewall: packets to the kubelet port are dropped, all others pass.
func (m *Machine) BlockKubelet(ctx context.Context) error { return m.kubeletRule(ctx, "-I") }

func (m *Machine) UnblockKubelet(ctx context.Context) error { return m.kubeletRule(ctx, "-D") }

// LosePackets and KeepPackets simulate a bad cable: this percentage of packets is lost at random, in both directions.
func (m *Machine) LosePackets(ctx context.Context, percent int) error {
	return m.lossRules(ctx, "-I", percent)
}

func (m *Machine) KeepPackets(ctx context.Context, percent int) error {
	return m.lossRules(ctx, "-D", percent)
}

func (m *Machine) lossRules(ctx context.Context, do string, percent int) error {
	chance := fmt.Sprintf("0.%02d", percent)
	return errors.Join(
		m.hub.run(ctx, "iptables", "-w", do, "INPUT", "-s", m.Address, "-m", "statistic", "--mode", "random", "--probability", chance, "-j", "DROP"),
		m.hub.run(ctx, "iptables", "-w", do, "OUTPUT", "-d", m.Address, "-m", "statistic", "--mode", "random", "--probability", chance, "-j", "DROP"))
}

func (m *Machine) kubeletRule(ctx context.Context, do string) error {
	return m.hub.run(ctx, "iptables", "-w", do, "OUTPUT", "-d", m.Address, "-p", "tcp", "--dport", "10250", "-j", "DROP")
}

func (m *Machine) serverRule(ctx context.Context, do string) error {
	return m.hub.run(ctx, "iptables", "-w", do, "INPUT", "-s", m.Address, "-p", "tcp", "--dport", "6443", "-j", "DROP")
}

// powerOff ends everything in the machine.
func (m *Machine) powerOff() {
	m.keeper.off(m)
	if m.init != nil {
		m.init.stop()
	}
	for range 600 { // until the kernel has reaped the last process, which takes long on a busy machine
		if removeCgroups(m.cgroups) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// poll retries until it succeeds or the expected event can no longer happen, for at most readyTimeout, and then returns
// the last error.
func poll(ctx context.Context, what string, try func() error) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		err := try()
		if err == nil || errors.Is(err, errEnded) {
			return err
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("wait until %s: %w: %w", what, ctx.Err(), err)
		}
	}
}

func inHub(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && strings.HasPrefix(host, hubNet)
}

// NodeCheck returns the command line of node-check on the machine. The kernel log belongs to the host, so messages from
// before the start of this machine are ignored.
func (m *Machine) NodeCheck(nodetriage string) []string {
	return m.Timed(nodetriage, "node-check", "-o", "json", "--since", time.Since(m.born).Round(time.Second).String())
}

// Report returns the output of node-check on the machine, as JSON.
func (m *Machine) Report(ctx context.Context, nodetriage string) ([]byte, error) {
	program, err := m.keeper.program(m, nodetriage)
	if err != nil {
		return nil, fmt.Errorf("give node %s the program: %w", m.Name, err)
	}
	out, err := exec.CommandContext(ctx, "nsenter", m.enter(m.NodeCheck(program)...)...).Output()
	if len(out) == 0 {
		return nil, fmt.Errorf("ask node %s what it knows: %w", m.Name, err)
	}
	return out, nil
}
