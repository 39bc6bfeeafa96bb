package agent

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// cni reads the CNI configuration that the runtime uses, the pod CIDR of the node, and each plugin binary: present,
// executable, version. It runs nothing because Go binaries contain their version.
func cni(_ context.Context, h *Host, r *nodereport.Report) error {
	c := &nodereport.CNI{ConfigDir: h.configured(confDirLine, "/etc/cni/net.d"), BinDir: h.configured(binDirLine, "/opt/cni/bin")}
	configs, err := h.list(c.ConfigDir)
	switch {
	case err == nil || errors.Is(err, fs.ErrNotExist):
		c.Configs = []string{}
	default:
		gap(r, "network configuration", err, shell.Format("ls -l {folder}", c.ConfigDir))
	}
	for _, e := range configs {
		if !e.IsDir() {
			c.Configs = append(c.Configs, e.Name())
		}
	}
	binaries, err := h.list(c.BinDir)
	switch {
	case err == nil || errors.Is(err, fs.ErrNotExist):
		c.Binaries = []string{}
	default:
		gap(r, "network plugins", err, shell.Format("ls -l {folder}", c.BinDir))
	}
	for _, e := range binaries {
		if len(c.Binaries) < 200 && !e.IsDir() {
			c.Binaries = append(c.Binaries, e.Name())
		}
	}
	n, err := h.network(c)
	if err != nil {
		gap(r, "network configuration", err, shell.Format("cat {folder}/*", c.ConfigDir))
	}
	if n != nil {
		for i := range n.Plugins {
			h.plugin(c, &n.Plugins[i])
		}
		h.flannelRange(n)
		c.Network = n
	}
	if len(c.Configs) > 0 {
		c.Ref = fmt.Sprintf("%s: %s", c.ConfigDir, strings.Join(c.Configs, " "))
	}
	r.CNI = c
	return nil
}

// network reads the file that the runtime uses: the first name with a CNI extension (containernetworking/cni
// libcni/conf.go ConfFiles, v1.3). An unreadable file returns an error and no network, because the runtime may still be
// able to read it.
func (h *Host) network(c *nodereport.CNI) (*nodereport.Network, error) {
	for _, name := range c.Configs { // sorted by name
		if !slices.Contains([]string{".conf", ".conflist", ".json"}, path.Ext(name)) {
			continue
		}
		n := &nodereport.Network{File: path.Join(c.ConfigDir, name)}
		data, err := h.read(n.File, maxFile)
		if errors.Is(err, fs.ErrPermission) {
			return nil, err
		}
		if err == nil {
			err = nodereport.ReadNetwork(data, n)
		}
		if err != nil {
			n.Error = wording.Cut(err.Error(), 300)
		}
		return n, nil
	}
	return nil, nil
}

// flannelRange reads the pod CIDR from the file that the flannel agent writes for its plugin.
func (h *Host) flannelRange(n *nodereport.Network) {
	if !slices.ContainsFunc(n.Plugins, func(p nodereport.Plugin) bool { return p.Type == "flannel" }) {
		return
	}
	for line := range strings.Lines(h.text("/run/flannel/subnet.env")) {
		address, ok := strings.CutPrefix(strings.TrimSpace(line), "FLANNEL_SUBNET=")
		if prefix, err := netip.ParsePrefix(address); ok && err == nil {
			n.Ranges, n.Bridge = append(n.Ranges, prefix.Masked().String()), "cni0"
		}
	}
}

// plugin checks the binary of a plugin. A type is a file name, never a path.
func (h *Host) plugin(c *nodereport.CNI, p *nodereport.Plugin) {
	if c.Binaries == nil || strings.ContainsRune(p.Type, '/') {
		return
	}
	name := path.Join(c.BinDir, p.Type)
	info, err := h.stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.State = "missing"
		return
	case err != nil:
		return
	case !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0:
		p.State = "not-executable"
		return
	case info.Size() == 0:
		p.State = "empty"
		return
	}
	p.State = "ok"
	f, err := h.open(name)
	if err != nil {
		return
	}
	defer f.Close()
	if built, err := buildinfo.Read(f); err == nil {
		if p.Version = built.Main.Version; p.Version == "(devel)" {
			p.Version = ""
		}
	}
}
