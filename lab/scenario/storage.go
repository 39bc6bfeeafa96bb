//go:build linux

package scenario

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// Folders that get a separate file system.
const (
	kubeletFolder = "/var/lib/kubelet"
	imageFolder   = "/var/lib/containerd"
)

// noRoom matches API messages about a full file system.
const noRoom = `DiskPressure=True|EvictionThresholdMet|no space left`

// storages are scenarios of the file systems of kubelet and images: small separate ones in a file. The kubelet evicts
// pods because of them.
var storages = []Scenario{
	filled("disk-full", kubeletFolder, "The kubelet's file system is filled with bytes."),
	withoutInodes("inodes-full", kubeletFolder, "The kubelet's file system has no inode left, and bytes free."),
	filled("image-disk-full", imageFolder, "The file system of images and containers is filled with bytes."),
	withoutInodes("image-inodes-full", imageFolder, "The file system of images and containers has no inode left, and bytes free."),
}

func filled(name, folder, truth string) Scenario {
	return Scenario{
		Name: name, Real: true, After: 45 * time.Second,
		Occupies: []Part{Disk, Sandboxes, Pods}, Sign: noRoom,
		Passes:  folder == imageFolder,
		Truth:   Truth{Class: "disk-pressure", Truth: truth},
		Prepare: func(ctx context.Context, w *World) error { return w.smallDisk(ctx, folder, "") },
		Break: func(ctx context.Context, w *World) error {
			return w.shell(ctx, "dd if=/dev/zero of="+folder+"/filler bs=1M 2>/dev/null || true")
		},
		Heal: func(ctx context.Context, w *World) error { return w.shell(ctx, "rm "+folder+"/filler") },
	}
}

func withoutInodes(name, folder, truth string) Scenario {
	return Scenario{
		Name: name, Real: true, After: 45 * time.Second,
		Occupies: []Part{Disk, Sandboxes, Pods}, Sign: noRoom,
		Passes:  folder == imageFolder, // the kubelet frees space by deleting images, for a while
		Truth:   Truth{Class: "inode-exhaustion", Wider: []string{"disk-pressure"}, Truth: truth},
		Prepare: func(ctx context.Context, w *World) error { return w.smallDisk(ctx, folder, "-N 1024") },
		Break: func(ctx context.Context, w *World) error {
			return w.shell(ctx, strings.ReplaceAll("mkdir DIR/many; i=0; while touch DIR/many/$i 2>/dev/null; do i=$((i+1)); done", "DIR", folder))
		},
		Heal: func(ctx context.Context, w *World) error { return w.shell(ctx, "rm -r "+folder+"/many") },
	}
}

func (w *World) shell(ctx context.Context, script string) error {
	_, err := w.Machine.Run(ctx, "sh", "-c", script)
	return err
}

// smallDisk moves the folder to a file system of 96 MiB, in a new file each time, because running containers may still
// use the previous one. Mounts below the folder are not moved; the kubelet mounts them again.
func (w *World) smallDisk(ctx context.Context, folder, options string) error {
	kubelet, runtime := w.Machine.Unit(lab.Kubelet), w.Machine.Unit(lab.Containerd)
	if err := errors.Join(kubelet.Stop(), runtime.Stop()); err != nil {
		return err
	}
	err := w.shell(ctx, strings.ReplaceAll(`set -e
disk=$(mktemp /var/lib/disk-XXXXXX)
dd if=/dev/zero of=$disk bs=1M count=96 2>/dev/null
mkfs.ext4 -q -F `+options+` $disk
mkdir -p /var/lib/new; mount -o loop $disk /var/lib/new
cp -ax DIR/. /var/lib/new/
umount /var/lib/new
umount -R -l DIR 2>/dev/null || true
mount -o loop $disk DIR`, "DIR", folder))
	return errors.Join(err, runtime.Start(), kubelet.Start())
}
