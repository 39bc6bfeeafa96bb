package mechanics_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/mechanics"
)

func TestPluginOf(t *testing.T) {
	for image, want := range map[string]string{
		"calico/node:v3.25.0":                                         "Calico 3.25.0",
		"docker.io/calico/node:v3.29.1@sha256:ab":                     "Calico 3.29.1",
		"rancher/mirrored-calico-node:v3.28.2":                        "Calico 3.28.2",
		"registry.local:5000/cache/calico/node:v3.40.0":               "Calico 3.40.0",
		"quay.io/cilium/cilium:v1.18.3":                               "Cilium 1.18.3",
		"mcr.microsoft.com/containernetworking/cilium/cilium:1.14.10": "Cilium 1.14.10",
		"calico/node:v3.20.0":                                         "", // older than the known releases
		"calico/node:master":                                          "",
		"calico/kube-controllers:v3.25.0":                             "",
		"quay.io/cilium/operator-generic:v1.18.3":                     "",
		"shop/web:v3.25.0":                                            "",
	} {
		n, at, known := mechanics.PluginOf(image)
		got := ""
		if known {
			got = n.Plugin + " " + at
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", image, got, want)
		}
	}
}

func TestPluginNeeds(t *testing.T) {
	for _, c := range []struct {
		image, kernel, kubelet string
		tooOld, tested, works  bool
	}{
		{"calico/node:v3.25.0", "3.10.0-1160.el7.x86_64", "v1.28.3", false, true, true},
		{"calico/node:v3.25.0", "5.15.0-1103-azure", "v1.31.1", false, false, true},
		{"calico/node:v3.28.0", "4.15.0-213-generic", "v1.20.15", false, false, false},
		{"calico/node:v3.29.0", "5.4.0-216-generic", "v1.30.0", true, true, true},
		{"calico/node:v3.29.0", "4.18.0-553.el8.x86_64", "v1.30.0", false, true, true}, // backported
		{"quay.io/cilium/cilium:v1.18.3", "5.4.0-216-generic", "v1.33.0", true, true, true},
		{"quay.io/cilium/cilium:v1.17.3", "5.4.0-216-generic", "v1.33.0+k3s1", false, true, true},
		{"quay.io/cilium/cilium:v1.15.3", "4.19.0-27-amd64", "v1.29.0", true, true, true},
		{"calico/node:v3.29.0", "hollow", "", false, true, true},
	} {
		n, _, known := mechanics.PluginOf(c.image)
		if !known {
			t.Fatalf("%s is not known", c.image)
		}
		if got := n.KernelTooOld(c.kernel); got != c.tooOld {
			t.Errorf("%s on kernel %s: too old %v", c.image, c.kernel, got)
		}
		if got := n.Tested(c.kubelet); got != c.tested {
			t.Errorf("%s on kubelet %s: tested %v", c.image, c.kubelet, got)
		}
		if got := n.WorksWith(c.kubelet); got != c.works {
			t.Errorf("%s on kubelet %s: works %v", c.image, c.kubelet, got)
		}
	}
}
