package agent

import (
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// keptKernelSettings are settings whose wrong value breaks a node or its pods.
var keptKernelSettings = []string{
	"fs.inotify.max_user_instances", "fs.inotify.max_user_watches", "fs.mount-max", "fs.nr_open", "fs.protected_regular",
	"kernel.panic", "kernel.panic_on_oops", "kernel.pid_max", "kernel.randomize_va_space", "kernel.threads-max", "kernel.unprivileged_userns_clone",
	"net.bridge.bridge-nf-call-ip6tables", "net.bridge.bridge-nf-call-iptables", "net.core.rmem_max", "net.core.somaxconn", "net.core.wmem_max",
	"net.ipv4.conf.all.rp_filter", "net.ipv4.conf.default.rp_filter", "net.ipv4.icmp_echo_ignore_all", "net.ipv4.ip_forward",
	"net.ipv4.ip_local_port_range", "net.ipv4.ip_unprivileged_port_start", "net.ipv4.neigh.default.gc_thresh1", "net.ipv4.neigh.default.gc_thresh2",
	"net.ipv4.neigh.default.gc_thresh3", "net.ipv4.tcp_ecn", "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_mtu_probing", "net.ipv4.tcp_retries2",
	"net.ipv4.tcp_syncookies", "net.ipv4.tcp_timestamps", "net.ipv4.tcp_tw_reuse", "net.ipv6.conf.all.disable_ipv6", "net.ipv6.conf.all.forwarding",
	"net.netfilter.nf_conntrack_max", "net.netfilter.nf_conntrack_tcp_be_liberal", "user.max_user_namespaces", "vm.max_map_count", "vm.overcommit_memory",
	"vm.panic_on_oom", "vm.swappiness",
}

// kernelSetup reads kernel settings and modules, now and at boot.
func kernelSetup(s *setupReader) {
	now := values{}
	for _, name := range keptKernelSettings {
		if v := s.h.text("/proc/sys/" + strings.ReplaceAll(name, ".", "/")); v != "" {
			now[name] = strings.Join(strings.Fields(v), " ")
		}
	}
	if device := s.h.defaultDevice(); device != "" {
		if v := s.h.text("/proc/sys/net/ipv4/conf/" + device + "/rp_filter"); v != "" {
			now["net.ipv4.conf."+device+".rp_filter"] = v
		}
	}
	s.table(nodereport.SetupKernel, "/proc/sys", now)
	line := values{}
	for _, word := range strings.Fields(s.h.text("/proc/cmdline")) {
		name, value, given := strings.Cut(word, "=")
		if !given {
			value = "yes"
		}
		if name != "BOOT_IMAGE" && name != "root" && name != "initrd" { // disk and image are reported elsewhere
			line[name] = value
		}
	}
	s.table(nodereport.SetupKernel, "/proc/cmdline", line)
	s.file(nodereport.SetupKernel, "/etc/sysctl.conf", kernelSettings)
	for _, dir := range []string{"/etc/sysctl.d", "/run/sysctl.d"} {
		s.folder(nodereport.SetupKernel, dir, kernelSettings, ".conf")
	}
	s.file(nodereport.SetupModules, "/etc/modules", lines(1))
	for _, dir := range []string{"/etc/modules-load.d", "/run/modules-load.d"} {
		s.folder(nodereport.SetupModules, dir, lines(1), ".conf")
	}
	for _, dir := range []string{"/etc/modprobe.d", "/run/modprobe.d"} {
		s.folder(nodereport.SetupModules, dir, lines(2), ".conf")
	}
}

// table adds the content of a kernel table, which has no modification time.
func (s *setupReader) table(area, name string, found values) {
	if len(found) > 0 {
		s.add(nodereport.SetupFile{Path: name, Area: area}, found)
	}
}

// defaultDevice returns the interface of the default route, or "".
func (h *Host) defaultDevice() string {
	for line := range strings.Lines(h.text("/proc/1/net/route")) {
		if r, ok := parseRoute(line); ok && r.Destination == "default" && r.Device == path.Base(r.Device) {
			return r.Device
		}
	}
	return ""
}

// keptOptions are mount options that change the behavior.
var keptOptions = map[string]bool{
	"ro": true, "rw": true, "noexec": true, "nosuid": true, "nodev": true, "prjquota": true, "usrquota": true, "soft": true, "hard": true,
}

// elsewhere are folders with kernel mounts or temporary mounts.
var elsewhere = []string{"/proc/", "/sys/", "/dev/", "/run/", "/snap/"}

// mountSetup reads mounts, now and at boot. It skips temporary mounts of pods.
func mountSetup(s *setupReader) {
	s.file(nodereport.SetupMounts, "/etc/fstab", mountTable)
	s.folder(nodereport.SetupMounts, "/etc/systemd/system", sections, ".mount", ".automount", ".swap")
	mounts, err := s.h.mounts()
	if err != nil {
		return // the probe of the file systems reports why
	}
	now := values{}
	for _, m := range mounts {
		if m.ofPod() || slices.ContainsFunc(elsewhere, func(dir string) bool { return strings.HasPrefix(m.point, dir) }) || strings.Contains(m.point, "/overlay2/") {
			continue
		}
		words := []string{m.kind}
		if m.remote() {
			words = append(words, m.device)
		}
		for _, o := range m.options {
			if keptOptions[o] && (o != "rw" || !m.readOnly) { // a mount may be read-only on a writable file system
				words = append(words, o)
			}
		}
		now[m.point] = strings.Join(words, " ")
	}
	s.table(nodereport.SetupMounts, "/proc/1/mountinfo", now)
	swaps := values{}
	for i, line := range strings.Split(s.h.text("/proc/swaps"), "\n") {
		if f := strings.Fields(line); i > 0 && len(f) > 1 {
			swaps[f[0]] = f[1]
		}
	}
	s.table(nodereport.SetupMounts, "/proc/swaps", swaps)
}
