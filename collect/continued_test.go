package collect

import (
	"io"
	"strings"
	"testing"
)

// A message that continues on the next lines is joined, and all lines keep their numbers.
func TestWithContinuations(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"fields on lines of their own", "Feb 04 13:15:38 w1 containerd[1278]:\n    time=\"2025\" level=warning\n    msg=\"failed\"\n    error=\"no runtime\"\nnext\n",
			"Feb 04 13:15:38 w1 containerd[1278]: time=\"2025\" level=warning msg=\"failed\" error=\"no runtime\"\n\n\n\nnext\n"},
		{"a quoted field over several lines", "time=\"2026\" level=error msg=\"It failed.\n  It continues.\n  It ends.\"\nE0521 15:58:07.1 server.go:135 \"Error\"\n  err=\"no\"\n",
			"time=\"2026\" level=error msg=\"It failed. It continues. It ends.\"\n\n\nE0521 15:58:07.1 server.go:135 \"Error\" err=\"no\"\n\n"},
		{"an address", strings.Repeat("a", 60) + ": Get https://10.0.0.1:10250/containerLogs/s\necrets-store: dial tcp 10.0.0.1:10250: i/o timeout\n",
			strings.Repeat("a", 60) + ": Get https://10.0.0.1:10250/containerLogs/secrets-store: dial tcp 10.0.0.1:10250: i/o timeout\n\n"},
		{"a list", "0/3 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, \nthat the pod didn't tolerate, 2 node(s) had volume node affinity conflict.\nnext\n",
			"0/3 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 2 node(s) had volume node affinity conflict.\n\nnext\n"},
		{"a list of JSON", "\"a\": 1,\nand more: 2\n", ""},
		{"a quote that does not end", "E0521 15:58:07.1 the file \"a is broken\n  b\nc\n", ""},
		{"a value of YAML", strings.Repeat("a", 60) + ": https://10.0.0.1:10250/containerLogs/s\nname: dial\n", ""},
		{"the output of klog", "E0521 15:58:07.1 \"Failed\" err=<\n\tfirst\n >\n", ""},
		{"an indented message", "time=\"2026\" level=info msg=\"a\"\n time=\"2026\" level=error msg=\"b\"\n", ""},
		{"a sentence that a person wrapped", "E bootstrap.go:266] part of the existing bootstrap client certificate\n  in /etc/kubernetes/kubelet.conf is expired\nE run.go:74] \"failed\" err=\"unable to load\n  kubeconfig: stat /etc/x.conf:\n  no such file\"\n",
			"E bootstrap.go:266] part of the existing bootstrap client certificate in /etc/kubernetes/kubelet.conf is expired\n\nE run.go:74] \"failed\" err=\"unable to load kubeconfig: stat /etc/x.conf: no such file\"\n\n\n"},
		{"a list below a message", "I0602 09:40:01.000001       1 server.go:100] the settings of this server are:\n  a=1\n  b: {}\n", ""},
		{"other indented text", "E0521 15:58:07.1 \"Failed\"\n    at line 5\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == "" {
				tt.want = tt.text
			}
			got, err := io.ReadAll(withContinuations(strings.NewReader(tt.text)))
			if err != nil || string(got) != tt.want {
				t.Errorf("%q, %v, want %q", got, err, tt.want)
			}
		})
	}
}
