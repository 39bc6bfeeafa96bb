package signatures_test

import (
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// kubeadm names its phases like folders. A tool that renames folders of this repository must not rename them in patterns.
func TestPhasesOfKubeadm(t *testing.T) {
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"[upgrade/config] FATAL: failed to get config map: Unauthorized":                     "upgrade-failed",
		"[upgrade/apply] FATAL: fatal error when trying to upgrade the etcd cluster":         "upgrade-failed",
		"[upgrade/versions] FATAL: the --version argument is invalid due to these errors: x": "upgrade-failed",
	} {
		says := func(m signatures.Tally) bool { return m.Signature.Says == want }
		if !slices.ContainsFunc(set.Match(line, ""), says) {
			t.Errorf("%q does not say %s", line, want)
		}
	}
}
