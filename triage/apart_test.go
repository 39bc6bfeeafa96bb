package triage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// setUp returns a report of a node with the setup of its pool and with its own name and address.
func setUp(i int) *nodereport.Report {
	name, address := fmt.Sprintf("n%04d", i), fmt.Sprintf("10.0.0.%d", 10+i)
	changed := now.Add(-30 * 24 * time.Hour)
	return &nodereport.Report{
		APIVersion: nodereport.APIVersion, Kind: nodereport.Kind, Node: name, TakenAt: now,
		Machine: &nodereport.Machine{Hostname: name, Kernel: "6.12", System: "Debian 13", BootID: fmt.Sprint(i)},
		Units:   []nodereport.Unit{{Name: "kubelet.service", Active: "active", Sub: "running", Enabled: "enabled", Since: now.Add(-time.Hour)}},
		Links:   []nodereport.Link{{Name: "eth0", State: "UP", MTU: 1500, Addresses: []string{address + "/24"}}},
		Routes:  []nodereport.Route{{Destination: "default", Device: "eth0", Via: "10.0.0.1"}, {Destination: fmt.Sprintf("10.244.%d.0/24", i), Device: "cni0"}},
		CNI:     &nodereport.CNI{Network: &nodereport.Network{Ranges: []string{fmt.Sprintf("10.244.%d.0/24", i)}, Plugins: []nodereport.Plugin{{Type: "bridge", State: "ok"}}}},
		Setup: &nodereport.Setup{Files: []nodereport.SetupFile{
			{Path: "/var/lib/kubelet/config.yaml", Area: nodereport.SetupKubelet, Changed: changed, Settings: map[string]string{"maxPods": "110", "cgroupDriver": "systemd"}},
			{Path: "/var/lib/kubelet/kubeadm-flags.env", Area: nodereport.SetupKubelet, Changed: changed, Settings: map[string]string{"--node-ip": address, "--hostname-override": name}},
			{Path: "/etc/containerd/config.toml", Area: nodereport.SetupRuntime, Changed: changed, Settings: map[string]string{"version": "3", "auth.password": fmt.Sprintf("[redacted-password-%d-8+]", i+1)}},
			{Path: "/etc/cni/net.d/10-lab.conflist", Area: nodereport.SetupCNI, Changed: changed, Settings: map[string]string{"subnet": fmt.Sprintf("10.244.%d.0/24", i)}},
			{Path: "/etc/hosts", Area: nodereport.SetupDNS, Changed: changed, Settings: map[string]string{"localhost": "127.0.0.1", name: address}},
			{Path: "/etc/fstab", Area: nodereport.SetupMounts, Changed: changed, Settings: map[string]string{"/": fmt.Sprintf("UUID=0b1f0b1f-0000-4000-8000-%012d ext4", i)}},
			{Path: "/proc/sys", Area: nodereport.SetupKernel, Settings: map[string]string{"net.ipv4.ip_forward": "1"}},
		}},
	}
}

func fileOf(r *nodereport.Report, path string) *nodereport.SetupFile {
	for i := range r.Setup.Files {
		if r.Setup.Files[i].Path == path {
			return &r.Setup.Files[i]
		}
	}
	return nil
}

// pool returns evidence of one NotReady node and healthy peers, each with a report; change is applied to each report.
func pool(peers int, change func(r *nodereport.Report, i int)) *evidence.Snapshot {
	return fleet(1, peers, func(d *evidence.Data, n *evidence.Node, i int, _ bool) {
		r := setUp(i)
		change(r, i)
		d.NodeReports = append(d.NodeReports, r)
	})
}

func differencesOf(r *triage.Report) []string {
	out := []string{}
	for _, a := range r.Apart {
		for _, d := range a.Differences {
			text := fmt.Sprintf("%s %s %s: %s, not %s", a.Node, d.Area, d.What, d.Here, d.There)
			if d.Since != nil {
				text += " since " + d.Since.Format(time.RFC3339)
			}
			if d.Explains != "" {
				text += ", explains " + d.Explains
			}
			if d.Follows {
				text += ", follows"
			}
			out = append(out, text)
		}
	}
	return out
}

// changedAt is when the change of a test was made.
var changedAt = now.Add(-40 * time.Minute)

func sickOnly(change func(r *nodereport.Report)) func(*nodereport.Report, int) {
	return func(r *nodereport.Report, i int) {
		if i == 0 {
			change(r)
		}
	}
}

// Every difference between one node and all its peers is listed, from any part of a report.
func TestApart(t *testing.T) {
	since := " since " + changedAt.Format(time.RFC3339)
	for name, tt := range map[string]struct {
		change func(r *nodereport.Report)
		want   string
	}{
		"nothing": {func(*nodereport.Report) {}, ""},
		"a setting": {func(r *nodereport.Report) {
			f := fileOf(r, "/var/lib/kubelet/config.yaml")
			f.Settings["maxPods"], f.Changed = "1", changedAt
		}, "kubelet /var/lib/kubelet/config.yaml maxPods: 1, not 110" + since},
		"a setting more": {func(r *nodereport.Report) { fileOf(r, "/var/lib/kubelet/kubeadm-flags.env").Settings["--v"] = "9" },
			"kubelet /var/lib/kubelet/kubeadm-flags.env --v: 9, not none since " + now.Add(-30*24*time.Hour).Format(time.RFC3339)},
		"a setting less": {func(r *nodereport.Report) { delete(fileOf(r, "/proc/sys").Settings, "net.ipv4.ip_forward") }, "kernel /proc/sys net.ipv4.ip_forward: none, not 1"},
		"a file more": {func(r *nodereport.Report) {
			r.Setup.Files = append(r.Setup.Files, nodereport.SetupFile{Path: "/etc/systemd/system/kubelet.service.d/20.conf", Area: nodereport.SetupUnits, Changed: changedAt, Settings: map[string]string{"Service.MemoryMax": "8M"}})
		}, "units /etc/systemd/system/kubelet.service.d/20.conf: Service.MemoryMax=8M, not none" + since},
		"a file less": {func(r *nodereport.Report) { r.Setup.Files = r.Setup.Files[1:] }, "kubelet /var/lib/kubelet/config.yaml: none, not cgroupDriver=systemd, maxPods=110"},
		"a file that breaks": {func(r *nodereport.Report) {
			f := fileOf(r, "/var/lib/kubelet/config.yaml")
			f.Settings, f.Error, f.Changed = nil, "no YAML", changedAt
		}, "kubelet /var/lib/kubelet/config.yaml: no YAML, not valid" + since},
		"the MTU": {func(r *nodereport.Report) { r.Links[0].MTU = 900 }, "network MTU of eth0: 900, not 1500"},
		"a route": {func(r *nodereport.Report) {
			r.Routes = append(r.Routes, nodereport.Route{Destination: "10.96.0.0/12", Device: "*"})
		}, "network route to 10.96.0.0/12: rejected, not none"},
		"a rule that drops": {func(r *nodereport.Report) {
			r.PacketFilter = &nodereport.PacketFilter{Backends: []nodereport.Backend{{Name: "nft", Drops: map[string]int{"filter INPUT": 1}}}}
		}, "network packet filter rules that drop packets in filter INPUT: 1 rule, not none"},
		"a plugin":                {func(r *nodereport.Report) { r.CNI.Network.Plugins[0].State = "missing" }, "cni plugin bridge: missing, not ok"},
		"the kernel":              {func(r *nodereport.Report) { r.Machine.Kernel = "5.10" }, "versions kernel version: 5.10, not 6.12"},
		"the host name":           {func(r *nodereport.Report) { r.Machine.Hostname = "localhost" }, "system host name: different from the node name, not same as the node name"},
		"a unit that is disabled": {func(r *nodereport.Report) { r.Units[0].Enabled = "disabled" }, "units kubelet.service is enabled: disabled, not enabled"},
		"a unit that has ended": {func(r *nodereport.Report) {
			r.Units[0].Active, r.Units[0].Sub, r.Units[0].Since = "failed", "failed", changedAt
		}, "units kubelet.service state: failed failed, not active running" + since + ", follows"},
	} {
		t.Run(name, func(t *testing.T) {
			s := pool(2, func(r *nodereport.Report, i int) {
				if name == "a rule that drops" {
					r.PacketFilter = &nodereport.PacketFilter{Backends: []nodereport.Backend{}}
				}
				sickOnly(tt.change)(r, i)
			})
			got := differencesOf(judge(t, s))
			var want []string
			if tt.want != "" {
				want = []string{"n0000 " + tt.want}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// What can explain the second finding comes after what can explain the first, and before the rest.
func TestApartOfSeveralFindings(t *testing.T) {
	s := pool(2, sickOnly(func(r *nodereport.Report) {
		fileOf(r, "/etc/hosts").Settings["x.example.com"] = "10.0.0.99"
		fileOf(r, "/etc/fstab").Settings["/data"] = "nfs"
		fileOf(r, "/proc/sys").Settings["net.ipv4.ip_forward"] = "0"
	}))
	want := []string{"kernel kernel-setting-wrong", "dns node-dns-failure", "mounts "}
	var got []string
	for _, d := range judge(t, s, claim("kernel-setting-wrong", triage.Certain, on("n0000")), claim("node-dns-failure", triage.Likely, on("n0000"))).Apart[0].Differences {
		got = append(got, d.Area+" "+d.Explains)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Missing data is no difference: an unreadable file, a truncated one, peers that differ from each other, a report without a setup,
// a stored older report.
func TestApartIsSilent(t *testing.T) {
	for name, change := range map[string]func(r *nodereport.Report, i int){
		"unread here": sickOnly(func(r *nodereport.Report) {
			f := fileOf(r, "/etc/hosts")
			f.Settings, f.Unread = nil, "permission denied"
		}),
		"unread folder": sickOnly(func(r *nodereport.Report) {
			r.Setup.Files[2] = nodereport.SetupFile{Path: "/etc/containerd", Area: nodereport.SetupRuntime, Unread: "permission denied"}
		}),
		"a part here":    sickOnly(func(r *nodereport.Report) { f := fileOf(r, "/proc/sys"); f.Settings, f.Cut = nil, true }),
		"files left out": sickOnly(func(r *nodereport.Report) { r.Setup.Files, r.Setup.Cut = r.Setup.Files[:2], true }),
		"not looked at":  sickOnly(func(r *nodereport.Report) { r.Units, r.Links, r.Routes = nil, nil, nil }),
		"no setup":       sickOnly(func(r *nodereport.Report) { r.Setup = nil }),
		"kept for later": sickOnly(func(r *nodereport.Report) { r.Away = true }),
		"a link of pods": sickOnly(func(r *nodereport.Report) {
			r.Routes = append(r.Routes, nodereport.Route{Destination: "10.244.0.5/32", Device: "cali1"})
		}),
		"peers differ": func(r *nodereport.Report, i int) {
			fileOf(r, "/proc/sys").Settings["net.ipv4.ip_forward"] = fmt.Sprint(i)
		},
		"some have a file": func(r *nodereport.Report, i int) { r.Setup.Files = r.Setup.Files[i%2:] },
		"unread there": func(r *nodereport.Report, i int) {
			if f := fileOf(r, "/etc/hosts"); i > 0 {
				f.Settings, f.Unread = nil, "permission denied"
			}
		},
	} {
		if got := differencesOf(judge(t, pool(2, change))); len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// What can explain the first finding comes first, the newest change before older ones; effects of faults come last.
func TestApartOrder(t *testing.T) {
	s := pool(2, sickOnly(func(r *nodereport.Report) {
		r.Units[0].Active = "failed"
		r.Links[0].MTU = 900
		f := fileOf(r, "/etc/containerd/config.toml")
		f.Settings["root"], f.Changed = "/data", changedAt
		f = fileOf(r, "/var/lib/kubelet/config.yaml")
		f.Settings["maxPods"], f.Changed = "1", now.Add(-24*time.Hour)
		f = fileOf(r, "/var/lib/kubelet/kubeadm-flags.env")
		f.Settings["--v"], f.Changed = "9", now.Add(-time.Hour)
	}))
	first := func(claims ...triage.Claim) string {
		var out []string
		for _, d := range judge(t, s, claims...).Apart[0].Differences {
			out = append(out, d.What[strings.LastIndexAny(d.What, "/ ")+1:])
		}
		return strings.Join(out, " ")
	}
	if got, want := first(), "root --v maxPods eth0 state"; got != want {
		t.Errorf("without a finding: %s, want %s", got, want)
	}
	if got, want := first(claim("kubelet-config-invalid", triage.Likely, on("n0000"))), "--v maxPods root eth0 state"; got != want {
		t.Errorf("of a kubelet: %s, want %s", got, want)
	}
	if got, want := first(claim("network-partition", triage.Likely, on("n0000"))), "--v maxPods eth0 root state"; got != want {
		t.Errorf("of a network: %s, want %s", got, want)
	}
}

// Unhealthy nodes, nodes with a finding and selected nodes are compared with healthy nodes of the pool.
func TestApartOfWhom(t *testing.T) {
	change := func(which ...int) func(*nodereport.Report, int) {
		return func(r *nodereport.Report, i int) {
			if slices.Contains(which, i) {
				r.Links[0].MTU = 900
			}
		}
	}
	nodes := func(r *triage.Report) (out []string) {
		for _, a := range r.Apart {
			out = append(out, a.Node+"/"+strings.Join(a.Peers, "+"))
		}
		return out
	}
	if got := nodes(judge(t, pool(2, change(2)))); len(got) > 0 {
		t.Errorf("a healthy node that nobody asked about: %v", got)
	}
	got := nodes(judge(t, pool(2, change(2)), claim("packet-loss", triage.Likely, on("n0002"))))
	if !slices.Equal(got, []string{"n0002/n0001"}) {
		t.Errorf("a Ready node with a finding: %v", got)
	}
	other := fleet(1, 2, func(d *evidence.Data, n *evidence.Node, i int, _ bool) {
		if i == 2 {
			n.Labels["agentpool"] = "np2"
		}
		r := setUp(i)
		change(0)(r, i)
		d.NodeReports = append(d.NodeReports, r)
	})
	if got := nodes(judge(t, other)); !slices.Equal(got, []string{"n0000/n0001"}) {
		t.Errorf("beside a node of another pool: %v", got)
	}
	cat, set := casetest.Builtin(t)
	asked := triage.Input{Snapshot: pool(2, change(2)), Catalog: cat, Signatures: set, Nodes: []string{"n0002"}}
	if got := nodes(triage.Run(asked)); !slices.Equal(got, []string{"n0002/n0001"}) {
		t.Errorf("asked about: %v", got)
	}
	alone := pool(2, change(0)).Data()
	alone.Nodes, alone.Coverage = nil, nil
	if got := nodes(triage.Run(triage.Input{Snapshot: evidence.New(*alone), Catalog: cat, Signatures: set, Nodes: []string{"n0000"}})); !slices.Equal(got, []string{"n0000/n0001+n0002"}) {
		t.Errorf("by reports alone: %v", got)
	}
}

// Differences in API objects are listed with the others.
func TestApartByObjects(t *testing.T) {
	s := fleet(1, 2, func(d *evidence.Data, n *evidence.Node, i int, sick bool) {
		d.NodeReports = append(d.NodeReports, setUp(i))
		n.Labels["canary"] = pick(sick, "yes", "no")
		n.Node.Status.NodeInfo.KubeletVersion = pick(sick, "v1.36.0", "v1.36.3")
		if sick {
			n.Spec.Taints = []corev1.Taint{{Key: "rack", Value: "7", Effect: corev1.TaintEffectNoSchedule}}
		} else {
			daemonPod(d, n.Name, "agent", "registry.example/agent:1")
		}
	})
	want := []string{
		"n0000 versions kubelet: v1.36.0, not v1.36.3", "n0000 taints rack: 7:NoSchedule, not none", "n0000 labels canary: yes, not no",
		"n0000 daemonsets kube-system/agent: none, not registry.example/agent:1, follows",
	}
	if got := differencesOf(judge(t, s)); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// The order of reports does not matter.
func TestApartIsTheSameInAnyOrder(t *testing.T) {
	s := pool(4, sickOnly(func(r *nodereport.Report) {
		r.Links[0].MTU, r.Machine.Kernel = 900, "5.10"
		fileOf(r, "/proc/sys").Settings = map[string]string{"a": "1", "b": "2", "net.ipv4.ip_forward": "0"}
	}))
	want := differencesOf(judge(t, s))
	d := *s.Data()
	d.NodeReports = slices.Clone(d.NodeReports)
	slices.Reverse(d.NodeReports)
	if got := differencesOf(judge(t, evidence.New(d))); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}
