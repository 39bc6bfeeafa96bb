//go:build linux

package scenario

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// hang is how long the kubelet needs until it calls its relist unhealthy, with some rest.
const hang = 3*time.Minute + 40*time.Second

// young is how long a pod that does not start may still be on its way.
const young = 130 * time.Second

// runtimes are scenarios of containerd, of the images and of what the kubelet starts by itself.
var runtimes = []Scenario{
	{
		Name: "runtime-stopped", Real: true, After: 50 * time.Second,
		Truth: Truth{Class: "runtime-down", Truth: "containerd was stopped."},
		Break: func(_ context.Context, w *World) error { w.Machine.Unit(lab.Containerd).Stop(); return nil },
		Heal:  func(_ context.Context, w *World) error { return w.Machine.Unit(lab.Containerd).Start() },
	},
	{
		Name: "runtime-hung", Real: true, After: hang,
		Truth: Truth{Class: "runtime-hung", Not: []string{"kubelet-bug"}, Wider: []string{"runtime-down"}, Truth: "containerd was sent SIGSTOP: it is there and answers nothing."},
		Break: signal(syscall.SIGSTOP),
		Heal:  signal(syscall.SIGCONT),
	},
	{
		Name: "pause-image-missing", Real: true, After: young,
		Truth: Truth{Class: "sandbox-image-unavailable", Secondary: []string{"registry-unreachable", "node-dns-failure"}, Truth: "The pause image was configured to one that the node does not have and cannot get."},
		Break: func(ctx context.Context, w *World) error {
			if err := w.edit(lab.RuntimeConfig, replace(lab.Image, "registry.invalid/pause:2")); err != nil {
				return err
			}
			return errors.Join(w.Machine.Unit(lab.Containerd).Restart(), w.pod(ctx))
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.noPod(ctx), w.restore(lab.RuntimeConfig), w.Machine.Unit(lab.Containerd).Restart())
		},
	},
	{
		Name: "cni-config-removed", Real: true, After: 30 * time.Second,
		Truth: Truth{Class: "cni-not-installed", Truth: "The CNI configuration was removed and containerd started again."},
		Break: func(_ context.Context, w *World) error {
			return errors.Join(w.keep(lab.CNIConfig), os.Remove(w.Machine.Path(lab.CNIConfig)), w.Machine.Unit(lab.Containerd).Restart())
		},
		Heal: func(_ context.Context, w *World) error { return w.restore(lab.CNIConfig) },
	},
	{
		Name: "cni-binary-missing", Real: true, After: young,
		Truth: Truth{Class: "cni-binary-missing", Truth: "The plugin that the CNI configuration names was removed."},
		Break: func(ctx context.Context, w *World) error {
			plugin := w.Machine.Path(lab.CNIPlugins) + "/bridge"
			return errors.Join(os.Rename(plugin, plugin+".away"), w.pod(ctx))
		},
		Heal: func(ctx context.Context, w *World) error {
			plugin := w.Machine.Path(lab.CNIPlugins) + "/bridge"
			return errors.Join(os.Rename(plugin+".away", plugin), w.noPod(ctx))
		},
	},
	{
		Name: "cni-version-refused", Real: true, After: young,
		Truth: Truth{Class: "cni-config-version-invalid", Secondary: []string{"cni-config-invalid"}, Truth: "The CNI configuration asks for a version that no plugin speaks."},
		Break: func(ctx context.Context, w *World) error {
			return errors.Join(w.edit(lab.CNIConfig, replace(`"1.0.0"`, `"9.9.9"`)), w.pod(ctx))
		},
		Heal: func(ctx context.Context, w *World) error { return errors.Join(w.restore(lab.CNIConfig), w.noPod(ctx)) },
	},
}

func signal(s syscall.Signal) func(context.Context, *World) error {
	return func(_ context.Context, w *World) error { return w.Machine.Unit(lab.Containerd).Signal(s) }
}
