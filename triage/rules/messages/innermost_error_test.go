package messages

import "testing"

func TestInnermostError(t *testing.T) {
	for line, want := range map[string]string{
		`WARN[2021-01-22 21:28:31] Failed to start: fork/exec k0s_data/bin/etcd: no such file or directory  component=etcd`: "k0s_data/bin/etcd does not exist",
		`E0301 09:40:06.000001 1 server.go:1] listen failed: listen tcp 0.0.0.0:10250: bind: address already in use`:        "0.0.0.0:10250 is already in use",
		`konnectivity: failed to connect: the proxy server has no backend`:                                                  "the proxy server has no backend",
		`level=fatal msg="x" error="y: {a=b}"`:                                                                              "",
		`no error inside`:                                                                                                   "",
	} {
		if got := innermostError(line); got != want {
			t.Errorf("innermostError(%q) = %q, want %q", line, got, want)
		}
	}
}
