package logline

import "testing"

func TestHostIn(t *testing.T) {
	for line, want := range map[string]string{
		"Jun  2 10:00:00 minikube systemd[1]: Stopped":                  "minikube",
		"Jun 02 10:00:00.123 etcd-1.example.org kernel: x":              "etcd-1.example.org",
		"2026-06-02T10:00:00.5+0200 docker-host kubelet[12]: x":         "docker-host",
		"2026-06-02T10:00:00Z n1 kernel: x":                             "n1",
		"2026-06-02T10:00:00Z kernel: [1.0] x":                          "",
		"2026-06-02T10:00:00Z stderr F E0602 10:00:00.1 1 a.go:1] x: y": "",
		"2026-06-02T10:00:00Z ERROR controller: x":                      "",
		"2026-06-02T10:00:00Z level=warn billing: x":                    "",
		"E0602 10:00:00.100000    1 kubelet.go:1] x":                    "",
		"[    1.000000] minikube: x":                                    "",
		"The host minikube is not running":                              "",
		"Jun  2 10:00:00 kubelet: error: x":                             "",
		"2026-06-02T10:00:00Z mount error: x":                           "",
		"2026-06-02T10:00:00.1Z conntrack failed: table full":           "",
		"2026-06-02T10:00:00Z":                                          "",
		"":                                                              "",
	} {
		from, to := HostIn(line)
		if got := line[from:to]; got != want {
			t.Errorf("HostIn(%q) = %q, want %q", line, got, want)
		}
	}
}
