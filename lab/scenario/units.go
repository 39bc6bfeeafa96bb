//go:build linux

package scenario

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// failing is a drop-in with which a unit soon reaches its start limit.
const failing = "[Unit]\nStartLimitIntervalSec=300\nStartLimitBurst=4\n[Service]\nRestartSec=1\n"

// shareUnit mounts a share like a FUSE file system, and then never answers the kernel.
const shareUnit = `[Unit]
Description=a share that is served from user space
[Service]
ExecStart=/bin/sh -c 'exec 3<>/dev/fuse; mkdir -p /mnt/share; mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 files.example.com:/share /mnt/share && exec sleep infinity'
ExecStopPost=-/bin/umount -l /mnt/share
`

// units are scenarios that need a node with systemd.
var units = []Scenario{
	{
		Name: "kubelet-masked", Real: true, After: silence,
		Occupies: everything, Sign: silent, Probed: true,
		Truth: Truth{Class: "kubelet-stopped", Truth: "The kubelet's unit was stopped and masked: nothing can start it."},
		Break: func(ctx context.Context, w *World) error {
			return errors.Join(w.Machine.Unit(lab.Kubelet).Stop(), w.systemctl(ctx, "mask", "kubelet"))
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.systemctl(ctx, "unmask", "kubelet"), w.Machine.Unit(lab.Kubelet).Start())
		},
	},
	{
		Name: "kubelet-start-limit", Real: true, After: silence, Needs: outside(onTheNode),
		Occupies: everything, Sign: silent, Restarts: newKubelet,
		Truth: Truth{Class: "kubelet-config-invalid", Wider: []string{"kubelet-crash-looping", "kubelet-stopped", "node-lost"},
			Truth: "maxPods was given a value that is no number; after four starts systemd gave the kubelet up."},
		Break: func(ctx context.Context, w *World) error {
			return errors.Join(w.dropIn(ctx, lab.Kubelet, failing),
				w.edit(lab.KubeletConfig, func(s string) string { return s + "maxPods: plenty\n" }), w.Machine.Unit(lab.Kubelet).Restart())
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.noDropIn(ctx, lab.Kubelet), restoreAndRestart(lab.KubeletConfig)(ctx, w))
		},
	},
	{
		Name: "kubelet-flag-unknown", Real: true, After: silence, Needs: outside(onTheNode),
		Occupies: everything, Sign: silent, Restarts: newKubelet,
		Truth: Truth{Class: "kubelet-config-invalid", Wider: []string{"kubelet-crash-looping", "kubelet-stopped", "node-lost"},
			Truth: "A drop-in of the kubelet's unit gives it a flag that this version no longer has."},
		Break: func(ctx context.Context, w *World) error {
			return errors.Join(w.dropIn(ctx, lab.Kubelet, "[Service]\nEnvironment=\"KUBELET_EXTRA_ARGS=--network-plugin=cni\"\n"), w.Machine.Unit(lab.Kubelet).Restart())
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.noDropIn(ctx, lab.Kubelet), w.Machine.Unit(lab.Kubelet).Restart())
		},
	},
	{
		Name: "journal-damaged", Real: true, After: silence, Needs: outside(onTheNode),
		Occupies: everything, Sign: silent, Restarts: newKubelet,
		Truth: Truth{Class: "kubelet-config-invalid", Wider: []string{"kubelet-crash-looping", "kubelet-stopped", "node-lost"},
			Truth: "maxPods was given a value that is no number, and the journal was overwritten in its middle: journald begins a new file."},
		Break: func(ctx context.Context, w *World) error {
			return errors.Join(
				w.edit(lab.KubeletConfig, func(s string) string { return s + "maxPods: plenty\n" }), w.Machine.Unit(lab.Kubelet).Restart(),
				w.shell(ctx, "for f in /var/log/journal/*/system.journal; do dd if=/dev/urandom of=$f bs=4096 seek=64 count=1024 conv=notrunc 2>/dev/null; done"))
		},
		Heal: restoreAndRestart(lab.KubeletConfig),
	},
	{
		Name: "log-disk-full", Real: true, After: 20 * time.Second, Asked: true, Needs: outside(onTheNode),
		Occupies: []Part{Disk, Sandboxes, Pods},
		Truth:    Truth{Class: "disk-pressure", Truth: "The file system of /var/log is full: journald keeps nothing more of what is said, while pods still start."},
		Prepare: func(ctx context.Context, w *World) error {
			return errors.Join(w.smallDisk(ctx, "/var/log", ""), w.systemctl(ctx, "restart", "systemd-journald"))
		},
		Break: func(ctx context.Context, w *World) error {
			return errors.Join(w.shell(ctx, "dd if=/dev/zero of=/var/log/filler bs=1M 2>/dev/null || true"), w.pod(ctx))
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.shell(ctx, "rm /var/log/filler"), w.noPod(ctx))
		},
	},
	{
		Name: "bus-hung", Real: true, After: young,
		Occupies: []Part{Runtime, Sandboxes}, Needs: outside(onTheNode), Beyond: []string{Text}, // no log reports that it waits
		Truth: Truth{Class: "systemd-unresponsive", Wider: waitsForSystemd, Truth: "The bus daemon was sent SIGSTOP: it takes calls and answers none."},
		Break: func(ctx context.Context, w *World) error {
			return errors.Join(w.shell(ctx, "pkill -STOP dbus-daemon"), w.pod(ctx))
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.shell(ctx, "pkill -CONT dbus-daemon"), w.noPod(ctx))
		},
	},
	{
		Name: "systemd-hung", Real: true, After: young,
		Occupies: []Part{Runtime, Sandboxes}, Needs: outside(onTheNode), OnNode: []string{"timeout 5 systemctl is-system-running; echo exit $?"}, Beyond: []string{Text},
		Truth: Truth{Class: "systemd-unresponsive", Wider: waitsForSystemd, Truth: "systemd was sent SIGSTOP: it takes calls and answers none."},
		Break: func(ctx context.Context, w *World) error {
			return errors.Join(w.Machine.SignalFirst(syscall.SIGSTOP), w.pod(ctx))
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.Machine.SignalFirst(syscall.SIGCONT), w.noPod(ctx))
		},
	},
	memoryLimit(lab.Containerd, Scenario{
		Name: "runtime-memory-limit", After: 50 * time.Second, Beyond: []string{API, Bundle}, // the evidence shows that the runtime is killed, but not why
		Occupies: []Part{Runtime, Sandboxes}, Sign: `container runtime is down|containerd\.sock`,
		Truth: Truth{Wider: []string{"runtime-down"}, Truth: "A drop-in gives containerd's unit less memory than it needs: the kernel kills it at every start."},
	}),
	memoryLimit(lab.Kubelet, Scenario{
		Name: "kubelet-memory-limit", After: silence, Needs: outside(onTheNode), Restarts: newKubelet,
		Occupies: everything, Sign: silent,
		Truth: Truth{Wider: []string{"kubelet-crash-looping", "kubelet-stopped", "node-lost"}, Truth: "A drop-in gives the kubelet's unit less memory than it needs: the kernel kills it at every start."},
	}),
	{
		Name: "runtime-upgrade-stuck", Real: true, After: 50 * time.Second,
		Occupies: []Part{Runtime, Sandboxes}, Sign: `container runtime is down|containerd\.sock`,
		Truth: Truth{Class: "runtime-down", Truth: "An unattended upgrade has stopped containerd for its new version, and waits for an answer that does not come."},
		Break: func(ctx context.Context, w *World) error {
			now := time.Now().UTC()
			text := fmt.Sprintf("%s startup archives unpack\n%s upgrade containerd:amd64 1.7.24-0 1.7.27-0\n%s status half-configured containerd:amd64 1.7.24-0\n",
				now.Format(time.DateTime), now.Format(time.DateTime), now.Format(time.DateTime))
			return errors.Join(w.Machine.Write("/var/log/dpkg.log", text), w.Machine.Unit(lab.Containerd).Stop())
		},
		Heal: func(_ context.Context, w *World) error { return w.Machine.Unit(lab.Containerd).Start() },
	},
	{
		Name: "resolver-stopped", Real: true, After: 20 * time.Second,
		Occupies: []Part{Sandboxes}, Sign: `resolv\.conf`,
		Truth: Truth{Class: "kubelet-config-invalid", Wider: []string{"node-dns-failure"},
			Truth: "systemd-resolved was stopped and its folder removed: /etc/resolv.conf is a link to nothing, and so is the file that the kubelet gives to pods."},
		Break: func(ctx context.Context, w *World) error {
			return errors.Join(w.systemctl(ctx, "disable", "--now", "systemd-resolved"), w.shell(ctx, "rm -r /run/systemd/resolve"), w.pod(ctx))
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.noPod(ctx), w.systemctl(ctx, "enable", "--now", "systemd-resolved"))
		},
	},
	{
		Name: "time-service-masked", Real: true, After: 70 * time.Second, Asked: true, Needs: outside(onTheNode),
		OnNode: []string{"systemctl status systemd-timesyncd --no-pager", "timedatectl"},
		Truth:  Truth{Class: "clock-unsynchronized", Not: []string{"clock-skew"}, Truth: "The time service was stopped and masked; the clock is right yet."},
		Break: func(ctx context.Context, w *World) error {
			return w.systemctl(ctx, "mask", "--now", "systemd-timesyncd")
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.systemctl(ctx, "unmask", "systemd-timesyncd"), w.systemctl(ctx, "start", "systemd-timesyncd"))
		},
	},
	{
		Name: "share-hangs", Real: true, After: 70 * time.Second, Asked: true, Needs: outside(onTheNode),
		Occupies: []Part{Disk},
		OnNode:   []string{"grep share /proc/mounts", "timeout 5 stat -f /mnt/share; echo exit $?", "systemctl status mnt-share.service --no-pager"},
		Truth:    Truth{Class: "storage-backend-hang", Truth: "A share is mounted through FUSE, and its server answers nothing: every process that accesses it waits in the kernel."},
		Break: func(ctx context.Context, w *World) error {
			return errors.Join(w.Machine.WriteFor("/etc/systemd/system/mnt-share.service", shareUnit), w.systemctl(ctx, "daemon-reload"), w.systemctl(ctx, "start", "mnt-share"))
		},
		Heal: func(ctx context.Context, w *World) error { return w.systemctl(ctx, "stop", "mnt-share") },
	},
	{
		Name: "networkd-takes-addresses", Real: true, After: 20 * time.Second, Asked: true, Needs: outside(onTheNode),
		Occupies: everything, OnNode: []string{"networkctl list --no-pager", "journalctl -u systemd-networkd -n 50 --no-pager"},
		Truth:   Truth{Class: "host-network-manager-conflict", Truth: "A file of networkd fits the devices of the network plugin too; started again, networkd takes their addresses away."},
		Prepare: func(ctx context.Context, w *World) error { return w.runningPod(ctx) },
		Break: func(ctx context.Context, w *World) error {
			return errors.Join(w.Machine.WriteFor("/etc/systemd/network/05-all.network", "[Match]\nName=cni* veth*\n[Network]\nDHCP=yes\n"), w.systemctl(ctx, "restart", "systemd-networkd"))
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(os.Remove(w.Machine.Path("/etc/systemd/network/05-all.network")), w.systemctl(ctx, "restart", "systemd-networkd"), w.noPod(ctx))
		},
	},
	resolverLoop,
	mountUnitHangs,
}

// memoryLimit sets a memory limit for a unit that is too low.
func memoryLimit(unit string, s Scenario) Scenario {
	s.Real, s.Loud, s.Truth.Class = true, true, "service-memory-limit"
	s.OnNode = []string{"dmesg | grep -E 'oom-kill:|Killed process' | tail -n 6", "systemctl show " + unit + " -p Result -p NRestarts -p MemoryMax"}
	s.Break = func(ctx context.Context, w *World) error {
		return errors.Join(w.dropIn(ctx, unit, "[Service]\nMemoryMax=8M\n"), w.Machine.Unit(unit).Restart())
	}
	s.Heal = func(ctx context.Context, w *World) error {
		return errors.Join(w.noDropIn(ctx, unit), w.Machine.Unit(unit).Restart())
	}
	return s
}

func (w *World) systemctl(ctx context.Context, args ...string) error {
	return w.shell(ctx, "timeout 60 systemctl "+strings.Join(args, " "))
}

// dropIn adds a drop-in to a unit; noDropIn removes it.
func (w *World) dropIn(ctx context.Context, unit, text string) error {
	return errors.Join(w.Machine.Write(dropInFile(unit), text), w.systemctl(ctx, "daemon-reload"))
}

func (w *World) noDropIn(ctx context.Context, unit string) error {
	return errors.Join(os.Remove(w.Machine.Path(dropInFile(unit))), w.systemctl(ctx, "daemon-reload"))
}

func dropInFile(unit string) string { return "/etc/systemd/system/" + unit + ".service.d/20-lab.conf" }

// waitsForSystemd are the effects of a runtime that waits for systemd, as far as they can be seen without a shell on
// the node.
var waitsForSystemd = []string{"runtime-hung", "shim-leak", "pod-stuck-terminating"}
