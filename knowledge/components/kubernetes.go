package components

// kubernetes are the components of Kubernetes itself.
var kubernetes = []*Component{
	{
		Name: "kubelet", Role: Kubelet,
		Programs: []string{"kubelet", "hyperkube", "start-kubelet", "runkubelet", "localkube"}, Topic: `kubelet|/var/lib/kubelet|:10250`,
		Processes: []string{"kubelet", "hyperkube"}, Units: []string{"kubelet", "snap.kubelet.daemon"},
		Logs:   []string{"/var/log/kubelet.log", "/var/log/kubelet/kubelet.log"},
		Chains: []string{"KUBE-KUBELET-CANARY", "KUBE-IPTABLES-HINT", "KUBE-FIREWALL", "KUBE-MARK-DROP"},
	},
	{
		Name: "kube-proxy", Role: Proxy, Namespaces: []string{"kube-system"},
		Programs: []string{"kube-proxy"}, Topic: `kube-proxy|\bKUBE-(?:SERVICES|MARK|SVC|SEP|FORWARD)|iptables-restore|\bipvs\b|\bproxier\b`,
		Containers: []string{"kube-proxy"}, Processes: []string{"kube-proxy"}, Units: []string{"kube-proxy"},
		Logs: []string{"/var/log/kube-proxy.log"}, Chains: []string{"KUBE-"}, Tables: []string{"kube-proxy"},
	},
	{Name: "coredns", Role: DNS, Namespaces: []string{"kube-system"}, Programs: []string{"coredns", "kube-dns"}},
	{Name: "node-local-dns", Role: DNS, Namespaces: []string{"kube-system"}, Programs: []string{"node-local-dns"}},
	{
		Name: "kube-apiserver", Role: ControlPlane, Speaker: "kube-apiserver", Namespaces: []string{"kube-system"},
		Programs: []string{"kube-apiserver"}, Topic: `kube-apiserver|:6443|:8443/api|/apis?/v1`,
		Containers: []string{"kube-apiserver"}, Processes: []string{"kube-apiserver"}, Units: []string{"kube-apiserver"},
	},
	{ // its controllers report events under other names
		Name: "kube-controller-manager", Role: ControlPlane, Speaker: "kube-controller-manager", Namespaces: []string{"kube-system"},
		Programs: []string{
			"kube-controller", "controllermanager", "node-controller", "node-lifecycle", "taint-", "taint-eviction-controller", "replicaset-controller",
			"deployment-controller", "daemonset-controller", "statefulset-controller", "job-controller", "cronjob-controller", "persistentvolume-controller",
			"garbage-collector", "endpoint", "resourcequota",
		},
		Containers: []string{"kube-controller-manager"}, Units: []string{"kube-controller-manager"},
	},
	{
		Name: "kube-scheduler", Role: ControlPlane, Speaker: "kube-scheduler", Namespaces: []string{"kube-system"},
		Programs:   []string{"kube-scheduler", "default-scheduler"},
		Containers: []string{"kube-scheduler"}, Units: []string{"kube-scheduler"},
	},
	{
		Name: "etcd", Role: Datastore, Namespaces: []string{"kube-system"},
		Programs: []string{"etcd"}, Topic: `\betcd|dqlite|\bkine\b|\braft\b|:2379|:2380`,
		Containers: []string{"etcd"}, Processes: []string{"etcd"}, Units: []string{"etcd"},
	},
}

// distributions are programs that contain a kubelet and more.
var distributions = []*Component{
	{
		Name: "k3s", Role: Distribution, RunsRuntime: true,
		Programs: []string{"k3s"}, Processes: []string{"k3s", "k3s-agent"}, Units: []string{"k3s", "k3s-agent"},
		CRI: []string{"/run/k3s/containerd/containerd.sock"}, RuntimeConfigs: []string{"/var/lib/rancher/k3s/agent/etc/containerd/config.toml"},
		Logs: []string{"/var/lib/rancher/k3s/agent/containerd/containerd.log"},
	},
	{
		Name: "rke2", Role: Distribution, RunsRuntime: true, Reserved: []string{"cattle-"},
		Programs: []string{"rke2"}, Processes: []string{"rke2"}, Units: []string{"rke2-agent", "rke2-server"},
		RuntimeConfigs: []string{"/var/lib/rancher/rke2/agent/etc/containerd/config.toml"},
		Logs:           []string{"/var/lib/rancher/rke2/agent/logs/kubelet.log", "/var/lib/rancher/rke2/agent/containerd/containerd.log"},
	},
	{Name: "k0s", Role: Distribution, RunsRuntime: true, Programs: []string{"k0s"}, Processes: []string{"k0s"}},
	{ // its runtime is a separate unit, an entry of containerd
		Name: "microk8s", Role: Distribution, Speaker: "kubelet",
		Programs: []string{"microk8s.daemon-kubelet", "microk8s.daemon-kubelite", "kubelite"}, Processes: []string{"microk8s"},
		Units: []string{"snap.microk8s.daemon-kubelet", "snap.microk8s.daemon-kubelite"},
	},
	{
		Name: "openshift", Role: Distribution, Speaker: "kubelet",
		Namespaces: []string{"openshift-dns"}, Reserved: []string{"openshift-"},
		Programs: []string{"kubenswrapper", "origin-node", "atomic-openshift-node"},
	},
	{Name: "talos", Role: Distribution, Programs: []string{"talos"}},
	{Name: "minikube", Role: Distribution, Programs: []string{"minikube"}},
}
