package logline

import "regexp"

// topics are what a line is about by the names, paths and ports in it, each owned by one component.
var topics = []struct {
	speaker Speaker
	re      *regexp.Regexp
}{
	{Tunnel, regexp.MustCompile(`(?i)konnectivity|proxy-agent|agent ?tunnel|tunnelfront|no agent available|remotedialer`)},
	{Device, regexp.MustCompile(`(?i)\bnvidia|\bnvml\b|\bcuda\b|\bgpus?\b|NVRM|\bxid\b|/dev/nvidia|nvidia-device-plugin|amdgpu`)},
	{Disk, regexp.MustCompile(`(?i)\bluks2?\b|cryptsetup|dm-crypt|\bPCR ?\d|\btpm2?\b|\bkms\b.{0,40}key|encryption key|sealed`)},
	{Bus, regexp.MustCompile(`(?i)org\.freedesktop|\bdbus\b|d-bus|/run/systemd/private|systemd1\b`)},
	{Metadata, regexp.MustCompile(`(?i)169\.254\.169\.254|\bimds(?:v2)?\b|instance metadata|metadata (?:service|server)|latest/(?:meta-data|api/token)`)},
	{Bootstrap, regexp.MustCompile(`(?i)ignition|cloud-init|cloud-final|cc_scripts|user-?data|\bnodeadm\b|bootstrap|\bkubeadm\b|/cacerts|\bjoin(?:ing)? (?:the )?cluster|provision(?:ing)? script|cloudinit`)},
	{Agent, regexp.MustCompile(`(?i)calico|felix|cilium|flannel|\bweave|antrea|ovs-|ovsdb|openvswitch|\bovn|kube-router|\bcni\b|/etc/cni|/opt/cni|multus|spiderpool|ipamd|aws-node|azure-vnet|azure-cns|vxlan|\bbgp\b|bird\b|net-attach-def|kube-ovn`)},
	{Proxy, regexp.MustCompile(`(?i)kube-proxy|\bKUBE-(?:SERVICES|MARK|SVC|SEP|FORWARD)|iptables-restore|\bipvs\b|\bproxier\b`)},
	{Etcd, regexp.MustCompile(`(?i)\betcd|dqlite|\bkine\b|\braft\b|:2379|:2380`)},
	{CSI, regexp.MustCompile(`(?i)\bcsi\b|\brbd\b|iscsi|\bnfs\b|AttachVolume|MountVolume|UnmountVolume|DetachVolume|multipath|/var/lib/kubelet/(?:pods/[^/]+/volumes|plugins)|persistentvolume`)},
	{Containerd, regexp.MustCompile(`(?i)containerd|cri-o|\bcrio\b|dockerd?\b|\brunc\b|\bshim\b|snapshotter|overlayfs|RunPodSandbox|ContainerStatus|CreateContainer`)},
	{Kernel, regexp.MustCompile(`\bCPU#?\d|Call Trace|\bRIP:|general protection|Kernel panic|\bOops\b|BUG:|blk_update_request|EXT4-fs|XFS \(|nvme\d`)},
	{APIServer, regexp.MustCompile(`(?i)kube-apiserver|:6443|:8443/api|/apis?/v1`)},
	{Kubelet, regexp.MustCompile(`(?i)kubelet|/var/lib/kubelet|:10250`)},
}

// TopicOf returns the component that a line is about, by the names in it, where its head tells none.
func TopicOf(line string) Speaker {
	text := line[:min(len(line), 2000)]
	for _, t := range topics {
		if t.re.MatchString(text) {
			return t.speaker
		}
	}
	return Unknown
}
