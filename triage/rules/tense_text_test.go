package rules_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

// Texts alone may show that a problem is resolved, without a year, time zone or objects.
func TestTenseOfTexts(t *testing.T) {
	const (
		sandbox   = "Warning  FailedCreatePodSandBox  34m (x30 over 42m)  kubelet  Failed to create pod sandbox: plugin type=\"loopback\" failed (add): failed to find plugin \"loopback\" in path [/opt/cni/bin]\n"
		started   = "Normal   Started  28m  kubelet  Started container app\n"
		pulled    = "Normal   Scheduled  50m  default-scheduler  Successfully assigned shop/web-0 to n1\n"
		pressure  = "Normal   NodeHasDiskPressure  12m  kubelet  Node n1 status is now: NodeHasDiskPressure\nWarning  FreeDiskSpaceFailed  11m  kubelet  failed to garbage collect required amount of images. Wanted to free 15152714547 bytes, but freed 0 bytes\n"
		atStart   = "Normal   NodeHasSufficientMemory  3m46s  kubelet  Node n1 status is now: NodeHasSufficientMemory\nNormal   NodeHasNoDiskPressure  3m46s  kubelet  Node n1 status is now: NodeHasNoDiskPressure\n"
		alone     = "Normal   NodeHasNoDiskPressure  3m46s  kubelet  Node n1 status is now: NodeHasNoDiskPressure\n"
		full      = "Nov 20 22:30:22 n1 kernel: nf_conntrack: nf_conntrack: table full, dropping packet\n"
		readOnly  = "Nov 20 22:30:22 n1 kernel: EXT4-fs (sda1): Remounting filesystem read-only\n"
		laterOn   = "Nov 20 23:10:22 n1 kernel: cni0: port 1(veth1) entered forwarding state\n"
		boot      = "-- Boot e9178a318c294263046c5a041708559f --\nNov 20 22:35:00 n1 kernel: Linux version 6.8.0 (build@host)\n"
		uptime    = "[77211.100000] nf_conntrack: nf_conntrack: table full, dropping packet\n[80211.100000] cni0: port 1(veth1) entered forwarding state\n"
		panicked  = "Nov 20 22:30:22 n1 containerd[880]: panic: runtime error: invalid memory address or nil pointer dereference\n"
		ofAnother = "Nov 20 23:10:22 n1 sshd[12]: Accepted publickey for core\n"
		swapOn    = "Nov 20 22:30:22 n1 kubelet[880]: E1120 22:30:22.000000     880 run.go:72] \"command failed\" err=\"failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false\"\n"
		startsNow = "Nov 20 22:30:52 n1 kubelet[912]: I1120 22:30:52.000000     912 server.go:1285] \"Started kubelet\"\n"
		unitOnly  = "Nov 20 22:30:52 n1 systemd[1]: Started kubelet.service - kubelet: The Kubernetes Node Agent.\n"
		noOverlay = "Nov 20 22:30:20 n1 modprobe[870]: modprobe: FATAL: Module overlay not found in directory /lib/modules/6.8.0\n"
		itBooted  = "Nov 20 22:30:22 n1 containerd[880]: time=\"2025-11-20T22:30:22Z\" level=info msg=\"containerd successfully booted in 0.05s\"\n"
		ofItself  = "Nov 20 22:31:22 n1 containerd[912]: time=\"x\" level=info msg=\"containerd successfully booted in 0.05s\"\nNov 20 23:10:22 n1 containerd[912]: level=info msg=\"StartContainer returns successfully\"\n"
	)
	for name, c := range map[string]struct {
		text, cause string
		now         bool
	}{
		"a pod that waits":                            {pulled + sandbox, "cni-binary-missing", true},
		"a pod that was started later":                {sandbox + started, "cni-binary-missing", false},
		"a kubelet that starts says that all is well": {pressure + atStart, "disk-pressure", true},
		"a kubelet takes one pressure back":           {pressure + alone, "disk-pressure", false},
		"the log ends with it":                        {full, "conntrack-table-full", true},
		"the log goes on without it":                  {full + laterOn, "conntrack-table-full", false},
		"a log that counts from the start":            {uptime, "conntrack-table-full", false},
		"a state lasts while the log is silent":       {readOnly + laterOn, "filesystem-readonly", true},
		"a state ends with a new start":               {readOnly + boot + laterOn, "filesystem-readonly", false},
		"another program goes on":                     {panicked + ofAnother, "runtime-bug", true},
		"the program itself goes on":                  {panicked + ofItself, "runtime-bug", false},
		"a module that the runtime asks for":          {noOverlay, "kernel-module-missing", true},
		"a runtime that works without that module":    {noOverlay + itBooted, "kernel-module-missing", false},
		"a kubelet that has started since":            {swapOn + startsNow, "swap-enabled", false},
		"a kubelet that started before":               {startsNow + strings.ReplaceAll(swapOn, "22:30:22", "22:31:22"), "swap-enabled", true},
		"a unit is started to fail again":             {swapOn + unitOnly, "swap-enabled", true},
	} {
		t.Run(name, func(t *testing.T) {
			b := collect.NewBuilder(evidence.Source{Kind: "file"}, knowledge(t).Signatures)
			b.AddStream("text", strings.NewReader(c.text))
			r := judged(t, b.Snapshot())
			now, over := false, false
			for _, f := range r.Findings {
				now = now || f.Cause == c.cause
			}
			for _, o := range r.Over {
				over = over || o.Cause == c.cause
			}
			if now != c.now || over == c.now {
				t.Errorf("%s: now %v, over %v; want now %v", c.cause, now, over, c.now)
			}
		})
	}
}

// An ending counts by its newest line, in any text: what ended an earlier fault of the same kind is logged again.
func TestTenseAcrossTexts(t *testing.T) {
	const started = `server.go:1285] "Started kubelet"`
	failed := klog(10*time.Minute, `run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"`)
	for name, c := range map[string]struct {
		other string
		now   bool
	}{
		"it started before and after": {klog(time.Hour, started) + klog(5*time.Minute, started), false},
		"it started before alone":     {klog(time.Hour, started) + klog(40*time.Minute, started), true},
	} {
		t.Run(name, func(t *testing.T) {
			b := collect.NewBuilder(evidence.Source{Kind: "file"}, knowledge(t).Signatures)
			b.TakenAt(at)
			b.ScanText("np1-0/kubelet.log", evidence.TextLog, evidence.NodeSubject("np1-0"), strings.NewReader(failed))
			b.ScanText("np1-0/journal.log", evidence.TextLog, evidence.NodeSubject("np1-0"), strings.NewReader(c.other))
			now := false
			for _, f := range judged(t, b.Snapshot()).Findings {
				now = now || f.Cause == "swap-enabled"
			}
			if now != c.now {
				t.Errorf("now %v, want %v", now, c.now)
			}
		})
	}
}
