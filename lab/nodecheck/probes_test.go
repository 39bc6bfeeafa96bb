//go:build linux

package nodecheck_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// sight is one problem that a probe detects on a real node with systemd. All sights of a round exist at the same time.
type sight struct {
	probe string // its name in the gaps of node-check
	rule  string // rule that finds it
	words string // cause that the rule reports; empty: any
	seen  string // instead of rule: the symptom that reports it
	do    string // creates it, in a shell on the node
	undo  string
	// over creates it only for node-check, if it would damage the host or belongs to its kernel: file PATH TEXT and
	// folder PATH mount something over existing files, in a separate mount namespace.
	over string
}

// laying defines the two functions of sight.over.
const laying = `set -e
mount -t tmpfs tmpfs /mnt
n=0
file() { n=$((n+1)); printf '%s\n' "$2" > /mnt/$n; mount --bind /mnt/$n "$1"; }
folder() { mount -t tmpfs tmpfs "$1"; }
`

// working are problems with which the node still works.
var working = []sight{
	{probe: "machine", rule: "report-kernel", do: "mv /lib/modules/$(uname -r) /lib/modules/5.4.0-other", undo: "mv /lib/modules/5.4.0-other /lib/modules/$(uname -r)"},
	{probe: "kernel state", rule: "report-kernel", over: "file /proc/sys/kernel/tainted 128"},
	{probe: "journal", rule: "signature-matches", words: "broken.yaml", do: "echo 'apiVersion: v1, kind: Pod' > /etc/kubernetes/manifests/broken.yaml; until journalctl -u kubelet | grep -q broken.yaml; do sleep 1; done", undo: "rm /etc/kubernetes/manifests/broken.yaml"},
	{probe: "static pods", rule: "report-static-pods"}, // the same file
	{probe: "pod resolver", rule: "report-pod-resolver", over: "file /run/systemd/resolve/resolv.conf 'nameserver 127.0.0.53'"},
	{probe: "log files", rule: "signature-matches", words: "/var/log/syslog", do: "journalctl -u kubelet | grep broken.yaml > /var/log/syslog", undo: "rm /var/log/syslog"},
	{probe: "kernel log", rule: "signature-matches", words: "ext4_find_entry", over: "file /dev/kmsg \"3,1,$(cut -d. -f1 /proc/uptime)000000,-;EXT4-fs error (device vda): ext4_find_entry:1455: inode #2: comm kubelet: reading directory lblock 0\""},
	{probe: "memory", rule: "report-memory", over: "file /proc/meminfo \"$(sed 's/^MemAvailable:.*/MemAvailable: 1024 kB/' /proc/meminfo)\""},
	{probe: "pressure", rule: "report-pressure", over: "file /proc/pressure/memory 'full avg10=99.00 avg60=95.00 avg300=90.00 total=1'"},
	{probe: "tasks", rule: "report-tasks", do: "systemd-run --unit=docker -p TasksMax=2 sh -c 'sleep 9999 & wait'", undo: "systemctl stop docker"},
	// A process that has called vfork waits in the kernel for the child.
	{probe: "processes", seen: "hung-task", do: "systemd-run --unit=stuck bash -c \"exec -a runc perl -e 'syscall(58) or sleep 9999'\"", undo: "systemctl kill -s KILL stuck"},
	{probe: "limits", rule: "report-counters", over: "file /proc/sys/fs/inotify/max_user_instances 1"},
	{probe: "mounts", rule: "report-counters", over: "file /proc/sys/fs/mount-max 10"},
	{probe: "block devices", rule: "report-devices", over: "folder /sys/block; mkdir -p /sys/block/sdz/device; echo offline > /sys/block/sdz/device/state; file /proc/diskstats '8 0 sdz 9 0 9 9 9 0 9 9 1 9 9'"},
	{probe: "disk errors", rule: "report-devices", over: "folder /sys/fs/ext4; mkdir /sys/fs/ext4/vda; echo 3 > /sys/fs/ext4/vda/errors_count"},
	{probe: "counters", rule: "report-tallies", over: "folder /sys/fs/cgroup; mkdir -p /sys/fs/cgroup/system.slice/kubelet.service; echo 'oom_kill 3' > /sys/fs/cgroup/system.slice/kubelet.service/memory.events"},
	{probe: "control groups", rule: "report-groups", over: "file /proc/cgroups 'memory\t3\t30000\t1'"},
	{probe: "sockets", rule: "report-endpoints", do: "mkdir -p /var/lib/kubelet/plugins/gone; perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0); bind(S,sockaddr_un(\"/var/lib/kubelet/plugins/gone/csi.sock\")) or die'", undo: "rm -r /var/lib/kubelet/plugins/gone"},
	{probe: "packet filter", rule: "report-packet-filter", do: "iptables -P FORWARD DROP", undo: "iptables -P FORWARD ACCEPT"},
	{probe: "GPUs", rule: "report-gpus", over: "folder /sys/bus/pci/devices; mkdir /sys/bus/pci/devices/0001:00:00.0; echo 0x10de > /sys/bus/pci/devices/0001:00:00.0/vendor; echo 0x030200 > /sys/bus/pci/devices/0001:00:00.0/class"},
	{probe: "bootstrap", rule: "report-bootstrap", do: "mkdir -p /var/log/azure/aks; echo '{\"ExitCode\": \"50\", \"Error\": \"\", \"Output\": \"curl failed\"}' > /var/log/azure/aks/provision.json", undo: "rm -r /var/log/azure"},
	{probe: "network configuration", rule: "report-cni", do: "mv " + lab.CNIPlugins + "/bridge /var/lib/bridge", undo: "mv /var/lib/bridge " + lab.CNIPlugins + "/bridge"},
	{probe: "kernel modules", rule: "report-needs", do: "sysctl -w net.ipv4.ip_forward=0", undo: "sysctl -w net.ipv4.ip_forward=1"},
	{probe: "clock", rule: "report-time-service", do: "systemctl stop systemd-timesyncd", undo: "systemctl start systemd-timesyncd"},
	{probe: "cloud", rule: "report-cloud", do: "ip addr add 169.254.169.254/32 dev lo; systemd-run --unit=metadata perl -e '" + metadataServer + "'; sleep 1", undo: "systemctl stop metadata; ip addr del 169.254.169.254/32 dev lo",
		over: azureTag},
}

// azureTag makes node-check treat the machine as an Azure VM.
const azureTag = "mkdir -p /mnt/class/dmi/id; echo 7783-7084-3265-9085-8269-3286-77 > /mnt/class/dmi/id/chassis_asset_tag; mount -t overlay overlay -o lowerdir=/mnt/class:/sys/class /sys/class"

// metadataServer simulates the Azure metadata service with a scheduled reboot.
const metadataServer = `use Socket; socket(S,PF_INET,SOCK_STREAM,0); bind(S,sockaddr_in(80,inet_aton("169.254.169.254"))) or die; listen(S,9);
while (accept(C,S)) { my $q=<C>; while (<C>) { last if /^\r/ } my $b=$q=~/scheduledevents/ ? q({"Events":[{"EventType":"Reboot","EventStatus":"Scheduled"}]}) : q({"location":"here"});
syswrite(C,"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ".length($b)."\r\n\r\n".$b); close(C) }`

// stopped are problems with which kubelet and runtime do not run.
var stopped = []sight{
	{probe: "units", rule: "report-units", do: "systemctl stop kubelet containerd", undo: "systemctl start containerd kubelet"},
	{probe: "kubelet", rule: "report-connections", words: "10248"},
	{probe: "listeners", rule: "report-processes", words: "10250"},
	{probe: "runtime", rule: "report-runtime"},
	{probe: "certificates", rule: "report-certificates"},
}

// cut are problems with which no connection or write works.
var cut = []sight{
	{probe: "API server", rule: "report-connections", do: "ip link set eth0 down", undo: "ip link set eth0 up; networkctl reconfigure eth0"},
	{probe: "file systems", rule: "report-filesystems", do: "mount -o remount,bind,ro /var/lib/kubelet", undo: "mount -o remount,bind,rw /var/lib/kubelet"},
	{probe: "links", rule: "report-links"},
	{probe: "links", rule: "report-routes"},
}

// lossy are problems with packet loss, on the network and in tunnels.
var lossy = []sight{
	{probe: "packets", rule: "report-losses"},
	{probe: "links", rule: "report-mtu", do: "ip link add flannel.1 type veth peer name flannel.2; ip link set flannel.2 up; ip link set flannel.1 mtu 1500 up", undo: "ip link del flannel.1"},
}

// judged is the result of diagnose for a report.
type judged struct {
	Findings []json.RawMessage
	Symptoms []struct{ ID string }
}

// found reports whether the sight is among the findings or symptoms.
func (j judged) found(s sight) bool {
	if s.seen != "" {
		return slices.ContainsFunc(j.Symptoms, func(is struct{ ID string }) bool { return is.ID == s.seen })
	}
	return slices.ContainsFunc(j.Findings, func(f json.RawMessage) bool {
		var by struct{ Rules []string }
		return json.Unmarshal(f, &by) == nil && slices.Contains(by.Rules, s.rule) && bytes.Contains(f, []byte(s.words))
	})
}

// gapOf returns the name of a gap of node-check that belongs to the probe.
var gapOf = map[string]string{"log files": "/var/log/syslog", "certificates": "certificates in /etc/kubernetes/pki", "kubelet": "metrics of the kubelet"}

// says reports whether node-check reports that it could not read the input of a probe.
func (r report) says(probe string) bool {
	return slices.ContainsFunc(r.Gaps, func(g struct{ What, Why string }) bool { return g.What == probe || g.What == gapOf[probe] })
}

// seen runs node-check on the node, in a separate mount namespace with the mounts of the script, and diagnoses its
// output.
func seen(t *testing.T, m *lab.Machine, over string) (report, judged) {
	t.Helper()
	cmd := m.Command(t.Context(), append([]string{"unshare", "--mount", "sh", "-c", laying + over + "\nexec \"$@\"", "over"}, m.NodeCheck("/opt/nodetriage")...)...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	begin := time.Now()
	_ = cmd.Run() // the exit code is the verdict
	took := time.Since(begin)
	r := report{text: out.Bytes()}
	if err := json.Unmarshal(r.text, &r); err != nil || r.Kind != "NodeReport" {
		t.Fatalf("%v: %.500s %.500s", err, &out, &stderr)
	}
	if took > within {
		t.Errorf("the look took %s", took)
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	t.Logf("after %s, with %s of a processor: %d gaps, %d hung", took.Round(time.Millisecond), cpu.Round(time.Millisecond), len(r.Gaps), len(r.Hung))
	var j judged
	judge := exec.CommandContext(t.Context(), program, "diagnose", "-o", "json", "-")
	judge.Stdin = bytes.NewReader(r.text)
	answer, _ := judge.Output() // the exit code is the verdict
	if err := json.Unmarshal(answer, &j); err != nil {
		t.Fatalf("%v: %.300s", err, answer)
	}
	return r, j
}

// round is a set of sights that exist at the same time, and the additional actions of the lab.
type round struct {
	sights     []sight
	begin, end func(context.Context, *lab.Machine) error
}

// validFor gives the kubelet a certificate that is valid for that time.
func validFor(d time.Duration) func(context.Context, *lab.Machine) error {
	return func(_ context.Context, m *lab.Machine) error {
		return m.WriteIdentity("system:node:"+m.Name, time.Now().Add(d))
	}
}

var rounds = []round{
	{working, nil, nil}, {cut, nil, nil}, {stopped, validFor(-time.Hour), validFor(24 * time.Hour)},
	{lossy, func(ctx context.Context, m *lab.Machine) error { return m.LosePackets(ctx, 10) }, func(ctx context.Context, m *lab.Machine) error { return m.KeepPackets(ctx, 10) }},
}

// patience is a timeout for a busy host, on which systemd may not answer for a while, and for random faults, which one
// run may miss.
const patience = 5 * time.Minute

// Each probe of node-check detects its fault on a real node, finds nothing on a healthy node, and reports missing
// permissions.
func TestProbes(t *testing.T) {
	if err := lab.CanRunSystemd(); err != nil {
		t.Skip(err)
	}
	m := systemdNode(t)
	clear := wellNode(t, m)
	for _, r := range rounds {
		r.play(t, m)
	}

	blind := blindNode(t, m)
	// The setup of a node is evaluated only in comparison with other nodes.
	if !bytes.Contains(clear.text, []byte(`"setup"`)) || !bytes.Contains(blind.text, []byte(`"unread"`)) {
		t.Error("how the node is set up is not told, or not what of it could not be read")
	}
}

// blindNode looks at the node as a user with almost no read permissions: each probe has to say that it could not read. A kubelet
// that a round restarted may not answer yet, and then there are no metrics to be refused, so it looks again.
func blindNode(t *testing.T, m *lab.Machine) report {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		blind, _ := seen(t, m, `for f in /sys /run /var/log /etc/cni /etc/kubernetes/pki /var/lib/kubelet/plugins /proc; do mount -t tmpfs -o mode=700 tmpfs $f; done
set -- setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --no-new-privs "$@"`)
		var silent []string
		for _, r := range rounds {
			for _, s := range r.sights {
				if s.probe != "clock" && !blind.says(s.probe) { // every user may read the time status of the kernel
					silent = append(silent, s.probe)
				}
			}
		}
		if len(silent) == 0 {
			return blind
		}
		if time.Now().After(end) {
			t.Fatalf("%q saw nothing and do not say so: %v", silent, blind.Gaps)
		}
	}
}

// late reports whether a finding depends only on late answers, which happen on a busy machine.
func (r report) late(rule string) bool {
	switch rule {
	case "report-runtime":
		return r.Runtime.Answer == "hung" && strings.Contains(r.Runtime.Message, "did not return")
	case "report-connections":
		late := false
		for _, c := range r.Connections {
			if late = late || c.Answer == "timeout"; c.Answer != "timeout" && (c.Answer != "ok" || c.Status >= 400) {
				return false
			}
		}
		return late
	}
	return false
}

// wellNode runs node-check until each probe has read its input in time, and checks that no run finds anything else.
func wellNode(t *testing.T, m *lab.Machine) report {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		clear, well := seen(t, m, "")
		var silent, late []string
		for _, r := range rounds {
			for _, s := range r.sights {
				switch found := well.found(s); {
				case found && clear.late(s.rule):
					late = append(late, s.probe)
				case found:
					t.Errorf("%s is found on a node without a fault: %s", s.probe, well.Findings)
				}
				if clear.says(s.probe) {
					silent = append(silent, s.probe)
				}
			}
		}
		if len(silent) == 0 && len(late) == 0 {
			return clear
		}
		if time.Now().After(end) {
			t.Fatalf("%q see nothing, %q get no answer in time: %v, %s", silent, late, clear.Gaps, well.Findings)
		}
	}
}

// systemdNode returns a node with systemd that has the program, and kernel modules as installed by a package.
func systemdNode(t *testing.T) *lab.Machine {
	t.Helper()
	if _, err := lab.BuildRoot(t.Context(), os.Stderr); err != nil {
		t.Fatal(err)
	}
	m, err := plane.AddSystemd(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(program)
	if err == nil {
		err = os.WriteFile(m.Path("/opt/nodetriage"), data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	shell(t, m, "mkdir -p /lib/modules/$(uname -r); echo kernel/drivers/net/veth.ko > /lib/modules/$(uname -r)/modules.builtin")
	return m
}

func shell(t *testing.T, m *lab.Machine, script string) {
	t.Helper()
	if script == "" {
		return
	}
	if out, err := m.Run(t.Context(), "sh", "-c", script); err != nil {
		t.Fatalf("%s: %v: %s", script, err, out)
	}
}

// play creates the sights, runs node-check until all are found, and removes them.
func (r round) play(t *testing.T, m *lab.Machine) {
	t.Helper()
	var over strings.Builder
	for _, s := range r.sights {
		shell(t, m, s.do)
		over.WriteString(s.over + "\n")
	}
	if r.begin != nil {
		if err := r.begin(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	missed := r.sights
	for end := time.Now().Add(patience); len(missed) > 0 && time.Now().Before(end); {
		_, sick := seen(t, m, over.String())
		missed = slices.DeleteFunc(slices.Clone(r.sights), sick.found)
	}
	for _, s := range missed {
		t.Errorf("%s: not found by %s%s", s.probe, s.rule, s.seen)
	}
	if r.end != nil {
		if err := r.end(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range slices.Backward(r.sights) {
		shell(t, m, s.undo)
	}
}
