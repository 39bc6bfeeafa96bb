package catalog_test

import (
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// A text shows the platform of its nodes; with signs of two distributions it shows none.
func TestPlatformsIn(t *testing.T) {
	for text, want := range map[string][]string{
		"k3s[812]: slow fdatasync":                             {"k3s"},
		"rke2-server[4011]: containerd on /run/k3s/containerd": {"rke2"},
		"microk8s.daemon-kubelite[1]: exit":                    {"microk8s"},
		"origin-node[57436]: bootstrap":                        {"openshift 3"},
		"machine-config-daemon on crio.service":                {"openshift", "cri-o"},
		"k3s[812] and machine-config-daemon":                   nil,
		"kubelet[812]: node not found":                         nil,
	} {
		var got []string
		for _, p := range catalog.PlatformsIn(text) {
			got = append(got, p.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
