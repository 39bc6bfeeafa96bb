package agent

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/nodereport"
)

// kubeletSetup reads the kubelet's configuration and flags: of the process only those that no file tells.
func kubeletSetup(s *setupReader) {
	k := s.h.kubelet()
	if k.configFile != "" {
		s.file(nodereport.SetupKubelet, k.configFile, nested)
	}
	if dir := k.flags["config-dir"]; dir != "" {
		s.folder(nodereport.SetupKubelet, dir, nested, ".conf")
	}
	for _, name := range []string{"/var/lib/kubelet/kubeadm-flags.env", "/etc/default/kubelet", "/etc/sysconfig/kubelet", "/etc/kubernetes/kubelet.env"} {
		s.file(nodereport.SetupKubelet, name, variables)
	}
	for _, name := range []string{"/etc/rancher/k3s/config.yaml", "/etc/rancher/rke2/config.yaml"} {
		s.file(nodereport.SetupKubelet, name, nested)
	}
}

// unitDirs are where systemd looks for units, the first that has one wins (systemd.unit(5)).
var unitDirs = []string{"/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"}

// unitSetup reads the files of the watched units, their drop-ins, and what makes systemd start them.
func unitSetup(s *setupReader) {
	known := ""
	for _, f := range s.out.Files {
		for name := range f.Settings {
			known += name + "\n"
		}
	}
	for _, unit := range append(slices.Clone(watchedUnits), "systemd-networkd.service", "NetworkManager.service", "iptables.service", "nftables.service", "firewalld.service", "apparmor.service") {
		for _, dir := range unitDirs {
			name := path.Join(dir, unit)
			if target, err := s.link(name); err == nil && target == "/dev/null" { // masked: systemd does not start it
				s.add(nodereport.SetupFile{Path: name, Area: nodereport.SetupUnits, Changed: s.linked(name)}, values{"masked": "yes"})
				break
			}
			if s.h.first([]string{name}) != "" {
				s.file(nodereport.SetupUnits, name, sections)
				break
			}
		}
		seen := map[string]bool{}
		for _, dir := range unitDirs {
			entries, _ := s.h.list(path.Join(dir, unit+".d")) // most units have none
			for _, e := range entries {
				if !seen[e.Name()] && strings.HasSuffix(e.Name(), ".conf") {
					s.file(nodereport.SetupUnits, path.Join(dir, unit+".d", e.Name()), sections)
				}
				seen[e.Name()] = true
			}
		}
	}
	wants, _ := s.h.list(unitDirs[0]) // without the folder nothing is enabled
	for _, e := range wants {
		if !strings.HasSuffix(e.Name(), ".wants") && !strings.HasSuffix(e.Name(), ".requires") {
			continue
		}
		dir := path.Join(unitDirs[0], e.Name())
		units, _ := s.h.list(dir) // nor by one that cannot be read
		enabled := values{}
		for _, u := range units {
			enabled[u.Name()] = "enabled"
		}
		s.add(nodereport.SetupFile{Path: dir, Area: nodereport.SetupUnits, Changed: s.changed(dir)}, enabled)
	}
	for _, name := range []string{"/etc/systemd/system.conf", "/etc/systemd/logind.conf"} {
		s.file(nodereport.SetupUnits, name, sections)
		s.folder(nodereport.SetupUnits, name+".d", sections, ".conf")
	}
	s.processFlags(known)
}

// processFlags adds the flags of the kubelet that runs which stand in no file that was read.
func (s *setupReader) processFlags(known string) {
	k := s.h.kubelet()
	if k.pid == 0 {
		return
	}
	for _, f := range s.out.Files {
		for _, v := range f.Settings {
			known += v + "\n"
		}
	}
	found := values{}
	for name, v := range k.flags {
		if !strings.Contains(known, "--"+name) {
			found["--"+name] = v
		}
	}
	if len(found) > 0 {
		s.add(nodereport.SetupFile{Path: "process kubelet", Area: nodereport.SetupKubelet}, found)
	}
}

// runtimeSetup reads the configuration of the container runtime.
func runtimeSetup(s *setupReader) {
	for _, name := range runtimeConfigs {
		s.file(nodereport.SetupRuntime, name, tomlTables)
	}
	s.folder(nodereport.SetupRuntime, "/etc/containerd/conf.d", tomlTables, ".toml")
	s.folder(nodereport.SetupRuntime, "/etc/containerd/config.d", tomlTables, ".toml")
	s.folder(nodereport.SetupRuntime, "/etc/crio/crio.conf.d", tomlTables, "")
	s.file(nodereport.SetupRuntime, "/etc/docker/daemon.json", nested)
	s.file(nodereport.SetupRuntime, "/etc/crictl.yaml", nested)
	for _, name := range []string{"/etc/default/containerd", "/etc/sysconfig/containerd", "/etc/default/docker", "/etc/sysconfig/docker"} {
		s.file(nodereport.SetupRuntime, name, variables)
	}
}

// registrySetup reads how the runtime reaches registries.
func registrySetup(s *setupReader) {
	for _, dir := range []string{"/etc/containerd/certs.d", "/etc/docker/certs.d"} {
		hosts, _ := s.h.list(dir) // most nodes have none
		for _, e := range hosts {
			s.file(nodereport.SetupRegistry, path.Join(dir, e.Name(), "hosts.toml"), tomlTables)
			s.digest(nodereport.SetupRegistry, path.Join(dir, e.Name(), "ca.crt"))
		}
	}
	s.file(nodereport.SetupRegistry, "/etc/containers/registries.conf", tomlTables)
	s.folder(nodereport.SetupRegistry, "/etc/containers/registries.conf.d", tomlTables, ".conf")
	s.file(nodereport.SetupRegistry, "/etc/rancher/k3s/registries.yaml", nested)
	s.file(nodereport.SetupRegistry, "/etc/rancher/rke2/registries.yaml", nested)
}

// networkSetup reads the pods' network and the node's own.
func networkSetup(s *setupReader) {
	s.folder(nodereport.SetupCNI, s.h.configured(confDirLine, "/etc/cni/net.d"), nested, ".conf", ".conflist", ".json")
	for _, dir := range []string{"/etc/systemd/network", "/run/systemd/network"} {
		s.folder(nodereport.SetupNetwork, dir, sections, ".network", ".netdev", ".link")
	}
	s.folder(nodereport.SetupNetwork, "/etc/netplan", nested, ".yaml")
}

// nameSetup reads how names are resolved, and who stands between the node and the world.
func nameSetup(s *setupReader) {
	s.file(nodereport.SetupDNS, "/etc/resolv.conf", lines(1))
	if name := s.h.kubelet().config.ResolverConfig; name != "" && name != "/etc/resolv.conf" {
		s.file(nodereport.SetupDNS, name, lines(1))
	}
	s.file(nodereport.SetupDNS, "/etc/systemd/resolved.conf", sections)
	s.folder(nodereport.SetupDNS, "/etc/systemd/resolved.conf.d", sections, ".conf")
	s.file(nodereport.SetupDNS, "/etc/nsswitch.conf", lines(1))
	s.file(nodereport.SetupDNS, "/etc/hosts", hostNames)
	s.file(nodereport.SetupProxy, "/etc/environment", variables)
	s.folder(nodereport.SetupProxy, "/etc/apt/apt.conf.d", aptProxy, "")
}

// aptProxy are the lines of apt.conf(5) that name a proxy.
func aptProxy(text string) (values, error) {
	all, err := lines(1)(text)
	for name := range all {
		if !strings.Contains(strings.ToLower(name), "proxy") {
			delete(all, name)
		}
	}
	return all, err
}

// systemSetup reads clock, name, time zone, security modules and limits.
func systemSetup(s *setupReader) {
	s.file(nodereport.SetupClock, "/etc/systemd/timesyncd.conf", sections)
	s.folder(nodereport.SetupClock, "/etc/systemd/timesyncd.conf.d", sections, ".conf")
	for _, name := range []string{"/etc/chrony.conf", "/etc/chrony/chrony.conf", "/etc/ntp.conf", "/etc/ntpsec/ntp.conf"} {
		s.file(nodereport.SetupClock, name, lines(2))
	}
	s.folder(nodereport.SetupClock, "/etc/chrony/sources.d", lines(2), ".sources")
	name := func(text string) (values, error) { return values{"name": strings.TrimSpace(text)}, nil }
	s.file(nodereport.SetupSystem, "/etc/hostname", name)
	s.file(nodereport.SetupSystem, "/proc/sys/kernel/hostname", name)
	if zone, err := s.link("/etc/localtime"); err == nil {
		s.add(nodereport.SetupFile{Path: "/etc/localtime", Area: nodereport.SetupSystem, Changed: s.linked("/etc/localtime")}, values{"zone": zone})
	}
	s.file(nodereport.SetupSystem, "/etc/selinux/config", variables)
	for _, switches := range []string{"/sys/fs/selinux/enforce", "/sys/module/apparmor/parameters/enabled"} {
		if v := s.h.text(switches); v != "" {
			s.add(nodereport.SetupFile{Path: switches, Area: nodereport.SetupSystem}, values{"value": v})
		}
	}
	s.file(nodereport.SetupSystem, "/etc/security/limits.conf", lines(3))
	s.folder(nodereport.SetupSystem, "/etc/security/limits.d", lines(3), ".conf")
}

// link is where a link of the node leads.
func (s *setupReader) link(name string) (string, error) {
	p, err := s.h.path(path.Dir(name))
	if err != nil {
		return "", err
	}
	return os.Readlink(filepath.Join(p, path.Base(name)))
}

// programSetup tells the sizes of the programs that make a node, of those that no package may have brought.
func programSetup(s *setupReader) {
	dirs := []string{"/usr/local/bin", "/usr/bin", "/usr/local/sbin", "/usr/sbin", "/opt/bin"}
	names := []string{"kubelet", "containerd", "containerd-shim-runc-v2", "runc", "crun", "crio", "conmon", "dockerd", "cri-dockerd"}
	for _, dir := range dirs {
		for _, name := range names {
			s.program(nodereport.SetupPackages, path.Join(dir, name))
		}
	}
	dir := s.h.configured(binDirLine, "/opt/cni/bin")
	entries, _ := s.h.list(dir) // a node without plugins is told of by its own probe
	for i, e := range entries {
		if i < 40 {
			s.program(nodereport.SetupCNI, path.Join(dir, e.Name()))
		}
	}
}

func (s *setupReader) program(area, name string) {
	info, err := s.h.stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	s.add(nodereport.SetupFile{Path: name, Area: area, Changed: s.changed(name)}, values{
		"size": strconv.FormatInt(info.Size(), 10), "mode": info.Mode().Perm().String(),
	})
}
