package logline

import (
	"maps"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/clouds"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Speaker is the component that wrote a text. The empty Speaker is unknown.
type Speaker string

// Speakers that rules name. All others are in the tables below.
const (
	Unknown     Speaker = ""
	Application Speaker = "application" // a workload, or a program of the host that is unrelated to Kubernetes
	Other       Speaker = "other"       // a program with an unknown name
	Klog        Speaker = "kubernetes"  // a component of Kubernetes, recognised only by the form of its lines
	Kubelet     Speaker = "kubelet"
	Containerd  Speaker = "containerd"
	CRIO        Speaker = "crio"
	Docker      Speaker = "docker"
	Runc        Speaker = "runc"
	Kernel      Speaker = "kernel"
	Systemd     Speaker = "systemd"
	Proxy       Speaker = "kube-proxy"
	APIServer   Speaker = "kube-apiserver"
	Controllers Speaker = "kube-controller-manager"
	Scheduler   Speaker = "kube-scheduler"
	Etcd        Speaker = "etcd"
	DNS         Speaker = "coredns"
	Agent       Speaker = "network-agent"
	Bootstrap   Speaker = "bootstrap" // cloud-init, ignition, nodeadm, kubeadm and similar programs
	CloudCtl    Speaker = "cloud-controller"
	Autoscaler  Speaker = "autoscaler"
	ClusterAPI  Speaker = "cluster-api"
	CSI         Speaker = "csi-driver"
	Device      Speaker = "device-plugin"
	Monitor     Speaker = "node-problem-detector"
	HostNetwork Speaker = "host-network" // NetworkManager, networkd, dhcp clients, firewalld
	HostService Speaker = "host-service" // D-Bus, resolver, time, storage daemons
	Tunnel      Speaker = "konnectivity"
	Distro      Speaker = "distribution" // k3s, RKE2, k0s: several components in one process
	Command     Speaker = "command"      // the output of a tool that a person ran
	Cloud       Speaker = "cloud"        // the API of a cloud
	Disk        Speaker = "disk-encryption"
	Bus         Speaker = "dbus"
	Metadata    Speaker = "metadata-service"
	Object      Speaker = "object" // a field of a Kubernetes object, as kubectl describe prints it
)

// others are programs, containers and event reporters that are not components of a node or its cluster, by the prefix of their
// names.
var others = map[string]Speaker{
	"kernel": Kernel, "systemd": Systemd, "init": Systemd,
	"cloud-init": Bootstrap, "ignition": Bootstrap, "nodeadm": Bootstrap, "kubeadm": Bootstrap, "bootstrap": Bootstrap, "user-data": Bootstrap,
	"bashible": Bootstrap, "cse": Bootstrap, "waagent": Bootstrap, "walinuxagent": Bootstrap, "machine-config-daemon": Bootstrap, "rpm-ostree": Bootstrap,
	"configure-sh": Bootstrap, "kube-node-installation": Bootstrap, "kube-node-configuration": Bootstrap, "google_metadata_script_runner": Bootstrap,
	"coreos": Bootstrap, "afterburn": Bootstrap, "rancher-system-agent": Bootstrap, "machined": Bootstrap,
	"cloud-controller": CloudCtl, "cloud-node": CloudCtl, // those of each cloud: package clouds
	"cluster-autoscaler": Autoscaler, "karpenter": Autoscaler, "cluster-proportional": Autoscaler, "disruption": Autoscaler, "provisioning": Autoscaler,
	"capi": ClusterAPI, "machine-controller": ClusterAPI, "machineset": ClusterAPI, "machinehealthcheck": ClusterAPI, "machine-api": ClusterAPI,
	"node-problem-detector": Monitor, "kernel-monitor": Monitor, "health-checker": Monitor, "nodemonitor": Monitor, "eks-node-monitoring": Monitor, "systemd-monitor": Monitor,
	"systemd-networkd": HostNetwork, "networkmanager": HostNetwork, "dhclient": HostNetwork, "dhcpcd": HostNetwork, "firewalld": HostNetwork, "nm-": HostNetwork,
	"netplan": HostNetwork, "wicked": HostNetwork, "ec2net": HostNetwork, "iptables": HostNetwork, "nftables": HostNetwork,
	"dbus": HostService, "systemd-resolved": HostService, "systemd-logind": HostService, "systemd-journald": HostService, "systemd-udevd": HostService,
	"systemd-timesyncd": HostService, "systemd-cryptsetup": HostService, "chronyd": HostService, "ntpd": HostService, "iscsid": HostService, "multipathd": HostService, "smartd": HostService,
	"mcelog": HostService, "rasdaemon": HostService, "earlyoom": HostService, "systemd-oomd": HostService, "mount": HostService, "xfs": HostService, "fsck": HostService, "clevis": HostService,
	"konnectivity": Tunnel, "proxy-agent": Tunnel, "proxy-server": Tunnel, "tunnelfront": Tunnel, "aks-link": Tunnel, "openvpn": Tunnel, "vpn-": Tunnel,
	"horizontal-pod-autoscaler": Application, "ingress": Application, "cert-manager": Application,
	"sshd": Application, "cron": Application, "crond": Application, "anacron": Application, "su": Application, "sudo": Application, "nginx": Application, "apache": Application, "httpd": Application,
	"postgres": Application, "mysqld": Application, "mariadb": Application, "redis": Application, "mongod": Application, "java": Application, "postfix": Application, "dovecot": Application,
	"named": Application, "ftpd": Application, "vsftpd": Application, "gdm": Application, "cupsd": Application, "snmpd": Application, "rpc.statd": Application, "sendmail": Application,
	"gitlab": Application, "jenkins": Application, "elasticsearch": Application, "logstash": Application, "rabbitmq": Application, "haproxy": Application, "nginx-proxy": Other, "slapd": Application, "pulseaudio": Application,
	"gnome": Application, "xinetd": Application, "logrotate": Application, "syslogd": Application, "rsyslogd": Application, "samba": Application, "smbd": Application, "winbindd": Application, "squid": Application,
}

// names are all programs, containers and event reporters by the prefix of their names. The longest match counts.
var names = sync.OnceValue(func() map[string]Speaker {
	all := maps.Clone(others)
	for name, speaker := range components.Speakers() {
		all[name] = Speaker(speaker)
	}
	for _, cloud := range clouds.All() {
		for _, name := range cloud.Controllers {
			all[name] = CloudCtl
		}
	}
	return all
})

// Known reports whether a speaker of that name exists.
func Known(s Speaker) bool { return speakers()[s] }

var speakers = sync.OnceValue(func() map[Speaker]bool {
	all := map[Speaker]bool{Application: true, Other: true, Klog: true, Command: true, Cloud: true, Object: true, Bootstrap: true}
	for _, s := range names() {
		all[s] = true
	}
	return all
})

// Named returns the speaker by the name of a program, unit, container or event reporter. An unknown name returns Other, no name
// returns Unknown.
func Named(name string) Speaker {
	name = strings.ToLower(strings.TrimSuffix(path.Base(strings.TrimSpace(name)), ".service"))
	name = strings.Trim(name, "()[]\"'")
	if name == "" || name == "." || name == "/" {
		return Unknown
	}
	all := names()
	for n := len(name); n > 1; n-- {
		if s, known := all[name[:n]]; known && whole(name, n) {
			return s
		}
	}
	return Other
}

// whole reports whether the first n bytes can identify a name. A short name must match completely, or be followed by a
// character that is not a letter.
func whole(name string, n int) bool {
	if n == len(name) || name[n-1] == '-' {
		return true
	}
	next := name[n]
	letter := next >= 'a' && next <= 'z'
	return !letter || n >= 6
}

// files are the source files that identify a component in klog lines, because no other component has a file of that name.
var files = map[string]Speaker{
	"kubelet.go": Kubelet, "kubelet_node_status.go": Kubelet, "eviction_manager.go": Kubelet, "remote_runtime.go": Kubelet, "remote_image.go": Kubelet,
	"pod_workers.go": Kubelet, "kuberuntime_manager.go": Kubelet, "kuberuntime_sandbox.go": Kubelet, "kuberuntime_container.go": Kubelet, "kuberuntime_image.go": Kubelet,
	"kuberuntime_gc.go": Kubelet, "volume_manager.go": Kubelet, "csi_plugin.go": Kubelet, "cni.go": Kubelet, "container_manager_linux.go": Kubelet, "cpu_manager.go": Kubelet,
	"memory_manager.go": Kubelet, "topology_manager.go": Kubelet, "plugin_manager.go": Kubelet, "plugin_watcher.go": Kubelet, "container_log_manager.go": Kubelet, "generic.go": Kubelet, "evented.go": Kubelet,
	"desired_state_of_world_populator.go": Kubelet, "image_gc_manager.go": Kubelet, "setters.go": Kubelet, "status_manager.go": Kubelet, "fs_resource_analyzer.go": Kubelet,
	"nestedpendingoperations.go": Kubelet, "kubelet_pods.go": Kubelet, "kubelet_getters.go": Kubelet, "kubelet_volumes.go": Kubelet, "pod_container_deletor.go": Kubelet, "mirror_client.go": Kubelet,
	"kubelet_network_linux.go": Kubelet, "kubelet_network.go": Kubelet, "docker_service.go": Kubelet, "docker_sandbox.go": Kubelet, "oom_watcher_linux.go": Kubelet, "swap_util.go": Kubelet,
	"nodeshutdown_manager_linux.go": Kubelet, "qos_container_manager_linux.go": Kubelet, "node_container_manager_linux.go": Kubelet, "cgroup_manager_linux.go": Kubelet, "prober.go": Kubelet,
	"pod_startup_latency_tracker.go": Kubelet, "state_mem.go": Kubelet, "state_checkpoint.go": Kubelet, "nodelease.go": Kubelet, "cadvisor_linux.go": Kubelet, "operation_generator.go": Kubelet,
	"node_lifecycle_controller.go": Controllers, "taint_eviction.go": Controllers, "replica_set.go": Controllers, "gc_controller.go": Controllers, "controllermanager.go": Controllers,
	"attach_detach_controller.go": Controllers, "node_controller.go": CloudCtl, "proxier.go": Proxy, "static_autoscaler.go": Autoscaler, "scale_up.go": Autoscaler, "scale_down.go": Autoscaler,
	"clusterstate.go": Autoscaler, "orchestrator.go": Autoscaler, "network_routes_controller.go": Agent, "csi_handler.go": CSI, "schedule_one.go": Scheduler,
}

var (
	klogFile = lazyregexp.New(`(?:^|[\s:\]"])[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{1,9}\s+\d+ ([\w-]+\.go):\d+\]`)
	kmsg     = lazyregexp.New(`^(?:<\d{1,3}>)?\[ *\d{1,8}\.\d{6}\] `)
	// Programs of the boot write into the kernel's ring buffer. The kernel names a process in the same form when it faults.
	kmsgOther = lazyregexp.New(`^(?:<\d{1,3}>)?\[ *\d{1,8}\.\d{6}\] ([A-Za-z][\w.@-]{0,40})\[\d{1,8}\]: `)
	kmsgFault = lazyregexp.New(`\]: (?:segfault|general protection|trap |unhandled|bad frame)`)
	logrus    = lazyregexp.New(`^time="[^"]{1,64}" level=\w{1,9} msg=`)
	zapCaller = lazyregexp.New(`"(?:caller|logger)" ?: ?"([\w./-]{1,80})(?::\d{1,6})?"`)
)

// writerOf returns the writer of a line in the kernel's ring buffer: the kernel, or a program of the boot.
func writerOf(head string) Speaker {
	if m := kmsgOther.FindStringSubmatch(head); m != nil && !kmsgFault.MatchString(head) && Named(m[1]) != Other {
		return Named(m[1])
	}
	return Kernel
}

// SpeakerOf returns the writer of a line by its head. If the head does not name it, around does: the command, unit or container
// whose output contains the line.
func SpeakerOf(line string, around Speaker) Speaker {
	head := line[:min(len(line), 400)]
	known := around != Unknown && around != Command // a command prints the output of any program
	if o := ReadOrigin(head, time.Time{}); o.Program != "" {
		if s := Named(o.Program); s != Other || !known {
			return s
		}
		return around
	}
	if m := klogFile.FindStringSubmatch(head); m != nil {
		switch s := files[m[1]]; {
		case s != Unknown && (!known || around == Other):
			return s
		case known:
			return around
		}
		return Klog
	}
	switch {
	case kmsg.MatchString(head):
		return writerOf(head)
	case known:
		return around
	case logrus.MatchString(head):
		return Unknown
	case zapCaller.MatchString(head):
		return files[path.Base(zapCaller.FindStringSubmatch(head)[1])] // Unknown if several programs have the file
	case Foreign(head):
		return Application
	}
	return around
}
