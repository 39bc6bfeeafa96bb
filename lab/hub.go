//go:build linux

package lab

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// The network of the machines exists only in namespaces: a hub with a bridge, and a cable to each machine. The host
// does not see it, so labs with the same addresses can run in parallel.
const (
	hubNet        = "10.77.0."
	hubAddress    = hubNet + "1"
	MachineServer = "https://" + hubAddress + ":6443"
)

// hub is this network and its two exits: machines reach the API server at MachineServer, and the API server reaches
// kubelets through a proxy on a socket.
type hub struct {
	holder *process
	way    net.Listener // for machines
	proxy  net.Listener // for the API server
	// resolver answers at its address, if enabled.
	resolver *process
}

const hubBoot = `set -e
ip link set lo up
ip link add br0 type bridge
ip addr add ` + hubAddress + `/24 dev br0
ip link set br0 up
echo booted > hub.booted
while :; do sleep 1000; done
`

const egressSelection = `apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection:
    proxyProtocol: HTTPConnect
    transport: {uds: {udsName: %s}}
`

// egressFile writes the egress configuration for kubelets.
func egressFile(dir string) (string, error) {
	path := filepath.Join(dir, "egress.yaml")
	return path, os.WriteFile(path, fmt.Appendf(nil, egressSelection, egressSocket(dir)), 0o600)
}

// startHub starts the network in dir; server is the address of the API server.
func startHub(ctx context.Context, dir, server string) (*hub, error) {
	h := &hub{}
	var err error
	if h.holder, err = start("hub", "unshare", dir, "--net", "sh", "-c", hubBoot); err != nil {
		return nil, err
	}
	err = poll(ctx, "the network of the machines is there", func() error {
		if err := h.holder.ended(); err != nil {
			return err
		}
		_, err := os.Stat(filepath.Join(dir, "hub.booted"))
		return err
	})
	if err != nil {
		h.close()
		return nil, err
	}
	if err = h.inside(func() (err error) { h.way, err = net.Listen("tcp4", hubAddress+":6443"); return }); err == nil {
		h.proxy, err = net.Listen("unix", egressSocket(dir))
	}
	if err != nil {
		h.close()
		return nil, fmt.Errorf("open the ways of the machines' network: %w", err)
	}
	go serve(h.way, func(conn net.Conn) {
		if api, err := net.Dial("tcp", strings.TrimPrefix(server, "https://")); err == nil {
			join(conn, api, conn)
		}
	})
	go serve(h.proxy, h.connect)
	return h, nil
}

func egressSocket(dir string) string { return filepath.Join(dir, "egress") }

// connect answers one CONNECT of the API server.
func (h *hub) connect(conn net.Conn) {
	in := bufio.NewReader(conn)
	r, err := http.ReadRequest(in)
	if err != nil || r.Method != http.MethodConnect {
		return
	}
	var there net.Conn
	dial := func() (err error) { there, err = net.DialTimeout("tcp4", r.Host, 10*time.Second); return }
	if inHub(r.Host) {
		err = h.inside(dial)
	} else {
		err = dial()
	}
	if err != nil {
		fmt.Fprintf(conn, "HTTP/1.1 503 %s\r\n\r\n", err)
		return
	}
	fmt.Fprint(conn, "HTTP/1.1 200 OK\r\n\r\n")
	join(conn, there, in)
}

// join copies bytes in both directions until one side ends.
func join(a, b net.Conn, fromA io.Reader) {
	defer b.Close()
	ended := make(chan struct{}, 2)
	go func() { io.Copy(b, fromA); ended <- struct{}{} }()
	go func() { io.Copy(a, b); ended <- struct{}{} }()
	<-ended
}

// serve passes each connection to f and closes it afterwards.
func serve(l net.Listener, f func(net.Conn)) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			f(conn)
		}()
	}
}

// inside calls f on a thread in the network of the hub. Sockets stay there when the thread leaves.
func (h *hub) inside(f func() error) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		there, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", h.holder.cmd.Process.Pid))
		if err == nil {
			err = unix.Setns(int(there.Fd()), unix.CLONE_NEWNET)
			there.Close()
		}
		if err == nil {
			err = f()
		}
		result <- err
	}()
	return <-result
}

// ip runs the ip command in the hub.
func (h *hub) ip(ctx context.Context, args ...string) error {
	return h.run(ctx, append([]string{"ip"}, args...)...)
}

// run runs a command in the network of the hub.
func (h *hub) run(ctx context.Context, args ...string) error {
	enter := append([]string{"-t", strconv.Itoa(h.holder.cmd.Process.Pid), "-n"}, args...)
	if out, err := exec.CommandContext(ctx, "nsenter", enter...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}

func (h *hub) close() {
	for _, l := range []net.Listener{h.way, h.proxy} {
		if l != nil {
			l.Close()
		}
	}
	if h.resolver != nil {
		h.resolver.stop()
	}
	h.holder.stop()
}
