package trial

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// krew accepts the manifest and installs the plugin from the archive, and kubectl runs it.
func TestKrew(t *testing.T) {
	manifest, archive := made(t, "nodetriage.yaml"), made(t, "nodetriage_*_"+here()+".tar.gz")
	does(t, exec.Command(tool(t, validate), "-skip-install", "-manifest", manifest))
	root := t.TempDir()
	cmd := exec.Command(tool(t, krew), "install", "--manifest="+manifest, "--archive="+archive)
	cmd.Env = append(os.Environ(), "KREW_ROOT="+root, "KREW_NO_UPGRADE_CHECK=1")
	does(t, cmd)
	plugin := filepath.Join(root, "bin", "kubectl-nodetriage")
	runsExample(t, exec.Command(plugin, "diagnose", "--example=runtime-hang"))
	if kubectl, err := exec.LookPath("kubectl"); err == nil {
		cmd := exec.Command(kubectl, "nodetriage", "diagnose", "--example=runtime-hang")
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(plugin))
		runsExample(t, cmd)
	}
}
