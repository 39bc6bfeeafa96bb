//go:build unix

package controller_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// upstream builds a program from a copy of its module, and keeps it in the cache of the lab.
func upstream(t *testing.T, module, version, name string) string {
	t.Helper()
	cache, err := lab.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	built := filepath.Join(cache, name+"-"+version)
	if _, err := os.Stat(built); err == nil {
		return built
	}
	dir := t.TempDir()
	var source struct{ Dir string }
	if err := json.Unmarshal(goCommand(t, dir, "mod", "download", "-json", module+"@"+version), &source); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(source.Dir)); err != nil {
		t.Fatal(err)
	}
	// The pages of Alertmanager are built by npm and are not in its module.
	for _, pages := range []string{"elm", "mantine"} {
		page := filepath.Join(dir, name, "ui/app/dist", pages, "index.html")
		if err := os.MkdirAll(filepath.Dir(page), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(page, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	goCommand(t, filepath.Join(dir, name), "build", "-trimpath", "-tags", "remove_all_sd", "-o", built, "./cmd/"+name)
	return built
}

// goCommand runs the Go command and returns its output.
func goCommand(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "CGO_ENABLED=0")
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v: %s", strings.Join(args, " "), err, problem.String())
	}
	return out
}
