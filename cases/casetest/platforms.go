package casetest

import (
	"regexp"

	corev1 "k8s.io/api/core/v1"
)

// Platform is a kind of node, and what its commands must not contain: on its machine, and anywhere.
type Platform struct {
	image, version, runtime, provider, os string
	onNode, anywhere                      *regexp.Regexp
}

var (
	units      = `\b(?:systemctl(?: [a-z-]+)+|journalctl(?: -[a-z]+)* -u|-u)(?: --now)? (?:kubelet|containerd)\b`
	embedded   = regexp.MustCompile(units + `|\bkubeadm (?:reset|join|token)|/etc/kubernetes/(?:[a-z-]+\.conf|pki)|/run/containerd/containerd\.sock|\bnodeadm `)
	noPackages = regexp.MustCompile(`\b(?:apt-get|apt|dnf|yum|zypper|tdnf) `)
	noCloud    = regexp.MustCompile(`^(?:az|aws|gcloud|eksctl|nodetriage repair) `)
	notAzure   = regexp.MustCompile(`^(?:az|nodetriage repair) `)
	notAWS     = regexp.MustCompile(`^aws `)
	unix       = regexp.MustCompile(`\b(?:systemctl|journalctl|dmesg|crictl|grep|awk|sed|apt-get|dnf|ip route|sysctl)\b|/etc/|/var/|/proc/|/sys/`)
	noDocker   = regexp.MustCompile(`\b(?:systemctl [a-z-]+ docker|docker (?:ps|restart|system))\b`)
)

// Platforms is the table that judges commands. It is independent of knowledge/catalog/platforms.yaml, which creates them.
var Platforms = map[string]Platform{
	"k3s":          {"Ubuntu 22.04.5 LTS", "v1.33.4+k3s1", "containerd://2.0.5-k3s2", "k3s://n", "linux", embedded, noCloud},
	"rke2":         {"SUSE Linux Enterprise Server 15 SP6", "v1.31.1+rke2r1", "containerd://1.7.21-k3s2", "rke2://n", "linux", embedded, noCloud},
	"k0s":          {"Debian GNU/Linux 12 (bookworm)", "v1.31.2+k0s", "containerd://1.7.23", "hcloud://1", "linux", embedded, notAzure},
	"openshift":    {"Red Hat Enterprise Linux CoreOS 418.94.202501", "v1.31.4", "cri-o://1.31.4", "baremetalhost:///x", "linux", regexp.MustCompile(noPackages.String() + `|\bkubeadm (?:reset|join)|\bctr |/run/containerd/|\bsystemctl [a-z-]+ containerd\b`), noCloud},
	"talos":        {"Talos (v1.9.0)", "v1.32.0", "containerd://2.0.1", "hcloud://1", "linux", unix, notAzure},
	"windows":      {"Windows Server 2022 Datacenter", "v1.33.3", "containerd://1.7.20", "azure:///subscriptions/0/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/akswin/virtualMachines/0", "windows", unix, notAWS},
	"bottlerocket": {"Bottlerocket OS 1.30.0 (aws-k8s-1.31)", "v1.31.2-eks-94953ac", "containerd://1.7.24", "aws:///us-east-1b/i-0abc", "linux", regexp.MustCompile(noPackages.String() + `|\b(?:kubeadm|nodeadm|vi|cloud-init) |\bcrictl (?:ps|pods|images|rm|inspect|logs)`), notAzure},
	"flatcar":      {"Flatcar Container Linux by Kinvolk 4081.2.0", "v1.31.2", "containerd://1.7.21", "", "linux", noPackages, regexp.MustCompile(`^$`)},
	"amazon linux": {"Amazon Linux 2023.6.20250107", "v1.31.2-eks-94953ac", "containerd://1.7.24", "aws:///us-east-1b/i-0abc", "linux", regexp.MustCompile(`\b(?:apt-get|zypper|tdnf) |` + noDocker.String()), notAzure},
	"azure linux":  {"CBL-Mariner/Linux", "v1.31.2", "containerd://1.6.26", "azure:///subscriptions/0/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-1-vmss/virtualMachines/3", "linux", regexp.MustCompile(`\b(?:apt-get|zypper|dnf) |` + noDocker.String()), notAWS},
	"ubuntu":       {"Ubuntu 22.04.5 LTS", "v1.31.2", "containerd://1.7.27", "azure:///subscriptions/0/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-1-vmss/virtualMachines/3", "linux", regexp.MustCompile(`\b(?:zypper|dnf|tdnf) |` + noDocker.String()), notAWS},
}

// Dress gives a node the platform, and a machine of its provider if it has none.
func (p Platform) Dress(n *corev1.Node) {
	if n.Spec.ProviderID == "" {
		n.Spec.ProviderID = p.provider
	}
	info := &n.Status.NodeInfo
	info.OperatingSystem, info.OSImage, info.KubeletVersion, info.ContainerRuntimeVersion = p.os, p.image, p.version, p.runtime
}

// Missing reports whether a command that runs at the place, "node" or another, is missing on the platform.
func (p Platform) Missing(command, place string) bool {
	return p.anywhere.MatchString(command) || (place == "node" || place == "control-plane") && p.onNode.MatchString(command)
}

// Foreign reports whether a text mentions something that a platform without a Unix shell does not have.
func (p Platform) Foreign(text string) bool { return p.onNode == unix && unix.MatchString(text) }
