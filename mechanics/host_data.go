package mechanics

import (
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// HostDirectory is a directory of the node in which a container of a pod may write.
type HostDirectory struct {
	Path      string // on the node
	Container string
	Mount     string // in the container
}

// HostDirectories are the hostPath volumes that may hold data of the pod: a drain evicts it without a word
// (localStorageFilter of k8s.io/kubectl pkg/drain/filters.go, v0.36.3, asks for emptyDir alone), and a pod that replaces it on another
// node finds what lies there. Sockets, devices, single files, what is mounted read-only, and the directories of the system, the kubelet and the runtime
// are no data of a pod.
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

// ofSystem are directories whose content belongs to the machine.
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
