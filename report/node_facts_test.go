package report

import (
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// A healthy node shows what people check manually: unit, start, health, runtime, disks, certificates, paths.
func TestNodeFacts(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	yes, shims, off := true, 12, uint64(0)
	r := &nodereport.Report{
		TakenAt: at, Node: "w1",
		Machine: &nodereport.Machine{System: "Ubuntu 24.04", Kernel: "6.8.0-1021-azure", Booted: at.Add(-72 * time.Hour)},
		Cloud:   &nodereport.Cloud{Provider: "azure", Size: "Standard_D4s_v5", Zone: "1"},
		Units: []nodereport.Unit{
			{Name: "containerd.service", Active: "active", Sub: "running", Since: at.Add(-72 * time.Hour), Enabled: "enabled"},
			{Name: "kubelet.service", Active: "active", Sub: "running", Since: at.Add(-2 * time.Hour), Restarts: 3, Enabled: "enabled"},
		},
		Kubelet:   &nodereport.Kubelet{Healthz: "ok", Settings: map[string]string{"staticPodPath": "/etc/kubernetes/manifests"}},
		Listeners: &nodereport.Listeners{Sockets: []nodereport.Socket{{Port: 10250, Process: "kubelet"}, {Port: 10248, Process: "kubelet"}, {Port: 22, Process: "sshd"}}},
		Runtime: &nodereport.Runtime{
			Name: "containerd", Version: "1.7.27", Endpoint: "/run/containerd/containerd.sock", Answer: "ok", Latency: 12 * time.Millisecond, Shims: &shims,
			Containers: []nodereport.Container{{State: "Running"}, {State: "Exited"}}, Sandboxes: []nodereport.Sandbox{{State: "Ready"}},
			SandboxImage: "registry.k8s.io/pause:3.10", SandboxImagePresent: &yes,
		},
		CNI:          &nodereport.CNI{Network: &nodereport.Network{File: "/etc/cni/net.d/10-calico.conflist", Version: "0.3.1", Plugins: []nodereport.Plugin{{Type: "calico", State: "ok", Version: "v3.29"}, {Type: "portmap", State: "missing"}}, Ranges: []string{"10.244.1.0/24"}}},
		Filesystems:  []nodereport.Filesystem{{Mount: "/", Bytes: 128 << 30, BytesUsedPercent: 41, InodesUsedPercent: 7, Holds: []string{"/var/lib/kubelet"}}, {Mount: "/boot", BytesUsedPercent: 99, InodesUsedPercent: -1}},
		Memory:       &nodereport.Memory{Total: 16 << 30, Available: 9 << 30, SwapTotal: &off},
		Tasks:        &nodereport.Tasks{Current: 900, Max: 32768},
		Clock:        &nodereport.Clock{Synchronized: &yes, Service: "active"},
		Certificates: []nodereport.Certificate{{Path: "/var/lib/kubelet/pki/kubelet-client-current.pem", Use: "kubelet-client", NotAfter: at.Add(40 * 24 * time.Hour)}},
		Connections:  []nodereport.Connection{{Peer: "api-server", Target: "https://api.example.com", Answer: "ok"}},
		Lookups:      []nodereport.Lookup{{Name: "api.example.com", Server: "10.0.0.10", Answer: "ok"}},
		Logs:         []nodereport.Log{{Source: "journal"}, {Source: "kernel log"}},
	}
	var b strings.Builder
	if err := NodeFacts(&b, r, Style{}); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"Machine Ubuntu 24.04, kernel 6.8.0-1021-azure, up for 3d, azure Standard_D4s_v5 in zone 1",
		"Unit kubelet.service active running, for 120m, 3 restarts, enabled at boot",
		"Unit containerd.service active running, for 3d",
		"Kubelet healthz ok, static pods from /etc/kubernetes/manifests, listens on 10248, 10250",
		"Runtime containerd 1.7.27 at /run/containerd/containerd.sock, answers in 12ms, 1 pod sandbox, 1 of 2 containers run, 12 shims, sandbox image registry.k8s.io/pause:3.10 is there",
		"Pod net 10-calico.conflist version 0.3.1, plugins calico v3.29, portmap (missing), range 10.244.1.0/24",
		"Disks / 41 % of 128Gi used, 7 % of the inodes, holds /var/lib/kubelet",
		"Memory 9Gi of 16Gi available, swap is off, 900 of 32768 tasks",
		"Clock synchronised, service active",
		"Certs /var/lib/kubelet/pki/kubelet-client-current.pem of kubelet-client until 2026-12-30 12:00:00Z, 40d left",
		"Reaches API server https://api.example.com ok, api.example.com by 10.0.0.10 ok",
		"Logs journal, kernel log",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
	for _, no := range []string{"/boot", "sshd", "22,"} {
		if strings.Contains(got, no) {
			t.Errorf("%q is shown without being asked for:\n%s", no, b.String())
		}
	}
}
