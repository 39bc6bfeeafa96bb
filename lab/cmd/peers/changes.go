//go:build linux

package main

import (
	"strings"

	"github.com/nodetriage/nodetriage/lab"
)

// change is one change on a node.
type change struct {
	name string
	what string // as text, for the page
	// found lists parts of the text of a difference; any of them shows that the change was detected.
	found []string
	edits []edit
	// do and undo are commands for a change that is in no file.
	do, undo string
	// restart lists the units that an operator restarts for the change to take effect.
	restart []string
	// noPod: no pod is started, because its network plugin would undo the change.
	noPod bool
}

// edit changes a file, which may not exist; its old content, or absence, is restored.
type edit struct {
	file string
	to   func(string) string
}

func replace(old, by string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, by, 1) }
}
func add(text string) func(string) string  { return func(s string) string { return s + text } }
func text(text string) func(string) string { return func(string) string { return text } }

var (
	kubelet    = []string{lab.Kubelet}
	containerd = []string{lab.Containerd}
)

func kubeletField(name, field, what string, to func(string) string) change {
	return change{name: name, what: what, found: []string{lab.KubeletConfig + " " + field}, edits: []edit{{lab.KubeletConfig, to}}, restart: kubelet}
}

func runtimeField(name, field, what string, to func(string) string) change {
	return change{name: name, what: what, found: []string{field}, edits: []edit{{lab.RuntimeConfig, to}}, restart: containerd}
}

func dropIn(name, unit, directives, what string) change {
	file := "/etc/systemd/system/" + unit + ".service.d/50-change.conf"
	return change{name: name, what: what, found: []string{file}, edits: []edit{{file, text("[Service]\n" + directives + "\n")}}, restart: []string{unit}}
}

func unitCommand(name, do, undo, what string, found ...string) change {
	return change{name: name, what: what, found: found, do: do, undo: undo}
}

// changes lists all changes.
var changes = []change{
	dropIn("kubelet-flag-unknown", lab.Kubelet, `Environment="KUBELET_EXTRA_ARGS=--network-plugin=cni"`,
		"a drop-in gives the kubelet a flag that was removed"),
	{name: "kubelet-flag-max-pods", what: "kubeadm-flags.env gives the kubelet --max-pods=1", found: []string{"kubeadm-flags.env --max-pods"},
		edits: []edit{{"/var/lib/kubelet/kubeadm-flags.env", replace(`ARGS="`, `ARGS="--max-pods=1 `)}}, restart: kubelet},
	kubeletField("kubelet-eviction", "evictionHard.memory.available", "evictionHard: memory.available of 99 %",
		replace("memory.available: 100Mi", "memory.available: 99%")),
	kubeletField("kubelet-cgroup-driver", "cgroupDriver", "cgroupDriver: cgroupfs", replace("cgroupDriver: systemd", "cgroupDriver: cgroupfs")),
	kubeletField("kubelet-max-pods-word", "maxPods", "maxPods: plenty", add("maxPods: plenty\n")),
	kubeletField("kubelet-cluster-dns", "clusterDNS", "clusterDNS of another cluster", replace("10.96.0.10", "10.43.0.10")),
	kubeletField("kubelet-endpoint", "containerRuntimeEndpoint", "containerRuntimeEndpoint of CRI-O",
		replace("/run/containerd/containerd.sock", "/run/crio/crio.sock")),
	kubeletField("kubelet-resolv-conf", "resolvConf", "resolvConf that is not there", replace("/run/systemd/resolve/resolv.conf", "/etc/resolv.conf.pods")),
	kubeletField("kubelet-client-ca", "authentication.x509.clientCAFile", "clientCAFile that is not there",
		replace("/etc/kubernetes/pki/ca.crt", "/etc/kubernetes/pki/client-ca.crt")),
	kubeletField("kubelet-feature-gate", "featureGates.DynamicKubeletConfig", "a feature gate that is gone", add("featureGates: {DynamicKubeletConfig: true}\n")),
	{name: "kubelet-config-tab", what: "a tab in the kubelet's configuration",
		found:   []string{lab.KubeletConfig},
		edits:   []edit{{lab.KubeletConfig, add("\tmaxPods: 110\n")}},
		restart: kubelet},
	dropIn("kubelet-tasks-max", lab.Kubelet, "TasksMax=6", "a drop-in allows the kubelet six threads"),
	dropIn("kubelet-user", lab.Kubelet, "User=nobody", "a drop-in runs the kubelet as nobody"),
	dropIn("kubelet-proxy", lab.Kubelet, "Environment=HTTPS_PROXY=http://192.0.2.1:3128", "a drop-in gives the kubelet an unreachable proxy"),
	unitCommand("kubelet-masked",
		"systemctl mask --now kubelet",
		"systemctl unmask kubelet; systemctl start kubelet",
		"the kubelet is stopped and masked", "kubelet.service: masked", "kubelet.service masked", "kubelet.service is enabled"),
	unitCommand("kubelet-disabled",
		"systemctl disable --now kubelet",
		"systemctl enable --now kubelet",
		"the kubelet is stopped and disabled", "wants kubelet.service", "kubelet.service is enabled"),
	unitCommand("runtime-masked",
		"systemctl mask --now containerd",
		"systemctl unmask containerd; systemctl start containerd", "containerd is stopped and masked",
		"containerd.service: masked", "containerd.service masked", "containerd.service is enabled"),
	dropIn("runtime-files", lab.Containerd, "LimitNOFILE=24", "a drop-in allows containerd 24 open files"),
	dropIn("runtime-tasks-max", lab.Containerd, "TasksMax=6", "a drop-in allows containerd six threads"),
	runtimeField("runtime-sandbox-image", "pinned_images.sandbox", "a sandbox image that no registry has", replace("pause:1", "pause:none")),
	runtimeField("runtime-cgroup", "SystemdCgroup", "SystemdCgroup = false", replace("SystemdCgroup = true", "SystemdCgroup = false")),
	runtimeField("runtime-snapshotter", "snapshotter", "a snapshotter that is not there", replace("snapshotter = 'native'", "snapshotter = 'stargz'")),
	runtimeField("runtime-type", "runtime_type", "a runtime without a shim", replace("io.containerd.runc.v2", "io.containerd.kata.v2")),
	runtimeField("runtime-cni-dir", "bin_dirs", "a folder without plugins", replace("/opt/cni/bin", "/usr/lib/cni")),
	runtimeField("runtime-cri-disabled", "disabled_plugins", "the CRI plugin is disabled",
		replace("version = 3\n", "version = 3\ndisabled_plugins = ['io.containerd.grpc.v1.cri']\n")),
	{name: "registry-mirror", what: "a mirror of the registry that is unreachable", found: []string{"registry.example.com/hosts.toml"},
		edits: []edit{{"/etc/containerd/certs.d/registry.example.com/hosts.toml",
			text("server = \"https://192.0.2.1\"\n[host.\"https://192.0.2.1\"]\n  capabilities = [\"pull\"]\n")}}},
	// containerd reloads when a file is written, not when a file is moved there.
	{name: "cni-config-removed", what: "the network configuration is gone",
		found: []string{lab.CNIConfig},
		do:    "mv " + lab.CNIConfig + " /root/away",
		undo:  "cat /root/away > " + lab.CNIConfig},
	{name: "cni-plugin-unknown", what: "the network configuration names a plugin that is not there",
		found: []string{lab.CNIConfig + " plugins[0].type", "plugin brigde"},
		edits: []edit{{lab.CNIConfig, replace(`"type": "bridge"`, `"type": "brigde"`)}}},
	{name: "cni-second-config", what: "a second network configuration that comes first", found: []string{"/etc/cni/net.d/05-other.conflist"},
		edits: []edit{{"/etc/cni/net.d/05-other.conflist", text(`{"cniVersion": "1.0.0", "name": "other", "plugins": [{"type": "weave-net"}]}` + "\n")}}},
	{name: "cni-plugin-removed", what: "the program of a plugin is gone",
		found: []string{"/opt/cni/bin/bridge", "plugin bridge"},
		do:    "mv /opt/cni/bin/bridge /root/away",
		undo:  "mv /root/away /opt/cni/bin/bridge"},
	{name: "mtu", what: "the MTU of eth0 is 400", found: []string{"MTU of eth0"}, do: "ip link set eth0 mtu 400", undo: "ip link set eth0 mtu 1500"},
	{name: "route-blackhole", what: "a route rejects what goes to the API server", found: []string{"rejected, not none"},
		do:   "ip route add blackhole $(ip route | sed -n 's/^default via \\([^ ]*\\) .*/\\1/p')/32",
		undo: "ip route del blackhole $(ip route | sed -n 's/^default via \\([^ ]*\\) .*/\\1/p')/32"},
	{name: "firewall-out", what: "a rule drops what is sent to the API server", found: []string{"filter OUTPUT drops"},
		do: "iptables -w -I OUTPUT -p tcp --dport 6443 -j DROP", undo: "iptables -w -D OUTPUT -p tcp --dport 6443 -j DROP"},
	{name: "firewall-in", what: "a rule drops what is sent to the kubelet's port", found: []string{"filter INPUT drops"},
		do: "iptables -w -I INPUT -p tcp --dport 10250 -j DROP", undo: "iptables -w -D INPUT -p tcp --dport 10250 -j DROP"},
	{name: "ip-forward", what: "net.ipv4.ip_forward = 0",
		found: []string{"net.ipv4.ip_forward"},
		do:    "echo 0 > /proc/sys/net/ipv4/ip_forward",
		undo:  "echo 1 > /proc/sys/net/ipv4/ip_forward", noPod: true},
	{name: "rp-filter", what: "net.ipv4.conf.all.rp_filter is changed", found: []string{"rp_filter"},
		do:   "cat /proc/sys/net/ipv4/conf/all/rp_filter > /root/rp; echo $((($(cat /root/rp) + 1) % 3)) > /proc/sys/net/ipv4/conf/all/rp_filter",
		undo: "cat /root/rp > /proc/sys/net/ipv4/conf/all/rp_filter"},
	{name: "module-blacklist", what: "modprobe.d keeps overlay from being loaded", found: []string{"/etc/modprobe.d/hardening.conf"},
		edits: []edit{{"/etc/modprobe.d/hardening.conf", text("blacklist overlay\ninstall overlay /bin/false\n")}}},
	{name: "resolver", what: "another resolver, which is unreachable", found: []string{"nameserver", "resolved.conf.d/50-change.conf"},
		edits: []edit{{"/etc/systemd/resolved.conf.d/50-change.conf", text("[Resolve]\nDNS=192.0.2.53\n")}}, restart: []string{"systemd-resolved"}},
	unitCommand("resolver-disabled",
		"systemctl disable --now systemd-resolved",
		"systemctl enable --now systemd-resolved",
		"the resolver is stopped and disabled", "wants systemd-resolved.service", "systemd-resolved.service is enabled", "/run/systemd/resolve/resolv.conf"),
	{name: "hosts-entry", what: "/etc/hosts sends a registry elsewhere",
		found: []string{"/etc/hosts registry.example.com"},
		edits: []edit{{"/etc/hosts", add("192.0.2.7 registry.example.com\n")}}},
	{name: "kubelet-server", what: "the kubelet's kubeconfig names another port of the API server", found: []string{"/etc/kubernetes/kubelet.conf"},
		edits: []edit{{"/etc/kubernetes/kubelet.conf", replace(":6443", ":6444")}}, restart: kubelet},
	{name: "ca-replaced", what: "the file of the authority that signs clients holds another one",
		found:   []string{"/etc/kubernetes/pki/ca.crt"},
		edits:   []edit{{"/etc/kubernetes/pki/ca.crt", text(otherCA)}},
		restart: kubelet},
	{name: "kubelet-folder-read-only", what: "the kubelet's folder is mounted read-only", found: []string{"/proc/1/mountinfo /var/lib/kubelet"},
		do: "mount -o remount,bind,ro /var/lib/kubelet", undo: "mount -o remount,bind,rw /var/lib/kubelet", restart: kubelet},
	{name: "fstab", what: "fstab has a share that is not there",
		found: []string{"/etc/fstab"},
		edits: []edit{{"/etc/fstab", add("192.0.2.1:/data /data nfs defaults 0 0\n")}}},
	{name: "host-name", what: "another host name",
		found: []string{"/etc/hostname", "kernel/hostname", "host name"},
		do:    "hostname other; echo other > /etc/hostname",
		undo:  "hostname $NODE; echo $NODE > /etc/hostname"},
	{name: "time-zone", what: "another time zone",
		found: []string{"/etc/localtime"},
		do:    "cp -P /etc/localtime /root/zone || true; ln -sf /usr/share/zoneinfo/Asia/Kathmandu /etc/localtime",
		undo:  "rm /etc/localtime; [ ! -L /root/zone ] || mv /root/zone /etc/localtime"},
	{name: "package-version", what: "a package that is half configured, in another version",
		found: []string{"package systemd version", "package systemd status"},
		do: "cp /var/lib/dpkg/status /root/status; " +
			"awk '/^Package: /{p=$2} p==\"systemd\" && /^Version: /{$2=\"999-1\"} {print}' /root/status > /var/lib/dpkg/status",
		undo: "mv /root/status /var/lib/dpkg/status"},
	unitCommand("time-service-masked",
		"systemctl mask --now systemd-timesyncd",
		"systemctl unmask systemd-timesyncd; systemctl start systemd-timesyncd",
		"the time service is stopped and masked",
		"systemd-timesyncd.service: masked", "systemd-timesyncd.service masked", "systemd-timesyncd.service is enabled"),
}

// otherCA is a certificate of an authority that is unrelated to the lab.
const otherCA = `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ+gAwIBAgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDExFhbm90aGVy
IGF1dGhvcml0eTAeFw0yNjAxMDEwMDAwMDBaFw00NjAxMDEwMDAwMDBaMBwxGjAY
BgNVBAMTEWFub3RoZXIgYXV0aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEABTO/WWB/53QdW59EMAyOS4Js8CsoGaos5pvvr01FnTu9fA9cu5u8efuSKRO
A1XIEkU/4jOkcoZnDFkrYYZVOaNCMEAwDgYDVR0PAQH/BAQDAgIEMA8GA1UdEwEB
/wQFMAMBAf8wHQYDVR0OBBYEFFOM9h2QQtpqspcrNYGOzfFzz0JSMAoGCCqGSM49
BAMCA0cAMEQCIBAM7np56ZQGMj21wrNQjGvNfpiwyesCTi6+rB93FZ4qAiB+Eeyt
PxiCoO94m6JBzOmPussCpfg9gu8OuT71ivFdNA==
-----END CERTIFICATE-----
`
