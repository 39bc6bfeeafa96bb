//go:build !unix

package azure_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// build builds nodetriage in the folder.
func build(dir string) (string, error) {
	program := filepath.Join(dir, "nodetriage.exe")
	if out, err := exec.Command("go", "build", "-C", "../..", "-o", program, "./cmd/nodetriage").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build nodetriage: %w\n%s", err, out)
	}
	return program, nil
}
