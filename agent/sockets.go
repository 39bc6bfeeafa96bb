package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"syscall"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
)

// maxEndpoints bounds the number of sockets.
const maxEndpoints = 40

// endpoints connects to the sockets of CSI drivers, device plugins and the network agent. It sends nothing: the
// question is whether a process accepts the connection.
func endpoints(ctx context.Context, h *Host, r *nodereport.Report) error {
	root := h.kubelet().rootDir
	found := []nodereport.Endpoint{}
	add := func(kind, name string) {
		if info, err := h.stat(name); err == nil && info.Mode()&fs.ModeSocket != 0 && len(found) < maxEndpoints {
			found = append(found, nodereport.Endpoint{Path: name, Kind: kind})
		}
	}
	folder := func(kind, dir string) error {
		entries, err := h.list(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".sock") {
				add(kindOf(kind, e.Name()), path.Join(dir, e.Name()))
			}
		}
		return err
	}
	drivers, err := h.list(root + "/plugins")
	for _, e := range drivers {
		add("csi", path.Join(root, "plugins", e.Name(), "csi.sock"))
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	err = errors.Join(err, folder("plugin-registration", root+"/plugins_registry"), folder("device-plugin", root+"/device-plugins"), folder("kubelet", root+"/pod-resources"))
	for _, name := range components.AgentSockets() {
		add("network", name)
	}
	var done sync.WaitGroup
	for i := range found {
		done.Go(func() { h.connect(ctx, &found[i]) })
	}
	done.Wait()
	r.Endpoints = found
	return err
}

// kindOf returns the kind of a socket in a plugin folder, which also has the socket of the kubelet.
func kindOf(folder, name string) string {
	if name == "kubelet.sock" {
		return "kubelet"
	}
	return folder
}

func (h *Host) connect(ctx context.Context, e *nodereport.Endpoint) {
	ctx, cancel := context.WithTimeout(ctx, h.timeouts.endpoint)
	defer cancel()
	p, err := h.path(e.Path)
	if err == nil {
		conn, failed := h.system.dial(ctx, "unix", p)
		if err = failed; err == nil {
			conn.Close()
		}
	}
	switch {
	case err == nil:
		e.Answer = "ok"
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrNotExist):
		e.Answer = "refused"
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, context.DeadlineExceeded):
		e.Answer = "hung"
	default:
		e.Answer = "error"
	}
	e.Ref = fmt.Sprintf("%s: %s", e.Path, e.Answer)
	if err != nil {
		e.Ref += ": " + bareDial(err).Error()
	}
}
