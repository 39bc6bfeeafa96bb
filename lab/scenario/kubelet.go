//go:build linux

package scenario

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// silence is the time until the node controller has detected an unreachable node, with a margin.
const silence = 65 * time.Second

// onTheNode is the advice for evidence that only the node has.
const onTheNode = "node-check"

// outside are the kinds of evidence from outside the node.
func outside(need string) map[string]string { return map[string]string{API: need, Bundle: need} }

// relist is the interval at which the kubelet reads its folder of static pods (fileCheckFrequency); it reports no
// change before.
const relist = 20 * time.Second

// True causes while components restart.
var (
	newKubelet = []string{"kubelet-stopped", "kubelet-port-unreachable"}
	newRuntime = []string{"runtime-down"}
	newBoth    = []string{"kubelet-stopped", "kubelet-port-unreachable", "runtime-down"}
)

// kubelets are scenarios of the kubelet and its identity.
var kubelets = []Scenario{
	{
		Name: "kubelet-stopped", Real: true, After: silence,
		Occupies: everything, Sign: silent, Probed: true,
		Truth: Truth{Class: "kubelet-stopped", Truth: "The kubelet was stopped; the machine and its containers live."},
		Break: func(_ context.Context, w *World) error { return w.Machine.Unit(lab.Kubelet).Stop() },
		Heal:  func(_ context.Context, w *World) error { return w.Machine.Unit(lab.Kubelet).Start() },
	},
	{
		Name: "kubelet-bad-config", Real: true, After: silence, Needs: outside(onTheNode),
		Occupies: everything, Sign: silent, Restarts: newKubelet,
		Truth: Truth{Class: "kubelet-config-invalid", Wider: []string{"kubelet-crash-looping", "kubelet-stopped", "node-lost"}, Truth: "maxPods was given a value that is no number; the kubelet exits at every start."},
		Break: func(_ context.Context, w *World) error {
			return errors.Join(w.edit(lab.KubeletConfig, func(s string) string { return s + "maxPods: plenty\n" }), w.Machine.Unit(lab.Kubelet).Restart())
		},
		Heal: restoreAndRestart(lab.KubeletConfig),
	},
	{
		Name: "swap-on", Real: true, After: silence, Needs: outside(onTheNode),
		Occupies: everything, Sign: silent, Restarts: newKubelet,
		Truth: Truth{Class: "swap-enabled", Wider: []string{"kubelet-crash-looping", "kubelet-stopped", "node-lost"}, Truth: "The node's kernel lists a swap area (a file laid over /proc/swaps: swap is the whole computer's) and the kubelet refuses to start with one."},
		Break: func(ctx context.Context, w *World) error {
			const area = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/swap.img                               file\t\t2097148\t\t0\t\t-2\n"
			if err := errors.Join(w.edit(lab.KubeletConfig, replace("failSwapOn: false", "failSwapOn: true")), w.overlay(ctx, "/proc/swaps", area)); err != nil {
				return err
			}
			return w.Machine.Unit(lab.Kubelet).Restart()
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.shell(ctx, "umount /proc/swaps"), restoreAndRestart(lab.KubeletConfig)(ctx, w))
		},
	},
	{
		Name: "certificate-expired", Real: true, After: silence, Needs: outside("journalctl -u kubelet"),
		Occupies: everything, Sign: silent, Restarts: newKubelet,
		Truth: Truth{Class: "kubelet-client-cert-expired", Wider: []string{"node-lost", "kubelet-auth-rejected", "kubelet-stopped", "kubelet-crash-looping"}, Truth: "The kubelet's client certificate ended a minute before the kubelet was started again."},
		Break: identity(func(w *World) (string, time.Time) { return "system:node:" + w.Node, time.Now().Add(-time.Minute) }),
		Heal:  restoreAndRestart(lab.KubeletCert),
	},
	{
		Name: "other-identity", Real: true, After: silence, Needs: outside("journalctl -u kubelet"),
		Occupies: everything, Sign: silent, Restarts: newKubelet,
		Truth: Truth{Class: "kubelet-identity-mismatch", Wider: []string{"node-lost", "kubelet-auth-rejected"}, Truth: "The kubelet was given the certificate of another node; the node authorizer refuses what it does."},
		Break: identity(func(*World) (string, time.Time) { return "system:node:another", time.Now().Add(time.Hour) }),
		Heal:  restoreAndRestart(lab.KubeletCert),
	},
	{
		Name: "clock-ahead", Real: true, Plain: true, After: 45 * time.Second,
		Occupies: everything, Sign: `^lease ahead`, Restarts: newBoth,
		Truth: Truth{Class: "clock-skew", Truth: "The node came up with a clock two hours ahead: its certificates are good yet, and it is Ready."},
		Break: func(_ context.Context, w *World) error { return w.Machine.TurnClock(2 * time.Hour) },
		Heal:  func(_ context.Context, w *World) error { return w.Machine.TurnClock(0) },
	},
	{
		Name: "clock-far-ahead", Real: true, Plain: true, After: silence, Needs: outside("journalctl -u kubelet"),
		Occupies: everything, Sign: silent, Restarts: newBoth,
		Truth: Truth{Class: "clock-skew", Wider: []string{"node-lost"}, Truth: "The node came up with a clock two days ahead: by it every certificate of the cluster has ended."},
		Break: func(_ context.Context, w *World) error { return w.Machine.TurnClock(twoDays) },
		Heal:  func(_ context.Context, w *World) error { return w.Machine.TurnClock(0) },
	},
	{
		Name: "clock-behind", Real: true, Plain: true, After: silence, Needs: outside("journalctl -u kubelet"),
		Occupies: everything, Sign: silent, Restarts: newBoth,
		Truth: Truth{Class: "clock-skew", Wider: []string{"node-lost"}, Truth: "The node came up with a clock two days behind: by it no certificate of the cluster is valid yet."},
		Break: func(_ context.Context, w *World) error { return w.Machine.TurnClock(-twoDays) },
		Heal:  func(_ context.Context, w *World) error { return w.Machine.TurnClock(0) },
	},
	{
		Name: "static-pod-broken", Real: true, After: 50 * time.Second, Visible: relist, Needs: outside("journalctl -u kubelet"),
		Occupies: []Part{StaticPods},
		Truth:    Truth{Class: "kubelet-config-invalid", Truth: "The manifest of a static pod was edited and is no longer a pod: its list of containers is an object."},
		Prepare: func(ctx context.Context, w *World) error {
			return errors.Join(w.Machine.Write(manifest, staticPod), w.wait(ctx, "kube-system", "gateway-"+w.Node))
		},
		Break: func(_ context.Context, w *World) error {
			return w.Machine.Write(manifest, strings.Replace(staticPod, "- name", "  name", 1))
		},
		Heal: func(_ context.Context, w *World) error { return os.Remove(w.Machine.Path(manifest)) },
	},
}

const (
	twoDays   = 48 * time.Hour // longer than the lifetime of the certificates of a lab
	manifest  = lab.StaticPods + "/gateway.yaml"
	staticPod = `apiVersion: v1
kind: Pod
metadata: {name: gateway, namespace: kube-system}
spec:
  containers:
  - name: gateway
    image: ` + lab.Image + `
`
)

// identity gives the kubelet another client certificate and restarts it.
func identity(of func(*World) (user string, end time.Time)) func(context.Context, *World) error {
	return func(_ context.Context, w *World) error {
		if err := w.keep(lab.KubeletCert); err != nil {
			return err
		}
		user, end := of(w)
		return errors.Join(w.Machine.WriteIdentity(user, end), w.Machine.Unit(lab.Kubelet).Restart())
	}
}

// overlay mounts a text over a kernel file, for this machine only.
func (w *World) overlay(ctx context.Context, file, text string) error {
	cover := "/run/over" + strings.ReplaceAll(file, "/", "-")
	if err := w.Machine.Write(cover, text); err != nil {
		return err
	}
	return w.shell(ctx, "mount --bind "+cover+" "+file)
}

// keep stores a file of the machine for heal.
func (w *World) keep(name string) error {
	data, err := os.ReadFile(w.Machine.Path(name))
	w.saved[name] = string(data)
	return err
}

// edit changes a file of the machine and stores its old content.
func (w *World) edit(name string, change func(string) string) error {
	if err := w.keep(name); err != nil {
		return err
	}
	return w.Machine.Write(name, change(w.saved[name]))
}

// restore restores the old content of the file; a file that was not stored remains.
func (w *World) restore(name string) error {
	text, ok := w.saved[name]
	if !ok {
		return nil
	}
	return w.Machine.Write(name, text)
}

func restoreAndRestart(name string) func(context.Context, *World) error {
	return func(_ context.Context, w *World) error {
		if err := w.restore(name); err != nil {
			return err
		}
		return w.Machine.Unit(lab.Kubelet).Restart()
	}
}

func replace(old, with string) func(string) string {
	return func(s string) string { return strings.ReplaceAll(s, old, with) }
}
