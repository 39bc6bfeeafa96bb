package agent

import (
	"context"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// probe reads one kind of fact. It fills a separate report, so a hanging probe does not block the others.
type probe struct {
	name  string
	limit time.Duration // timeout
	how   shell.Text    // command to see the same by hand
	look  func(context.Context, *Host, *nodereport.Report) error
	node  bool // only useful on a node; elsewhere a missing fact means nothing
}

// probes returns all probes. They run in parallel.
func probes() []probe {
	return []probe{
		{"machine", quick, "uname -a; cat /etc/os-release", machine, false},
		{"units", 12 * time.Second, "systemctl status kubelet containerd", units, true},
		{"kubelet", 8 * time.Second, "curl -s http://127.0.0.1:10248/healthz", kubeletHealth, true},
		{"runtime", criLimit + 4*time.Second, "timeout 10 crictl version; timeout 10 crictl pods", runtimeAnswers, true},
		{"journal", logLimit, "journalctl -u kubelet -u containerd --since -1h", journals, false},
		{"kernel log", logLimit, "dmesg -T", kernelLog, false},
		{"log files", logLimit, "tail -n 1000 /var/log/syslog", logFiles, false},
		{"file systems", 10 * time.Second, "timeout 5 df -h; timeout 5 df -i", filesystems, false},
		{"memory", quick, "free -m", memory, false},
		{"pressure", quick, "head /proc/pressure/*", pressure, false},
		{"tasks", quick, "cat /proc/loadavg /proc/sys/kernel/pid_max", tasks, false},
		{"limits", 8 * time.Second, "sysctl fs.file-nr fs.inotify net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max", limits, false},
		{"processes", 8 * time.Second, "ps -eo pid,stat,wchan:32,args", processes, false},
		{"listeners", quick, "ss -tlnp", listeners, true},
		{"links", quick, "ip addr; ip route", links, false},
		{"packets", 6 * time.Second, "nstat -az TcpOutSegs TcpRetransSegs TcpExtTCPSynRetrans; ip -s link", packets, false},
		{"mounts", quick, "wc -l /proc/1/mountinfo; sysctl fs.mount-max", mountsUsed, false},
		{"block devices", quick, "iostat -x 1 2", devices, false},
		{"disk errors", quick, "head /sys/fs/ext4/*/errors_count; cat /proc/mdstat", diskErrors, false},
		{"kernel state", quick, "cat /proc/sys/kernel/tainted; ls /run/reboot-required /lib/modules", kernelState, false},
		{"counters", quick, "head -1 /proc/net/stat/nf_conntrack; cat /sys/fs/cgroup/kubepods.slice/memory.events", tallies, false},
		{"control groups", quick, "cat /sys/fs/cgroup/cgroup.stat /proc/cgroups", groups, false},
		{"sockets", quick, "ss -xl", endpoints, true},
		{"static pods", quick, "ls -l /etc/kubernetes/manifests", staticPods, true},
		{"pod resolver", quick, "grep resolvConf /var/lib/kubelet/config.yaml; cat /run/systemd/resolve/resolv.conf", podResolver, true},
		{"packet filter", quick, "iptables-save -c; nft list ruleset", packetFilter, false},
		{"GPUs", quick, "lspci -nnk | grep -A3 -i 'nvidia\\|amd'; nvidia-smi", gpus, false},
		{"bootstrap", quick, "cloud-init status --long; cat /var/log/azure/cluster-provision.log", bootstrap, false},
		{"setup", quick, "cat /var/lib/kubelet/config.yaml; systemctl cat kubelet containerd; cat /etc/containerd/config.toml; sysctl -a", setup, true},
		{"network configuration", quick, "ls -l /etc/cni/net.d /opt/cni/bin", cni, true},
		{"kernel modules", quick, "lsmod; sysctl net.ipv4.ip_forward", modules, true},
		{"certificates", quick, "openssl x509 -enddate -noout -in /var/lib/kubelet/pki/kubelet-client-current.pem", certificates, true},
		{"clock", quick, "timedatectl", clock, false},
		{"API server", 14 * time.Second, "curl -vk https://API-SERVER/livez", apiServer, true},
		{"cloud", 8 * time.Second, "curl -H Metadata:true http://169.254.169.254/metadata/instance?api-version=2021-02-01", cloud, false},
	}
}

// quick is the timeout of probes that only read kernel tables and small files.
const quick = 5 * time.Second
