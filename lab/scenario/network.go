//go:build linux

package scenario

import (
	"context"
	"errors"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// lostPercent is the percentage of packets that a bad connection loses in each direction.
const lostPercent = 12

// cutWay lists the needs if a connection is cut: the node cannot distinguish it from an API server that serves no
// client.
func cutWay() map[string]string {
	needs := outside(onTheNode)
	needs[Saved] = "kubectl get nodes (from another machine)"
	return needs
}

// networks are scenarios of the network between node and API server.
var networks = []Scenario{
	{
		Name: "partition", Real: true, After: silence, Needs: cutWay(),
		Occupies: everything, Sign: silent,
		Truth: Truth{Class: "network-partition", Wider: []string{"node-lost", "apiserver-unreachable", "kubelet-port-unreachable", "node-ip-changed"}, Truth: "The node's cable was unplugged: nothing passes either way."},
		Break: func(ctx context.Context, w *World) error { return w.Machine.Cut(ctx) },
		Heal:  func(ctx context.Context, w *World) error { return w.Machine.Mend(ctx) },
	},
	{
		Name: "partition-to-api", Real: true, After: silence, Needs: cutWay(),
		Occupies: everything, Sign: silent,
		Truth: Truth{Class: "network-partition", Wider: []string{"node-lost", "apiserver-unreachable", "kubelet-port-unreachable"}, Truth: "What the node sends is lost; what is sent to it arrives."},
		Break: func(ctx context.Context, w *World) error { return w.Machine.CutOut(ctx) },
		Heal:  func(ctx context.Context, w *World) error { return w.Machine.MendOut(ctx) },
	},
	{
		Name: "partition-from-api", Real: true, After: silence, Needs: cutWay(),
		Occupies: everything, Sign: silent,
		Truth: Truth{Class: "network-partition", Wider: []string{"node-lost", "apiserver-unreachable", "kubelet-port-unreachable"}, Truth: "What is sent to the node is lost; what it sends arrives."},
		Break: func(ctx context.Context, w *World) error { return w.Machine.CutIn(ctx) },
		Heal:  func(ctx context.Context, w *World) error { return w.Machine.MendIn(ctx) },
	},
	{
		Name: "server-port-blocked", Real: true, After: silence, Needs: cutWay(),
		Occupies: everything, Sign: silent,
		Truth: Truth{Class: "network-partition", Wider: []string{"node-lost", "apiserver-unreachable"}, Truth: "A firewall drops what the node sends to the API server's port; everything else passes."},
		Break: func(ctx context.Context, w *World) error { return w.Machine.BlockServer(ctx) },
		Heal:  func(ctx context.Context, w *World) error { return w.Machine.UnblockServer(ctx) },
	},
	{
		Name: "kubelet-port-blocked", Real: true, After: 30 * time.Second, Asked: true, Texts: []string{"logs " + podName},
		Occupies: []Part{Port}, Sign: atOnce, Probed: true,
		Beyond: []string{Saved}, // packets that a firewall on the path drops never reach the node
		Truth: Truth{Class: "kubelet-port-unreachable", Not: []string{"kubelet-stopped", "node-lost"},
			Truth: "A firewall drops what the API server sends to the kubelet's port; everything else passes, and the node is Ready."},
		Prepare: func(ctx context.Context, w *World) error { return w.runningPod(ctx) },
		Break:   func(ctx context.Context, w *World) error { return w.Machine.BlockKubelet(ctx) },
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.Machine.UnblockKubelet(ctx), w.noPod(ctx))
		},
	},
	{
		Name: "packets-lost", Real: true, After: 20 * time.Second, Asked: true,
		// A short exchange loses few packets by chance, as few as on a busy machine without loss.
		Needs:    map[string]string{API: onTheNode, Bundle: onTheNode, Report: "ping -c", Saved: "ping -c"},
		Beyond:   []string{Text}, // users do not paste packet counters
		Occupies: everything,
		Truth:    Truth{Class: "packet-loss", Wider: []string{"apiserver-unreachable", "network-partition"}, Truth: "Of the packets between the node and the others one in eight is lost, both ways; the node stays Ready."},
		Break:    func(ctx context.Context, w *World) error { return w.Machine.LosePackets(ctx, lostPercent) },
		Heal:     func(ctx context.Context, w *World) error { return w.Machine.KeepPackets(ctx, lostPercent) },
	},
	{
		Name: "dns-broken", Real: true, After: silence, Needs: outside("journalctl -u kubelet"),
		Occupies: everything, Sign: silent, Restarts: newKubelet,
		Truth: Truth{Class: "node-dns-failure", Wider: []string{"node-lost", "apiserver-unreachable"}, Truth: "The kubelet reaches the API server by a name, and nothing answers where the node asks for names."},
		Break: func(_ context.Context, w *World) error {
			if err := w.keep("/etc/resolv.conf"); err != nil {
				return err
			}
			if err := w.Machine.Write("/etc/resolv.conf", "nameserver 10.77.0.1\noptions timeout:1 attempts:1\n"); err != nil {
				return err
			}
			if err := w.Machine.WriteServer("https://api.lab.example.com:6443"); err != nil {
				return err
			}
			return w.Machine.Unit(lab.Kubelet).Restart()
		},
		Heal: func(ctx context.Context, w *World) error {
			if err := w.Machine.WriteServer(lab.MachineServer); err != nil {
				return err
			}
			return restoreAndRestart("/etc/resolv.conf")(ctx, w)
		},
	},
	{
		Name: "node-silent", After: silence,
		Occupies: everything, Sign: silent, Hollow: true,
		Truth: Truth{Class: "node-lost", Truth: "The node fell silent; the cause is not visible from outside."},
		Break: func(_ context.Context, w *World) error { w.Plane.Hollow(w.Node).Silence(); return nil },
		Heal:  func(_ context.Context, w *World) error { w.Plane.Hollow(w.Node).Wake(); return nil },
	},
	{
		Name: "zone-silent", After: silence + 10*time.Second,
		Occupies: everything, Sign: silent, Lone: true,
		Truth: Truth{Class: "correlated-failure", Truth: "All nodes of one zone lost power at once."},
		Break: func(ctx context.Context, w *World) error { return w.zone(ctx, true) },
		Heal:  func(ctx context.Context, w *World) error { return w.zone(ctx, false) },
	},
	{
		Name: "controller-restart", After: silence + 50*time.Second,
		Occupies: everything, Sign: silent, Lone: true,
		Truth: Truth{Class: "node-lost", Truth: "The node fell silent, and the controller manager was started again before it had seen that: it counts again from zero."},
		Break: func(ctx context.Context, w *World) error {
			w.Plane.Hollow(w.Node).Silence()
			if !lab.Pause(ctx, 25*time.Second) {
				return ctx.Err()
			}
			return w.Plane.RestartControllers()
		},
		Heal: func(_ context.Context, w *World) error { w.Plane.Hollow(w.Node).Wake(); return nil },
	},
}
