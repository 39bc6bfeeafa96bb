//go:build unix

package lab

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// coreDNSModule has the version that kubeadm of this Kubernetes installs (kubernetes
// cmd/kubeadm/app/constants/constants.go, 1.36.3). Its dependencies conflict with all others.
const coreDNSModule = "module coredns\n\ngo 1.25\n\nrequire github.com/coredns/coredns v1.14.2\n"

// coreDNSSource contains only the plugins that a Corefile of the lab names. With the plugins for clouds and Kubernetes
// the program is five times as large.
const coreDNSSource = `package main

import (
	"github.com/coredns/coredns/coremain"

	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/forward"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/log"
	_ "github.com/coredns/coredns/plugin/loop"
	_ "github.com/coredns/coredns/plugin/template"
)

func main() { coremain.Run() }
`

// BuildCoreDNS builds CoreDNS if it is not in the cache, and returns its file: a minute the first time.
func BuildCoreDNS(ctx context.Context, log io.Writer) (string, error) {
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	kept := filepath.Join(cache, fmt.Sprintf("coredns-%.8x", sha256.Sum256([]byte(runtime.Version()+coreDNSModule+coreDNSSource))))
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", fmt.Errorf("make cache folder: %w", err)
	}
	unlock, err := lock(filepath.Join(cache, "coredns.lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(kept); err == nil {
		return kept, nil
	}
	source, err := os.MkdirTemp(cache, "source-")
	if err != nil {
		return "", fmt.Errorf("make source folder: %w", err)
	}
	defer os.RemoveAll(source)
	err = errors.Join(
		os.WriteFile(filepath.Join(source, "go.mod"), []byte(coreDNSModule), 0o644), os.WriteFile(filepath.Join(source, "main.go"), []byte(coreDNSSource), 0o644))
	if err != nil {
		return "", err
	}
	fmt.Fprintln(log, "building coredns")
	begin, made := time.Now(), filepath.Join(source, "coredns")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", made, ".")
	cmd.Dir, cmd.Env = source, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build coredns: %w\n%s", err, out)
	}
	if err := os.Rename(made, kept); err != nil {
		return "", fmt.Errorf("keep coredns: %w", err)
	}
	fmt.Fprintf(log, "built coredns in %s\n", time.Since(begin).Round(time.Second))
	return kept, nil
}
