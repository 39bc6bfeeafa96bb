package azure_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// What Azure says goes into a bundle, and comes out of it: a week later the same is found, by the same evidence.
func TestBundleKeepsAzure(t *testing.T) {
	names, err := azure.Names()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := time.Now()
			s, err := azure.Load(name, now)
			if err != nil {
				t.Fatal(err)
			}
			e := azure.Start(&s.State)
			defer e.Close()
			kubeconfig, changed := kubernetes(t, s.Cluster(now))
			bundle := filepath.Join(t.TempDir(), "bundle.tar.gz")
			collect := exec.Command(program, "collect", "-o", bundle, "--kubeconfig", kubeconfig, "--azure-endpoint", e.URL)
			collect.Env = append(os.Environ(), "HOME="+t.TempDir(), "KUBECONFIG=")
			if out, err := collect.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			audit(t, e, *changed)
			saved := diagnose(t, bundle)
			judge(t, s, saved)
			live := diagnose(t, "--kubeconfig", kubeconfig, "--azure-endpoint", e.URL)
			if got, want := causes(saved), causes(live); !slices.Equal(got, want) {
				t.Errorf("the bundle gives %q, the cluster %q", got, want)
			}
		})
	}
}

// causes are what was found, in order.
func causes(r report) []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.Cause+" "+f.Confidence)
	}
	return out
}
