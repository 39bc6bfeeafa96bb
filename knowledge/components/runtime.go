package components

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// runtimes are container runtimes and the OCI runtimes that they call, the most common ones first.
var runtimes = []*Component{
	{
		Name: "containerd", Role: Runtime, Speaker: "containerd", Called: lazyregexp.New(`(?i)\bcontainerd`), Stores: []string{"/var/lib/containerd"},
		Programs: []string{"containerd", "microk8s.daemon-containerd"}, Topic: `containerd|\bshim\b|snapshotter|overlayfs`,
		Processes: []string{"containerd"}, Shims: []string{"containerd-shim", "containerd-shim-runc-v2"},
		Units: []string{"containerd", "snap.microk8s.daemon-containerd"}, Reported: "containerd",
		CRI: []string{"/run/containerd/containerd.sock"}, RuntimeConfigs: []string{"/etc/containerd/config.toml"},
		Logs: []string{"/var/log/containerd.log"},
	},
	{
		Name: "crio", Role: Runtime, Speaker: "crio", Called: lazyregexp.New(`(?i)\bcri-?o\b`), Stores: []string{"/var/lib/containers"},
		Programs: []string{"crio", "cri-o", "conmon"}, Topic: `cri-o|\bcrio\b`,
		Processes: []string{"crio"}, Shims: []string{"conmon"},
		Units: []string{"crio", "cri-o"}, Reported: "cri-o",
		CRI: []string{"/run/crio/crio.sock"}, RuntimeConfigs: []string{"/etc/crio/crio.conf"},
	},
	{
		Name: "cri-dockerd", Role: Runtime, Speaker: "docker",
		Programs: []string{"cri-dockerd"}, Processes: []string{"cri-dockerd"},
		Units: []string{"cri-docker", "cri-dockerd"}, CRI: []string{"/run/cri-dockerd.sock"},
	},
	{
		Name: "docker", Role: Runtime, Speaker: "docker", Called: lazyregexp.New(`(?i)\bdockerd?\b(?:\.service|\[| daemon)|(?-i:\bDocker\b)(?:[^. \w]|$| [^H])|/dockerd?\.sock\b|error response from daemon|cri-dockerd|docker_(?:service|sandbox|container|manager)`), Stores: []string{"/var/lib/docker"},
		Programs: []string{"docker", "dockerd", "com.docker"}, Topic: `dockerd?\b`,
		Processes: []string{"dockerd", "docker"}, Units: []string{"docker"}, Reported: "docker", RuntimeConfigs: []string{"/etc/docker/daemon.json"},
		CRI: []string{"/var/run/dockershim.sock"}, Logs: []string{"/var/log/docker.log"},
		Chains: []string{"DOCKER"},
	},
	{Name: "runc", Role: LowRuntime, Programs: []string{"runc", "oci"}, Topic: `\brunc\b`},
	{Name: "crun", Role: LowRuntime, Programs: []string{"crun"}},
	{Name: "youki", Role: LowRuntime, Programs: []string{"youki"}},
}
