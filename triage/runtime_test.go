package triage

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// A command for a known runtime has its unit, folder, socket and client. A command that is only for another one is left out.
func TestCommandsOfRuntimes(t *testing.T) {
	for _, c := range []struct {
		runtime       string
		command, want shell.Text
	}{
		{"crio", "journalctl -u containerd -n 300 --no-pager > /tmp/runtime.log", "journalctl -u crio -n 300 --no-pager > /tmp/runtime.log"},
		{"crio", "systemctl enable --now containerd", "systemctl enable --now crio"},
		{"crio", "du -xsh /var/lib/containerd", "du -xsh /var/lib/containers"},
		{"crio", "journalctl -u containerd -u crio -u docker -n 100", "journalctl -u crio -n 100"},
		{"crio", "grep -n SystemdCgroup /etc/containerd/config.toml; grep -n cgroupDriver /var/lib/kubelet/config.yaml", "grep -n cgroupDriver /var/lib/kubelet/config.yaml"},
		{"docker", "systemctl status kubelet containerd crio docker --no-pager", "systemctl status kubelet docker --no-pager"},
		{"docker", "systemctl stop kubelet containerd", "systemctl stop kubelet docker"},
		{"docker", "systemctl restart containerd || kill -KILL $(pidof containerd)", "systemctl restart docker || kill -KILL $(pidof dockerd)"},
		{"docker", "crictl ps -a --name etcd", "docker ps -a --filter name=etcd"},
		{"docker", "grep -n sandbox /etc/containerd/config.toml", ""},
		{"containerd", "ls -l /run/containerd/containerd.sock /run/crio/crio.sock", "ls -l /run/containerd/containerd.sock"},
		{"containerd", "containerd config dump | grep SystemdCgroup; crio config | grep cgroup_manager; docker info | grep -i 'cgroup driver'", "containerd config dump | grep SystemdCgroup"},
		{"", "systemctl status containerd crio docker", "systemctl status containerd crio docker"},
	} {
		if got, ok := ofRuntime(components.Named(c.runtime), c.command); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q is %q, want %q", c.runtime, c.command, got, c.want)
		}
	}
}

// A list of network plugins in a command keeps those that the evidence names, and those that run with them.
func TestCommandsOfPlugins(t *testing.T) {
	const list = "kubectl get pods -A -o wide | grep -Ei 'calico|canal|flannel|cilium|weave|multus'"
	for plugin, want := range map[string]shell.Text{
		"weave":  "kubectl get pods -A -o wide | grep weave",
		"calico": "kubectl get pods -A -o wide | grep -Ei 'calico|canal'",
		"multus": "kubectl get pods -A -o wide | grep multus",
	} {
		x := namedParts{plugins: []*components.Component{components.Named(plugin)}}
		if got, _ := x.command(list); got != want {
			t.Errorf("%s: %q, want %q", plugin, got, want)
		}
	}
	weave := namedParts{plugins: []*components.Component{components.Named("weave")}}
	if weave.fits("kubectl -n kube-system get configmap amazon-vpc-cni") || !weave.fits(list) || !weave.fits("ls /etc/cni/net.d") {
		t.Error("a command for another plugin fits, or one for this or any does not")
	}
}
