//go:build unix

package lab

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// The versions come from this module's own files, so that a build works from anywhere.
var (
	//go:embed go.mod
	goMod []byte
	//go:embed go.sum
	goSum []byte
)

// KubernetesVersion is what the control plane says it is.
const KubernetesVersion = "v1.36.3"

var programs = []struct{ name, pkg string }{
	{"etcd", "go.etcd.io/etcd/server/v3"},
	{"kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver"},
	{"kube-controller-manager", "k8s.io/kubernetes/cmd/kube-controller-manager"},
	{"kube-scheduler", "k8s.io/kubernetes/cmd/kube-scheduler"},
}

// CacheDir is where built programs are kept: $NODETRIAGE_LAB_CACHE, or nodetriage-lab in the user's cache.
func CacheDir() (string, error) {
	if dir := os.Getenv("NODETRIAGE_LAB_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder (set NODETRIAGE_LAB_CACHE): %w", err)
	}
	return filepath.Join(dir, "nodetriage-lab"), nil
}

// Build makes the programs of the control plane, unless the cache has them, and returns their folder. The
// first build takes about six minutes on two cores and needs the Go command; progress goes to log.
func Build(ctx context.Context, log io.Writer) (string, error) {
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	key := sha256.New()
	fmt.Fprintln(key, runtime.GOOS, runtime.GOARCH, runtime.Version())
	key.Write(goMod)
	key.Write(goSum)
	bin := filepath.Join(cache, "bin-"+hex.EncodeToString(key.Sum(nil))[:16])
	if complete(bin) {
		return bin, nil
	}
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return "", fmt.Errorf("make cache folder: %w", err)
	}
	unlock, err := lock(filepath.Join(cache, "build.lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	source, err := os.MkdirTemp(cache, "source-")
	if err != nil {
		return "", fmt.Errorf("make source folder: %w", err)
	}
	defer os.RemoveAll(source)
	for name, data := range map[string][]byte{"go.mod": goMod, "go.sum": goSum} {
		if err := os.WriteFile(filepath.Join(source, name), data, 0o644); err != nil {
			return "", err
		}
	}
	for _, p := range programs {
		if err := build(ctx, source, bin, p.name, p.pkg, log); err != nil {
			return "", err
		}
	}
	return bin, nil
}

func complete(bin string) bool {
	for _, p := range programs {
		if _, err := os.Stat(filepath.Join(bin, p.name)); err != nil {
			return false
		}
	}
	return true
}

func build(ctx context.Context, source, bin, name, pkg string, log io.Writer) error {
	if _, err := os.Stat(filepath.Join(bin, name)); err == nil {
		return nil
	}
	fmt.Fprintf(log, "building %s\n", name)
	begin := time.Now()
	made := filepath.Join(source, name)
	version := "-X k8s.io/component-base/version.gitVersion=" + KubernetesVersion +
		" -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36"
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w "+version, "-o", made, pkg)
	cmd.Dir = source
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	if err := os.Rename(made, filepath.Join(bin, name)); err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	fmt.Fprintf(log, "built %s in %s\n", name, time.Since(begin).Round(time.Second))
	return nil
}

// lock waits until no other process builds.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock the cache: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, fmt.Errorf("lock the cache: %w", err)
	}
	return func() { f.Close() }, nil
}
