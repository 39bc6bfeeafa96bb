//go:build linux

package scenario

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// silence is how long it takes until the node controller has found a silent node, with some rest.
const silence = 65 * time.Second

// kubelets are scenarios of the kubelet itself and of its identity.
var kubelets = []Scenario{
	{
		Name: "kubelet-stopped", Real: true, After: silence,
		Truth: Truth{Class: "kubelet-stopped", Wider: []string{"node-lost"}, Truth: "The kubelet was stopped; the machine and its containers live."},
		Break: func(_ context.Context, w *World) error { w.Machine.Unit(lab.Kubelet).Stop(); return nil },
		Heal:  func(_ context.Context, w *World) error { return w.Machine.Unit(lab.Kubelet).Start() },
	},
	{
		Name: "kubelet-bad-config", Real: true, After: silence,
		Truth: Truth{Class: "kubelet-config-invalid", Secondary: []string{"kubelet-crash-looping"}, Wider: []string{"node-lost", "kubelet-stopped"}, Truth: "maxPods was given a value that is no number; the kubelet exits at every start."},
		Break: func(_ context.Context, w *World) error {
			if err := w.edit(lab.KubeletConfig, func(s string) string { return s + "maxPods: plenty\n" }); err != nil {
				return err
			}
			return w.Machine.Unit(lab.Kubelet).Restart()
		},
		Heal: restoreAndRestart(lab.KubeletConfig),
	},
	{
		Name: "certificate-expired", Real: true, After: silence,
		Truth: Truth{Class: "kubelet-client-cert-expired", Wider: []string{"node-lost", "kubelet-auth-rejected"}, Truth: "The kubelet's client certificate ended a minute before the kubelet was started again."},
		Break: func(_ context.Context, w *World) error {
			if err := w.keep(lab.KubeletCert); err != nil {
				return err
			}
			if err := w.Machine.WriteIdentity("system:node:"+w.Node, time.Now().Add(-time.Minute)); err != nil {
				return err
			}
			return w.Machine.Unit(lab.Kubelet).Restart()
		},
		Heal: restoreAndRestart(lab.KubeletCert),
	},
	{
		Name: "other-identity", Real: true, After: silence,
		Truth: Truth{Class: "kubelet-identity-mismatch", Secondary: []string{"kubelet-auth-rejected"}, Wider: []string{"node-lost"}, Truth: "The kubelet was given the certificate of another node; the node authorizer refuses what it does."},
		Break: func(_ context.Context, w *World) error {
			if err := w.keep(lab.KubeletCert); err != nil {
				return err
			}
			if err := w.Machine.WriteIdentity("system:node:another", time.Now().Add(time.Hour)); err != nil {
				return err
			}
			return w.Machine.Unit(lab.Kubelet).Restart()
		},
		Heal: restoreAndRestart(lab.KubeletCert),
	},
}

// keep remembers a file of the machine for the healing.
func (w *World) keep(name string) error {
	data, err := os.ReadFile(w.Machine.Path(name))
	w.saved[name] = string(data)
	return err
}

// edit changes a file of the machine and remembers what it was.
func (w *World) edit(name string, change func(string) string) error {
	if err := w.keep(name); err != nil {
		return err
	}
	return w.Machine.Write(name, change(w.saved[name]))
}

// restore gives the file back what it was; one that is not remembered stays.
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
