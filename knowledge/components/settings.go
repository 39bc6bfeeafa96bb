package components

// NodeSettings returns the kernel settings that the network of pods needs on every node, with any plugin. Source: kubeadm
// cmd/kubeadm/app/preflight/checks.go, v1.36.3.
func NodeSettings() map[string]string { return map[string]string{"net.ipv4.ip_forward": "1"} }

// PodNetwork is the name of what needs NodeSettings.
const PodNetwork = "the pod network"
