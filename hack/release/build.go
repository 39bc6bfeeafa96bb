package main

import (
	"fmt"
	"os"
	"os/exec"
)

// compile builds nodetriage for this computer. It prints completions, manual pages and knowledge.
func (r *release) compile(to, tags string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X main.linked=v"+r.version, "-tags", tags, "-o", to, programs[0])
	cmd.Env = append(cmd.Environ(), "GOOS=", "GOARCH=", "CGO_ENABLED=0", "GOFLAGS=")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build of %s: %w", programs[0], err)
	}
	return nil
}
