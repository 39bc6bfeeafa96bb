package v1alpha1

import (
	"os/exec"
	"testing"
)

// The deep copies and the CustomResourceDefinition are those of the types.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles controller-gen")
	}
	cmd := exec.CommandContext(t.Context(), "hack/generate-api.sh", "-check")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
