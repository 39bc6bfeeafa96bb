//go:build linux

package scenario

import (
	"context"
	"errors"
	"os"

	"github.com/nodetriage/nodetriage/lab"
)

// The mount helper of a share, which mount(8) calls: it does not return before its server answers, and there is no
// server.
const (
	mountHelper = "/sbin/mount.share"
	waits       = `#!/bin/sh
until [ -e /run/share-answers ]; do sleep 1; done
exec mount -i -t tmpfs "$1" "$2"
`
)

const (
	shareMount     = "/etc/systemd/system/var-lib-kubelet-share.mount"
	shareMountUnit = `[Unit]
Description=the share of this node
[Mount]
What=files.example.com:/share
Where=/var/lib/kubelet/share
Type=share
TimeoutSec=infinity
`
)

// mountUnitHangs needs systemd, which starts a unit after its required units.
var mountUnitHangs = Scenario{
	Name: "mount-unit-hangs", Real: true, After: silence, Needs: outside(onTheNode),
	Occupies: everything, Sign: silent, Restarts: newKubelet,
	OnNode: []string{"systemctl list-jobs --after --before --no-pager", "systemctl status var-lib-kubelet-share.mount --no-pager"},
	Truth: Truth{Class: "unit-start-blocked", Wider: []string{"kubelet-stopped", "node-lost"},
		Truth: "A drop-in lets the kubelet require a share whose server does not answer: the mount unit is mounting without a limit, and the kubelet, started again, waits for it."},
	Break: func(ctx context.Context, w *World) error {
		return errors.Join(w.Machine.Write(mountHelper, waits), os.Chmod(w.Machine.Path(mountHelper), 0o755), w.Machine.WriteFor(shareMount, shareMountUnit),
			w.dropIn(ctx, lab.Kubelet, "[Unit]\nRequiresMountsFor=/var/lib/kubelet/share\n"), w.Machine.Unit(lab.Kubelet).Restart())
	},
	// The server answers; the waiting units continue.
	Heal: func(ctx context.Context, w *World) error {
		return errors.Join(w.shell(ctx, "touch /run/share-answers; until systemctl -q is-active kubelet; do sleep 1; done"), w.noDropIn(ctx, lab.Kubelet),
			w.systemctl(ctx, "stop", "var-lib-kubelet-share.mount"), os.Remove(w.Machine.Path(shareMount)), os.Remove(w.Machine.Path("/run/share-answers")))
	},
}
