package facts

import (
	"path"
	"slices"
	"strings"
)

// SaidByUnit is what a unit that does not run means, and one that starts over and over.
func SaidByUnit(name string) (stopped, looping string) {
	switch strings.TrimSuffix(name, ".service") {
	case "kubelet", "k3s", "k3s-agent", "rke2-agent", "rke2-server", "snap.kubelet.daemon", "snap.microk8s.daemon-kubelet", "snap.microk8s.daemon-kubelite":
		return "kubelet-stopped", "kubelet-crash-looping"
	case "containerd", "docker", "crio", "cri-o", "cri-docker", "cri-dockerd", "snap.microk8s.daemon-containerd":
		return "runtime-down", "runtime-down"
	}
	return "", ""
}

// OfNode reports whether a control group holds what the node is made of: all pods, or kubelet and runtime.
func OfNode(group string) bool {
	group = strings.Trim(group, "/")
	if part, _ := SaidByUnit(path.Base(group)); part != "" {
		return true
	}
	return slices.Contains([]string{"", "kubepods", "system", "runtime", "kube", "kubelet", "podruntime"}, strings.TrimSuffix(group, ".slice"))
}
