package messages

import "github.com/nodetriage/nodetriage/knowledge/logline"

// family maps a failing component to a cause if its message is unknown: by the kind of the error, and one cause for all other
// errors.
type family struct {
	byKind map[logline.Kind]string
	other  string
}

// componentFamilies are families by speaker, who may be several components. Their causes are at most possible, because no signature
// matches the line.
var componentFamilies = map[logline.Speaker]family{
	logline.Kubelet: {map[logline.Kind]string{
		"unknown-option": "kubelet-config-invalid", "invalid": "kubelet-config-invalid", "certificate": "kubelet-auth-rejected", "unauthorized": "kubelet-auth-rejected",
		"forbidden": "kubelet-auth-rejected",
		"refused":   "apiserver-unreachable", "no-route": "apiserver-unreachable", "name-resolution": "node-dns-failure", "no-tasks": "pid-exhaustion",
		"no-memory": "memory-pressure-oom", "io-error": "disk-hardware-failure", "read-only": "filesystem-readonly", "mount-limit": "mount-table-full", "inotify-limit": "inotify-exhaustion",
	}, "kubelet-crash-looping"},
	logline.Containerd: {map[logline.Kind]string{"timeout": "runtime-hung", "io-error": "runtime-storage-corrupt", "exists": "runtime-storage-corrupt", "mount-limit": "mount-table-full", "signal": "runtime-bug"}, "runtime-down"},
	logline.CRIO:       {map[logline.Kind]string{"timeout": "runtime-hung", "io-error": "runtime-storage-corrupt", "signal": "runtime-bug"}, "runtime-down"},
	logline.Docker:     {map[logline.Kind]string{"timeout": "runtime-hung", "io-error": "runtime-storage-corrupt", "signal": "runtime-bug"}, "runtime-down"},
	logline.Runc:       {map[logline.Kind]string{"permission": "kernel-setting-wrong", "not-supported": "cgroup-version-unsupported"}, "runtime-bug"},
	logline.Agent:      {map[logline.Kind]string{"unknown-option": "cni-config-invalid", "invalid": "cni-config-invalid", "exists": "cni-state-corrupt", "signal": "cni-bug", "unauthorized": "cni-credentials-invalid"}, "cni-agent-crash"},
	logline.Proxy:      {nil, "kube-proxy-failing"},
	logline.Distro: {map[logline.Kind]string{
		"unknown-option": "kubelet-config-invalid", "invalid": "kubelet-config-invalid", "certificate": "kubelet-auth-rejected", "unauthorized": "kubelet-auth-rejected",
		"refused": "apiserver-unreachable", "no-route": "apiserver-unreachable", "timeout": "apiserver-unreachable", "name-resolution": "node-dns-failure",
	}, "kubelet-crash-looping"},
	logline.Etcd:        {nil, "etcd-unavailable"},
	logline.APIServer:   {nil, "control-plane-degraded"},
	logline.Controllers: {nil, "control-plane-degraded"},
	logline.Bootstrap: {map[logline.Kind]string{
		"unknown-option": "bootstrap-misconfigured", "invalid": "bootstrap-misconfigured", "certificate": "bootstrap-misconfigured", "unauthorized": "bootstrap-misconfigured",
		"name-resolution": "provision-dns-failed", "timeout": "provision-outbound-blocked", "refused": "provision-outbound-blocked", "no-route": "provision-outbound-blocked",
		"not-found": "node-image-defective",
	}, "provision-script-failed"},
	logline.Kernel:   {map[logline.Kind]string{"io-error": "disk-hardware-failure", "read-only": "filesystem-readonly", "no-memory": "memory-pressure-oom"}, ""}, // signatures know how the kernel stops; it can abort a step and continue
	logline.Device:   {map[logline.Kind]string{"not-found": "gpu-driver-missing"}, "gpu-device-plugin"},
	logline.Tunnel:   {nil, "control-plane-tunnel-broken"},
	logline.CSI:      {map[logline.Kind]string{"timeout": "storage-backend-hang", "exists": "volume-detach-stuck"}, "volume-attach-failed"},
	logline.Disk:     {nil, "disk-encryption-key-unavailable"},
	logline.Bus:      {nil, "systemd-unresponsive"},
	logline.Metadata: {nil, "cloud-metadata-failure"},
	logline.CloudCtl: {map[logline.Kind]string{"forbidden": "cloud-permission-denied", "unauthorized": "cloud-credentials-expired"}, "cloud-provider-uninitialized"},
	logline.Cloud: {map[logline.Kind]string{"forbidden": "cloud-permission-denied", "unauthorized": "cloud-credentials-expired", "not-found": "cloud-resource-missing",
		"invalid": "cloud-request-invalid", "too-many": "cloud-api-throttled"}, ""},
	logline.Autoscaler: {map[logline.Kind]string{"forbidden": "cloud-permission-denied", "unauthorized": "cloud-credentials-expired", "invalid": "cloud-request-invalid"}, ""},
}
