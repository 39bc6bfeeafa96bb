package mechanics

import (
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// HostDirectory is a directory of the node that a container of a pod can write to.
type HostDirectory struct {
	Path      string // on the node
	Container string
	Mount     string // in the container
}

// HostDirectories returns the hostPath volumes that may have data of the pod. A drain does not warn about them
// (localStorageFilter of k8s.io/kubectl pkg/drain/filters.go, v0.36.3, checks only emptyDir), and a replacement on
// another node does not have the data. Sockets, devices, single files, read-only mounts, and directories of the system,
// the kubelet and the runtime do not count.
func HostDirectories(p *evidence.Pod) []HostDirectory {
	if p.Spec == nil {
		return nil
	}
	var out []HostDirectory
	for _, v := range p.Spec.Volumes {
		if v.HostPath == nil || !holdsData(v.HostPath) {
			continue
		}
		for _, c := range p.Spec.Containers {
			i := slices.IndexFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == v.Name && !m.ReadOnly })
			if i >= 0 {
				out = append(out, HostDirectory{Path: v.HostPath.Path, Container: c.Name, Mount: c.VolumeMounts[i].MountPath})
				break
			}
		}
	}
	return out
}

// ofSystem are directories of the operating system.
var ofSystem = []string{
	"/proc", "/sys", "/dev", "/etc", "/run", "/var/run", "/usr", "/lib", "/lib64", "/bin", "/sbin", "/boot", "/var/log",
	"/var/lib/kubelet", "/var/lib/docker", "/var/lib/containerd", "/var/lib/containers", "/var/lib/cni", "/opt/cni",
}

func holdsData(h *corev1.HostPathVolumeSource) bool {
	if h.Type != nil && !slices.Contains([]corev1.HostPathType{corev1.HostPathUnset, corev1.HostPathDirectory, corev1.HostPathDirectoryOrCreate}, *h.Type) {
		return false
	}
	clean := path.Clean(h.Path)
	return clean != "/" && !slices.ContainsFunc(ofSystem, func(dir string) bool { return clean == dir || strings.HasPrefix(clean, dir+"/") })
}
