package logline

import (
	"slices"
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// topic is the subject of a line by the names, paths and ports in it. One component owns each.
type topic struct {
	speaker Speaker
	roles   []components.Role // roles whose components are included, with their names; none: the expression is complete
	expr    string
}

// topics. The first match counts.
var topics = []topic{
	{Tunnel, nil, `(?i)konnectivity|proxy-agent|agent ?tunnel|tunnelfront|no agent available|remotedialer`},
	{Device, []components.Role{components.Device}, `\bgpus?\b`},
	{Disk, nil, `(?i)\bluks2?\b|cryptsetup|dm-crypt|\bPCR ?\d|\btpm2?\b|\bkms\b.{0,40}key|encryption key|sealed`},
	{Bus, nil, `(?i)org\.freedesktop|\bdbus\b|d-bus|/run/systemd/private|systemd1\b`},
	{Metadata, nil, `(?i)169\.254\.169\.254|\bimds(?:v2)?\b|instance metadata|metadata (?:service|server)|latest/(?:meta-data|api/token)`},
	{Bootstrap, nil, `(?i)ignition|cloud-init|cloud-final|cc_scripts|user-?data|\bnodeadm\b|bootstrap|\bkubeadm\b|/cacerts|\bjoin(?:ing)? (?:the )?cluster|provision(?:ing)? script|cloudinit|error execution phase|\[ERROR [A-Z]|Exiting due to [A-Z_]+:|fatal: \[\S+\]: (?:FAILED|UNREACHABLE)!`},
	{Agent, []components.Role{components.Network}, `vxlan|\bbgp\b`},
	{Proxy, []components.Role{components.Proxy}, ``},
	{Etcd, []components.Role{components.Datastore}, ``},
	{CSI, []components.Role{components.Storage}, `iscsi|\bnfs\b|AttachVolume|MountVolume|UnmountVolume|DetachVolume|multipath|/var/lib/kubelet/(?:pods/[^/]+/volumes|plugins)|persistentvolume`},
	{Containerd, []components.Role{components.Runtime, components.LowRuntime}, `RunPodSandbox|ContainerStatus|CreateContainer`},
	{Kernel, nil, `\bCPU#?\d|Call Trace|\bRIP:|general protection|Kernel panic|\bOops\b|BUG:|blk_update_request|EXT4-fs|XFS \(|nvme\d`},
	{APIServer, []components.Role{components.ControlPlane}, ``},
	{Kubelet, []components.Role{components.Kubelet}, ``},
}

// expressions are those of the topics, compiled at the first use.
var expressions = sync.OnceValue(func() []*prefilter.Regexp {
	out := make([]*prefilter.Regexp, len(topics))
	for i, t := range topics {
		out[i] = prefilter.Checked(t.whole())
	}
	return out
})

// whole returns the expression of a topic with those of its components.
func (t topic) whole() string {
	if t.roles == nil {
		return t.expr
	}
	var parts []string
	for _, c := range components.All() {
		if c.Topic != "" && slices.Contains(t.roles, c.Role) {
			parts = append(parts, c.Topic)
		}
	}
	if t.expr != "" {
		parts = append(parts, t.expr)
	}
	return "(?i)" + strings.Join(parts, "|")
}

// TopicOf returns the component that a line is about, by the names in it, if its head names none.
func TopicOf(line string) Speaker {
	text := prefilter.NewText(line[:min(len(line), 2000)])
	for i, re := range expressions() {
		if re.Match(text) {
			return topics[i].speaker
		}
	}
	return Unknown
}
