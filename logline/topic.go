package logline

import "github.com/nodetriage/nodetriage/prefilter"

// topics are what a line is about by the names, paths and ports in it, each owned by one component.
var topics = []struct {
	speaker Speaker
	re      *prefilter.Regexp
}{
	{Tunnel, prefilter.MustCompile(`(?i)konnectivity|proxy-agent|agent ?tunnel|tunnelfront|no agent available|remotedialer`)},
	{Device, prefilter.MustCompile(`(?i)\bnvidia|\bnvml\b|\bcuda\b|\bgpus?\b|NVRM|\bxid\b|/dev/nvidia|nvidia-device-plugin|amdgpu`)},
	{Disk, prefilter.MustCompile(`(?i)\bluks2?\b|cryptsetup|dm-crypt|\bPCR ?\d|\btpm2?\b|\bkms\b.{0,40}key|encryption key|sealed`)},
	{Bus, prefilter.MustCompile(`(?i)org\.freedesktop|\bdbus\b|d-bus|/run/systemd/private|systemd1\b`)},
	{Metadata, prefilter.MustCompile(`(?i)169\.254\.169\.254|\bimds(?:v2)?\b|instance metadata|metadata (?:service|server)|latest/(?:meta-data|api/token)`)},
	{Bootstrap, prefilter.MustCompile(`(?i)ignition|cloud-init|cloud-final|cc_scripts|user-?data|\bnodeadm\b|bootstrap|\bkubeadm\b|/cacerts|\bjoin(?:ing)? (?:the )?cluster|provision(?:ing)? script|cloudinit`)},
	{Agent, prefilter.MustCompile(`(?i)calico|felix|cilium|flannel|\bweave|antrea|ovs-|ovsdb|openvswitch|\bovn|kube-router|\bcni\b|/etc/cni|/opt/cni|multus|spiderpool|ipamd|aws-node|azure-vnet|azure-cns|vxlan|\bbgp\b|bird\b|net-attach-def|kube-ovn`)},
	{Proxy, prefilter.MustCompile(`(?i)kube-proxy|\bKUBE-(?:SERVICES|MARK|SVC|SEP|FORWARD)|iptables-restore|\bipvs\b|\bproxier\b`)},
	{Etcd, prefilter.MustCompile(`(?i)\betcd|dqlite|\bkine\b|\braft\b|:2379|:2380`)},
	{CSI, prefilter.MustCompile(`(?i)\bcsi\b|\brbd\b|iscsi|\bnfs\b|AttachVolume|MountVolume|UnmountVolume|DetachVolume|multipath|/var/lib/kubelet/(?:pods/[^/]+/volumes|plugins)|persistentvolume`)},
	{Containerd, prefilter.MustCompile(`(?i)containerd|cri-o|\bcrio\b|dockerd?\b|\brunc\b|\bshim\b|snapshotter|overlayfs|RunPodSandbox|ContainerStatus|CreateContainer`)},
	{Kernel, prefilter.MustCompile(`\bCPU#?\d|Call Trace|\bRIP:|general protection|Kernel panic|\bOops\b|BUG:|blk_update_request|EXT4-fs|XFS \(|nvme\d`)},
	{APIServer, prefilter.MustCompile(`(?i)kube-apiserver|:6443|:8443/api|/apis?/v1`)},
	{Kubelet, prefilter.MustCompile(`(?i)kubelet|/var/lib/kubelet|:10250`)},
}

// TopicOf returns the component that a line is about, by the names in it, where its head tells none.
func TopicOf(line string) Speaker {
	text := prefilter.NewText(line[:min(len(line), 2000)])
	for _, t := range topics {
		if t.re.Match(text) {
			return t.speaker
		}
	}
	return Unknown
}
