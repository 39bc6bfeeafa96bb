package nodereport

import "github.com/nodetriage/nodetriage/knowledge/shell"

// howToSee are the commands that show the data of a probe.
var howToSee = map[string]shell.Text{
	"egress":                "curl -v https://REGISTRY/v2/; dig @RESOLVER NAME; dig +tcp @RESOLVER NAME",
	"machine":               "uname -a; cat /etc/os-release",
	"units":                 "systemctl status kubelet containerd",
	"kubelet":               "curl -s http://127.0.0.1:10248/healthz",
	"runtime":               "timeout 10 crictl version; timeout 10 crictl pods",
	"journal":               "journalctl -u kubelet -u containerd --since -1h",
	"kernel log":            "dmesg -T",
	"log files":             "tail -n 1000 /var/log/syslog",
	"file systems":          "timeout 5 df -h; timeout 5 df -i",
	"memory":                "free -m",
	"pressure":              "head /proc/pressure/*",
	"tasks":                 "cat /proc/loadavg /proc/sys/kernel/pid_max",
	"limits":                "sysctl fs.file-nr fs.inotify net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max",
	"processes":             "ps -eo pid,stat,wchan:32,args",
	"listeners":             "ss -tlnp",
	"links":                 "ip addr; ip route",
	"packets":               "nstat -az TcpOutSegs TcpRetransSegs TcpExtTCPSynRetrans; ip -s link",
	"mounts":                "wc -l /proc/1/mountinfo; sysctl fs.mount-max",
	"block devices":         "iostat -x 1 2",
	"disk errors":           "head /sys/fs/ext4/*/errors_count; cat /proc/mdstat",
	"kernel state":          "cat /proc/sys/kernel/tainted; ls /run/reboot-required /lib/modules",
	"counters":              "head -1 /proc/net/stat/nf_conntrack; cat /sys/fs/cgroup/kubepods.slice/memory.events",
	"control groups":        "cat /sys/fs/cgroup/cgroup.stat /proc/cgroups",
	"sockets":               "ss -xl",
	"static pods":           "ls -l /etc/kubernetes/manifests",
	"pod resolver":          "grep resolvConf /var/lib/kubelet/config.yaml; cat /run/systemd/resolve/resolv.conf",
	"packet filter":         "iptables-save -c; nft list ruleset",
	"GPUs":                  "lspci -nnk | grep -A3 -i 'nvidia\\|amd'; nvidia-smi",
	"bootstrap":             "cloud-init status --long; cat /var/log/azure/cluster-provision.log",
	"setup":                 "cat /var/lib/kubelet/config.yaml; systemctl cat kubelet containerd; cat /etc/containerd/config.toml; sysctl -a",
	"network configuration": "ls -l /etc/cni/net.d /opt/cni/bin",
	"kernel modules":        "lsmod; sysctl net.ipv4.ip_forward",
	"certificates":          "openssl x509 -enddate -noout -in /var/lib/kubelet/pki/kubelet-client-current.pem",
	"clock":                 "timedatectl",
	"API server":            "curl -vk https://API-SERVER/livez",
	"cloud":                 "curl -H Metadata:true http://169.254.169.254/metadata/instance?api-version=2021-02-01",
}

// HowToSee returns the command that shows the data of a probe; empty: unknown. It ignores the command in a report
// because the author of the report would choose a command that users run.
func HowToSee(what string) shell.Text { return howToSee[what] }
