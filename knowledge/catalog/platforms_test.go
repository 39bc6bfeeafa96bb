package catalog_test

import (
	"regexp"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Each expression of a platform is valid.
func TestPlatforms(t *testing.T) {
	list := catalog.Platforms()
	if len(list) < 15 {
		t.Fatalf("%d platforms were read", len(list))
	}
	for _, p := range list {
		for _, c := range p.Calls {
			if _, err := regexp.Compile(c.From); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	}
}

// A node shows its platforms by its object.
func TestPlatformOfNode(t *testing.T) {
	for name, n := range map[string]catalog.NodeFacts{
		"k3s": {Version: "v1.33.4+k3s1"}, "rke2": {Version: "v1.28.9+rke2r1"}, "k0s": {Version: "v1.31.2+k0s"},
		"windows": {OS: "windows", Image: "Windows Server 2022 Datacenter"}, "talos": {Image: "Talos (v1.9.0)"},
		"openshift": {Image: "Red Hat Enterprise Linux CoreOS 418.94.202501"}, "bottlerocket": {Image: "Bottlerocket OS 1.30.0 (aws-k8s-1.31)"},
		"flatcar": {Image: "Flatcar Container Linux by Kinvolk 4081.2.0"}, "red-hat": {Image: "Amazon Linux 2023.6"}, "debian": {OS: "linux", Image: "Ubuntu 22.04.5 LTS"},
		"containerd": {OS: "linux", Image: "Buildroot 2023", Version: "v1.33.3", Runtime: "containerd://1.7.28"},
		"":           {OS: "linux", Image: "Buildroot 2023", Version: "v1.33.3"},
	} {
		got := ""
		for _, p := range catalog.Platforms() {
			if p.IsOf(n) {
				got += p.Name
			}
		}
		if got != name {
			t.Errorf("%+v is of %q, want %q", n, got, name)
		}
	}
}

// A command is rewritten for the nodes of a platform, or omitted.
func TestPlatformCommands(t *testing.T) {
	for _, c := range []struct {
		platform      string
		command, want shell.Text
	}{
		{"k3s", "systemctl restart kubelet", "systemctl restart own"},
		{"k3s", "journalctl -u containerd -u docker -u crio | grep -E 'panic'", "journalctl -u own | grep -E 'panic'"},
		{"k3s", "timeout 20 crictl ps", "timeout 20 k3s crictl ps"},
		{"k3s", "kubeadm reset --force", ""},
		{"rke2", "journalctl -u kubelet -n 100 --no-pager", "tail -n 2000 /var/lib/rancher/rke2/agent/logs/kubelet.log"},
		{"microk8s", "systemctl restart containerd", "systemctl restart snap.microk8s.daemon-containerd"},
		{"openshift", "systemctl restart containerd", "systemctl restart crio"},
		{"openshift", "apt-get install nfs-common", ""},
		{"openshift", "az aks nodepool upgrade -g x", ""},
		{"talos", "systemctl restart kubelet", "talosctl -n {node} service kubelet restart"},
		{"talos", "journalctl -k | grep -i oom", "talosctl -n {node} dmesg | grep -i oom"},
		{"talos", "cat /proc/mounts", ""},
		{"windows", "systemctl enable --now kubelet", "Start-Service kubelet"},
		{"windows", "ls -l /var/lib/kubelet", ""},
		{"red-hat", "apt-get install --reinstall <package>", "dnf reinstall <package>"},
		{"red-hat", "apt-get install linux-modules-extra-$(uname -r) || dnf install kernel-modules-extra", "dnf install kernel-modules-extra"},
		{"debian", "apt-get install linux-modules-extra-$(uname -r) || dnf install kernel-modules-extra", "apt-get install linux-modules-extra-$(uname -r)"},
		{"flatcar", "apt-get install nfs-common", ""},
		{"flatcar", "systemctl restart kubelet", "systemctl restart kubelet"},
	} {
		for _, p := range catalog.Platforms() {
			if p.Name != c.platform {
				continue
			}
			if got, _ := p.Command(c.command, "own"); got != c.want {
				t.Errorf("%s: %s is %q, want %q", c.platform, c.command, got, c.want)
			}
		}
	}
}
