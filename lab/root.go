//go:build linux

package lab

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// rootPackages are the packages of a node in addition to the essential ones, and tools for users.
var rootPackages = []string{
	"systemd", "systemd-sysv", "systemd-resolved", "systemd-timesyncd", "dbus", "procps", "util-linux", "mount", "kmod", "libseccomp2",
	"iproute2", "iptables", "iputils-ping", "e2fsprogs", "hostname", "curl", "openssl",
}

// rootSettings configures the root file system of a node: networkd manages the network, and resolved resolves names.
// Units that affect the host (kernel settings, devices, the console) and daily timers are not started.
const rootSettings = `set -e
chroot "$1" systemctl enable systemd-networkd systemd-resolved systemd-timesyncd
chroot "$1" systemctl mask systemd-sysctl.service systemd-modules-load.service systemd-udevd.service systemd-udev-trigger.service \
  console-getty.service getty.target sys-kernel-debug.mount sys-kernel-tracing.mount dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service
ln -sf ../run/systemd/resolve/stub-resolv.conf "$1/etc/resolv.conf"
rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/*
`

// leftOut are files of packages that no node of the lab needs.
var leftOut = []string{"/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/i18n/*", "/usr/share/info/*"}

// BuildRoot builds the root file system of nodes with systemd from Debian packages if it is not in the cache, and
// returns its folder. It takes a minute the first time.
func BuildRoot(ctx context.Context, log io.Writer) (string, error) {
	if err := CanRunSystemd(); err != nil {
		return "", err
	}
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	suite, err := suite()
	if err != nil {
		return "", err
	}
	key := sha256.Sum256(fmt.Append(nil, suite, rootPackages, rootSettings, leftOut))
	root := filepath.Join(cache, fmt.Sprintf("root-%x", key[:8]))
	if _, err := os.Stat(root); err == nil {
		return root, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", fmt.Errorf("make cache folder: %w", err)
	}
	unlock, err := lock(filepath.Join(cache, "root.lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(root); err == nil { // another process has built it meanwhile
		return root, nil
	}
	work, err := os.MkdirTemp(cache, "debian-")
	if err != nil {
		return "", fmt.Errorf("make the folder of a node's root: %w", err)
	}
	defer os.RemoveAll(work)
	settings, made := filepath.Join(work, "settings"), filepath.Join(work, "root")
	if err := os.WriteFile(settings, []byte("#!/bin/sh\n"+rootSettings), 0o755); err != nil {
		return "", err
	}
	fmt.Fprintf(log, "building a root of Debian %s for nodes with systemd\n", suite)
	begin := time.Now()
	args := []string{"--mode=root", "--variant=essential", "--include=" + strings.Join(rootPackages, ","), "--customize-hook=" + settings}
	for _, pattern := range leftOut {
		args = append(args, "--dpkgopt=path-exclude="+pattern)
	}
	if out, err := exec.CommandContext(ctx, "mmdebstrap", append(args, suite, made)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build a root of Debian: %w\n%s", err, out)
	}
	if err := os.Rename(made, root); err != nil {
		return "", fmt.Errorf("keep the root of Debian: %w", err)
	}
	fmt.Fprintf(log, "built the root in %s\n", time.Since(begin).Round(time.Second))
	return root, nil
}

// suite returns the Debian release of the host: programs of the lab are linked with its libraries.
func suite() (string, error) {
	text, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return "", fmt.Errorf("find this computer's release: %w", err)
	}
	fields := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		fields[name] = strings.Trim(value, `"`)
	}
	if fields["ID"] != "debian" || fields["VERSION_CODENAME"] == "" {
		return "", fmt.Errorf("nodes with systemd need a computer with Debian; this one has %s %s", fields["ID"], fields["VERSION_CODENAME"])
	}
	return fields["VERSION_CODENAME"], nil
}

// CanRunSystemd reports what this host is missing for nodes with systemd; nil: nothing.
func CanRunSystemd() error {
	if err := CanRunMachines(); err != nil {
		return err
	}
	if _, err := suite(); err != nil {
		return err
	}
	if _, err := exec.LookPath("mmdebstrap"); err != nil {
		return fmt.Errorf("nodes with systemd need the Debian package mmdebstrap")
	}
	return nil
}
