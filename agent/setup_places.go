package agent

import (
	"path"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
)

// kubeletSetup reads the configuration and flags of the kubelet. From the process it reads only flags that are in no
// file.
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

// runtimeSetup reads the configuration of the container runtime.
func runtimeSetup(s *setupReader) {
	for _, name := range components.RuntimeConfigs() {
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

// registrySetup reads the registry configuration of the runtime.
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

// networkSetup reads the pod network and the node network.
func networkSetup(s *setupReader) {
	s.folder(nodereport.SetupCNI, s.h.configured(confDirLine, "/etc/cni/net.d"), nested, ".conf", ".conflist", ".json")
	for _, dir := range []string{"/etc/systemd/network", "/run/systemd/network"} {
		s.folder(nodereport.SetupNetwork, dir, sections, ".network", ".netdev", ".link")
	}
	s.folder(nodereport.SetupNetwork, "/etc/netplan", nested, ".yaml")
}

// nameSetup reads name resolution and proxies.
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

// aptProxy returns the proxy lines of apt.conf(5).
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

// programSetup reads the sizes of node binaries that may not come from a package.
func programSetup(s *setupReader) {
	dirs := []string{"/usr/local/bin", "/usr/bin", "/usr/local/sbin", "/usr/sbin", "/opt/bin"}
	for _, dir := range dirs {
		for _, name := range components.NodePrograms() {
			s.program(nodereport.SetupPackages, path.Join(dir, name))
		}
	}
	dir := s.h.configured(binDirLine, "/opt/cni/bin")
	entries, _ := s.h.list(dir) // the probe of the plugins reports a node without plugins
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
