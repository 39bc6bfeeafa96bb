package collect

import (
	"io"
	"strings"
	"testing"
)

// Output that a person wrote as comments below a command is read as output; other comments stay.
func TestWithoutRemarks(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a table", "kubectl get nodes\n# NAME       STATUS     ROLES\n# master-1   Ready      control-plane\nkubectl get pods\n",
			"kubectl get nodes\nNAME       STATUS     ROLES\nmaster-1   Ready      control-plane\nkubectl get pods\n"},
		{"a table with a title", "kubectl describe pod -n demos\n# \n# Events:\n#  Type     Reason   Message\n", "kubectl describe pod -n demos\n\nEvents:\n Type     Reason   Message\n"},
		{"a log", "$ journalctl -u kubelet\n# E0602 09:40:01.000001 1 kubelet.go:1] failed\n", "$ journalctl -u kubelet\nE0602 09:40:01.000001 1 kubelet.go:1] failed\n"},
		{"an arrow", "/snap/bin/k8s-dqlite \\\n  --a=1\n   # → Error: unknown flag: --a\n", "/snap/bin/k8s-dqlite \\\n  --a=1\nError: unknown flag: --a\n"},
		{"an arrow in a configuration", "size: 1\n# -> no space left on device\n", ""},
		{"a sentence", "kubectl get nodes\n# this failed because of the disk\n# NAME       STATUS\n", ""},
		{"a root prompt", "kubectl get nodes\n# kubectl get pods  -A  -o wide\n", ""},
		{"a configuration", "[plugins]\n#   key = 1   # the default\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == "" {
				tt.want = tt.text
			}
			got, err := io.ReadAll(withoutRemarks(strings.NewReader(tt.text)))
			if err != nil || string(got) != tt.want {
				t.Errorf("%q, %v, want %q", got, err, tt.want)
			}
		})
	}
}
