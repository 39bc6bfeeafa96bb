//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// detectorVersion is the version of node-problem-detector.
const detectorVersion = "v1.34.0"

// buildDetector builds node-problem-detector in a temporary module. It leaves out the journal, because lab nodes have
// none, and the exporter for one cloud.
func buildDetector(ctx context.Context, dir string) (string, error) {
	const module = "k8s.io/node-problem-detector"
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module scratch\n\ngo 1.25\n\nrequire "+module+" "+detectorVersion+"\n"), 0o644),
		os.WriteFile(filepath.Join(dir, "tools.go"), []byte("//go:build tools\n\npackage scratch\n\nimport _ \""+module+"/cmd/nodeproblemdetector\"\n"), 0o644),
	)
	if err != nil {
		return "", err
	}
	made := filepath.Join(dir, "node-problem-detector")
	cmd := exec.CommandContext(ctx, "go", "build", "-tags", "disable_stackdriver_exporter", "-ldflags", "-s -w", "-o", made, module+"/cmd/nodeproblemdetector")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build node-problem-detector: %w: %s", err, out)
	}
	return made, nil
}

// kernelMonitor watches the kernel log for the default problems of its DaemonSet.
const kernelMonitor = `{
  "plugin": "kmsg", "logPath": "/dev/kmsg", "lookback": "5m", "bufferSize": 10, "source": "kernel-monitor",
  "conditions": [{"type": "KernelDeadlock", "reason": "KernelHasNoDeadlock", "message": "kernel has no deadlock"}],
  "rules": [
    {"type": "temporary", "reason": "OOMKilling", "pattern": "Killed process \\d+ (.+) total-vm:\\d+kB, anon-rss:\\d+kB, file-rss:\\d+kB.*"},
    {"type": "temporary", "reason": "TaskHung", "pattern": "task [\\S ]+:\\w+ blocked for more than \\w+ seconds\\."},
    {"type": "permanent", "condition": "KernelDeadlock", "reason": "DockerHung", "pattern": "task docker:\\w+ blocked for more than \\w+ seconds\\."}
  ]
}
`

func writeSettings(dir string) (string, error) {
	path := filepath.Join(dir, "kernel-monitor.json")
	return path, os.WriteFile(path, []byte(kernelMonitor), 0o644)
}
