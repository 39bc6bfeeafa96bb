package catalog_test

import (
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// The commands that only look come before the first that changes something. What says where a name comes from stays with the
// command that needs the name.
func TestLooksOfRemedies(t *testing.T) {
	for name, c := range map[string]struct{ commands, looks []shell.Text }{
		"only looks":                 {[]shell.Text{"kubectl get ds -A # prints <daemonset>", "kubectl describe ds <daemonset>"}, []shell.Text{"kubectl get ds -A # prints <daemonset>", "kubectl describe ds <daemonset>"}},
		"no look":                    {[]shell.Text{"systemctl restart kubelet", "systemctl status kubelet"}, nil},
		"a look first":               {[]shell.Text{"ip route", "ip link set eth0 up"}, []shell.Text{"ip route"}},
		"a name":                     {[]shell.Text{"ip route", "kubectl get nodes # prints <node>", "kubectl uncordon <node>"}, []shell.Text{"ip route"}},
		"a choice":                   {[]shell.Text{"# choose <size>: more", "kubectl set resources --limits=memory=<size>"}, nil},
		"an edit of what is printed": {[]shell.Text{"ip route", "grep -rn no_proxy /etc", "# EDIT the printed line"}, []shell.Text{"ip route"}},
		"a step by hand":             {[]shell.Text{"cat /etc/fstab", "# EDIT /etc/fstab"}, []shell.Text{"cat /etc/fstab"}},
	} {
		looks, acts := catalog.Remedy{Commands: c.commands}.Looks()
		if !slices.Equal(looks, c.looks) || len(looks)+len(acts) != len(c.commands) {
			t.Errorf("%s: %q, %q", name, looks, acts)
		}
	}
}
