//go:build linux

package scenario

import (
	"context"
	"errors"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// storages are scenarios of the kubelet's file system: a small ext4 of its own, in a file.
var storages = []Scenario{
	{
		Name: "disk-full", Real: true, After: 50 * time.Second,
		Truth: Truth{Class: "disk-pressure", Truth: "The kubelet's file system is filled with bytes."},
		Break: func(ctx context.Context, w *World) error {
			return w.smallDisk(ctx, "", "dd if=/dev/zero of=/var/lib/kubelet/filler bs=1M 2>/dev/null || true")
		},
		Heal: func(ctx context.Context, w *World) error { return w.shell(ctx, "rm /var/lib/kubelet/filler") },
	},
	{
		Name: "inodes-full", Real: true, After: 50 * time.Second,
		Truth: Truth{Class: "inode-exhaustion", Secondary: []string{"disk-pressure"}, Truth: "The kubelet's file system has no inode left, and 50 MiB free."},
		Break: func(ctx context.Context, w *World) error {
			return w.smallDisk(ctx, "-N 128", "mkdir /var/lib/kubelet/many; i=0; while touch /var/lib/kubelet/many/$i 2>/dev/null; do i=$((i+1)); done")
		},
		Heal: func(ctx context.Context, w *World) error { return w.shell(ctx, "rm -r /var/lib/kubelet/many") },
	},
}

func (w *World) shell(ctx context.Context, script string) error {
	_, err := w.Machine.Run(ctx, "sh", "-c", script)
	return err
}

// smallDisk moves the kubelet to a file system of 64 MiB, and fills it.
func (w *World) smallDisk(ctx context.Context, options, fill string) error {
	kubelet := w.Machine.Unit(lab.Kubelet)
	kubelet.Stop()
	err := w.shell(ctx, `set -e
umount -R /var/lib/kubelet 2>/dev/null || true
dd if=/dev/zero of=/var/lib/disk bs=1M count=64 2>/dev/null
mkfs.ext4 -q -F `+options+` /var/lib/disk
mkdir /var/lib/new; mount -o loop /var/lib/disk /var/lib/new
cp -a /var/lib/kubelet/config.yaml /var/lib/kubelet/pki /var/lib/new/
umount /var/lib/new; mount -o loop /var/lib/disk /var/lib/kubelet`)
	if err := errors.Join(err, kubelet.Start()); err != nil {
		return err
	}
	select {
	case <-time.After(15 * time.Second): // it looks at its file system first
	case <-ctx.Done():
	}
	return w.shell(ctx, fill)
}
