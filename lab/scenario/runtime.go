//go:build linux

package scenario

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// hang is the time until the kubelet reports PLEG as unhealthy, with a margin.
const hang = 3*time.Minute + 40*time.Second

// young is the time for which a pod that does not start may still be starting.
const young = 130 * time.Second

// runtimes are scenarios of containerd, images and static pods.
var runtimes = []Scenario{
	{
		Name: "runtime-stopped", Real: true, After: 50 * time.Second,
		Occupies: []Part{Runtime, Sandboxes}, Sign: `container runtime is down|containerd\.sock`,
		Truth: Truth{Class: "runtime-down", Truth: "containerd was stopped."},
		Break: func(_ context.Context, w *World) error { return w.Machine.Unit(lab.Containerd).Stop() },
		Heal:  func(_ context.Context, w *World) error { return w.Machine.Unit(lab.Containerd).Start() },
	},
	{
		Name: "runtime-hung", Real: true, After: hang,
		Occupies: []Part{Runtime, Sandboxes}, Sign: `container runtime is down|PLEG is not healthy|DeadlineExceeded`,
		Truth: Truth{Class: "runtime-hung", Wider: []string{"runtime-down"}, Not: []string{"kubelet-bug"}, Truth: "containerd was sent SIGSTOP: it is there and answers nothing."},
		Break: signal(syscall.SIGSTOP),
		Heal:  signal(syscall.SIGCONT),
	},
	{
		Name: "pause-image-missing", Real: true, After: young,
		Occupies: []Part{Runtime, Sandboxes}, Sign: `^event FailedCreatePodSandBox.*image`, Restarts: newRuntime,
		Truth: Truth{Class: "sandbox-image-unavailable", Wider: []string{"registry-unreachable"}, Truth: "The pause image was configured to one that the node does not have and cannot get."},
		Break: func(ctx context.Context, w *World) error {
			if err := w.edit(lab.RuntimeConfig, replace(lab.Image, "10.77.0.1:5000/pause:2")); err != nil {
				return err
			}
			return errors.Join(w.restartRuntime(ctx), w.pod(ctx))
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.noPod(ctx), w.restore(lab.RuntimeConfig), w.Machine.Unit(lab.Containerd).Restart())
		},
	},
	{
		Name: "cni-config-removed", Real: true, After: 30 * time.Second,
		Occupies: []Part{Runtime, Sandboxes}, Sign: `cni plugin not initialized|cni config`, Restarts: newRuntime,
		Truth: Truth{Class: "cni-not-installed", Truth: "The CNI configuration was removed and containerd started again."},
		Break: func(_ context.Context, w *World) error {
			return errors.Join(w.keep(lab.CNIConfig), os.Remove(w.Machine.Path(lab.CNIConfig)), w.Machine.Unit(lab.Containerd).Restart())
		},
		Heal: func(_ context.Context, w *World) error { return w.restore(lab.CNIConfig) },
	},
	{
		Name: "cni-binary-missing", Real: true, After: young,
		Occupies: []Part{Sandboxes}, Sign: `failed to find plugin`,
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
		Occupies: []Part{Runtime, Sandboxes}, Sign: `(?i)cni.*version|cni plugin not initialized`,
		Truth: Truth{Class: "cni-config-version-invalid", Wider: []string{"cni-config-invalid"}, Truth: "The CNI configuration asks for a version that no plugin speaks."},
		Break: func(ctx context.Context, w *World) error {
			return errors.Join(w.edit(lab.CNIConfig, replace(`"1.0.0"`, `"9.9.9"`)), w.pod(ctx))
		},
		Heal: func(ctx context.Context, w *World) error { return errors.Join(w.restore(lab.CNIConfig), w.noPod(ctx)) },
	},
	{
		Name: "shim-killed", Real: true, Passes: true, After: 30 * time.Second, Needs: outside(onTheNode),
		Occupies: []Part{Runtime, Sandboxes, Pods},
		Truth:    Truth{Class: "shim-died", Truth: "The shim of a running pod was killed; the runtime noticed, and the kubelet created the sandbox of the pod again."},
		Prepare:  func(ctx context.Context, w *World) error { return w.runningPod(ctx) },
		Break: func(ctx context.Context, w *World) error {
			return w.shell(ctx, "pkill -KILL containerd-shim")
		},
		Heal: func(ctx context.Context, w *World) error { return w.noPod(ctx) },
	},
	{
		Name: "addresses-exhausted", Real: true, After: young,
		Occupies: []Part{Sandboxes}, Sign: `no IP addresses available`,
		Truth: Truth{Class: "cni-ip-exhausted", Truth: "The pod network of the node has two addresses, and four pods were placed there."},
		Break: func(ctx context.Context, w *World) error {
			two := replace(`"subnet": "10.244.0.0/24"`, `"subnet": "10.244.0.0/24", "rangeStart": "10.244.0.2", "rangeEnd": "10.244.0.3"`)
			return errors.Join(w.edit(lab.CNIConfig, two), w.pods(ctx, 4))
		},
		Heal: func(ctx context.Context, w *World) error { return errors.Join(w.restore(lab.CNIConfig), w.noPods(ctx)) },
	},
	{
		Name: "cgroup-drivers-differ", Real: true, After: young,
		Occupies: []Part{Runtime, Sandboxes}, Sign: `cgroupsPath`, Restarts: newRuntime,
		Truth: Truth{Class: "cgroup-driver-mismatch", Truth: "containerd was configured for the systemd driver while the kubelet, which asks for it only at its start, went on with cgroupfs."},
		Prepare: func(ctx context.Context, w *World) error {
			if !w.Machine.Systemd() {
				return nil // with cgroupfs
			}
			return errors.Join(w.edit(lab.RuntimeConfig, replace("SystemdCgroup = true", "SystemdCgroup = false")),
				w.edit(lab.KubeletConfig, replace("cgroupDriver: systemd", "cgroupDriver: cgroupfs")), w.restartRuntime(ctx), w.Machine.Unit(lab.Kubelet).Restart())
		},
		Break: func(ctx context.Context, w *World) error {
			const option = "[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]\n  SystemdCgroup = "
			err := w.edit(lab.RuntimeConfig, func(s string) string {
				before, _, _ := strings.Cut(s, option)
				return before + option + "true\n"
			})
			if err != nil {
				return err
			}
			return errors.Join(w.restartRuntime(ctx), w.pod(ctx))
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.noPod(ctx), w.restore(lab.RuntimeConfig), w.Machine.Unit(lab.Containerd).Restart())
		},
	},
}

// restartRuntime restarts containerd and waits until it answers. Without the wait, an earlier pod would fail, and the
// kubelet would retry it only after 15 seconds.
func (w *World) restartRuntime(ctx context.Context) error {
	if err := w.Machine.Unit(lab.Containerd).Restart(); err != nil {
		return err
	}
	var err error
	for range 60 {
		if err = w.runtimeAnswers(ctx); err == nil || !lab.Pause(ctx, 200*time.Millisecond) {
			break
		}
	}
	return err
}

func signal(s syscall.Signal) func(context.Context, *World) error {
	return func(_ context.Context, w *World) error { return w.Machine.Unit(lab.Containerd).Signal(s) }
}
