package report

import (
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Commands of two places are never one block that can be pasted, and commands of one place need no mark.
func TestAtPlaces(t *testing.T) {
	for name, c := range map[string]struct{ commands, want []shell.Text }{
		"one place":         {[]shell.Text{"ip route", "systemctl restart kubelet"}, []shell.Text{"ip route", "systemctl restart kubelet"}},
		"one other place":   {[]shell.Text{"kubectl get nodes # on: workstation"}, []shell.Text{"kubectl get nodes"}},
		"a name in between": {[]shell.Text{"kubectl get nodes # on: workstation; prints <node>"}, []shell.Text{"kubectl get nodes # prints <node>"}},
		"two places": {[]shell.Text{"kubectl cordon a # on: workstation", "# THEN wait", "systemctl stop kubelet", "reboot"},
			[]shell.Text{"# ON YOUR WORKSTATION:", "kubectl cordon a", "# ON THE NODE:", "# THEN wait", "systemctl stop kubelet", "reboot"}},
		"a step at the end": {[]shell.Text{"reboot", "# THEN wait"}, []shell.Text{"reboot", "# THEN wait"}},
	} {
		m := &catalog.Remedy{Where: "node", Commands: c.commands}
		if got := atPlaces(m, c.commands); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
