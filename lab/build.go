//go:build unix

package lab

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// The versions come from this module's own files, so that a build works from anywhere.
var (
	//go:embed go.mod
	goMod []byte
	//go:embed go.sum
	goSum []byte
	// What runs containers has dependencies that disagree with those of Kubernetes, so it is a module file of
	// its own; under its real name its folder could not be embedded.
	//go:embed runtime.mod
	runtimeMod []byte
	//go:embed runtime.sum
	runtimeSum []byte
	// crictl's dependencies disagree with both.
	//go:embed crictl.mod
	crictlMod []byte
	//go:embed crictl.sum
	crictlSum []byte
	//go:embed pause/main.go
	pauseSource []byte
	//go:embed skew/main.go
	skewSource []byte
)

// skew gives a program a clock of its own; its name changes with its source, and is empty where it cannot be built.
var skew = map[string]string{"amd64": fmt.Sprintf("skew-%x", sha256.Sum256(skewSource))[:13]}[runtime.GOARCH]

// crictl is a name that changes with the versions it is built from.
var crictl = fmt.Sprintf("crictl-%x", sha256.Sum256(crictlSum))[:15]

// program is one that the lab builds.
type program struct {
	name, pkg, tags string
	module          string // whose versions it is built from: empty, this one; runtime; crictl
}

// ofKubernetes reports whether the program is another one in each version of Kubernetes.
func (p program) ofKubernetes() bool { return strings.HasPrefix(p.pkg, "k8s.io/kubernetes/") }

var controlPlanePrograms = []program{
	{name: "etcd", pkg: "go.etcd.io/etcd/server/v3"},
	{name: "kube-apiserver", pkg: "k8s.io/kubernetes/cmd/kube-apiserver"},
	{name: "kube-controller-manager", pkg: "k8s.io/kubernetes/cmd/kube-controller-manager"},
	{name: "kube-scheduler", pkg: "k8s.io/kubernetes/cmd/kube-scheduler"},
}

const (
	containerd = "github.com/containerd/containerd/v2/cmd/"
	cniPlugins = "github.com/containernetworking/plugins/plugins/"
	noHeaders  = "no_btrfs no_devmapper no_zfs" // what would need C headers
)

var nodePrograms = []program{
	{name: "kubelet", pkg: "k8s.io/kubernetes/cmd/kubelet"},
	{name: "pause", pkg: "./pause"},
	{name: "kubectl", pkg: "k8s.io/kubernetes/cmd/kubectl"},
	{name: "containerd", pkg: containerd + "containerd", tags: noHeaders, module: "runtime"},
	{name: "containerd-shim-runc-v2", pkg: containerd + "containerd-shim-runc-v2", tags: noHeaders, module: "runtime"},
	{name: "ctr", pkg: containerd + "ctr", tags: noHeaders, module: "runtime"},
	{name: "runc", pkg: "github.com/opencontainers/runc", tags: "seccomp", module: "runtime"},
	{name: "bridge", pkg: cniPlugins + "main/bridge", module: "runtime"},
	{name: "loopback", pkg: cniPlugins + "main/loopback", module: "runtime"},
	{name: "host-local", pkg: cniPlugins + "ipam/host-local", module: "runtime"},
	{name: skew, pkg: "./skew"},
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
	return build(ctx, own, controlPlanePrograms, log)
}

// BuildNode adds what a real node runs, and kubectl: about two minutes more. It needs a C compiler, pkg-config
// and the headers of libseccomp.
func BuildNode(ctx context.Context, log io.Writer) (string, error) {
	return build(ctx, own, nodePrograms, log)
}

// BuildRelease makes the programs of the control plane in a minor version of Kubernetes, see Options, and those of nodes.
func BuildRelease(ctx context.Context, minor string, nodes bool, log io.Writer) (string, error) {
	of, err := releaseOf(minor)
	if err != nil {
		return "", err
	}
	bin, err := build(ctx, of, controlPlanePrograms, log)
	if err == nil && nodes {
		bin, err = build(ctx, of, nodePrograms, log)
	}
	return bin, err
}

// BuildKubectl makes kubectl alone.
func BuildKubectl(ctx context.Context, log io.Writer) (string, error) {
	i := slices.IndexFunc(nodePrograms, func(p program) bool { return p.name == "kubectl" })
	bin, err := build(ctx, own, nodePrograms[i:i+1], log)
	return filepath.Join(bin, "kubectl"), err
}

// BuildCrictl makes what people on a node ask its runtime with, and returns its path there: about a minute more.
func BuildCrictl(ctx context.Context, log io.Writer) (string, error) {
	_, err := build(ctx, own, []program{{name: crictl, pkg: "sigs.k8s.io/cri-tools/cmd/crictl", module: "crictl"}}, log)
	return "/usr/local/bin/" + crictl, err
}

// build makes the programs, those of Kubernetes in that release, and returns the folder that has all of them.
func build(ctx context.Context, of release, programs []program, log io.Writer) (string, error) {
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	key := sha256.New()
	fmt.Fprintln(key, runtime.GOOS, runtime.GOARCH, runtime.Version())
	for _, file := range [][]byte{of.mod, of.sum, runtimeMod, runtimeSum, pauseSource} {
		key.Write(file)
	}
	bin := filepath.Join(cache, "bin-"+hex.EncodeToString(key.Sum(nil))[:16])
	if complete(bin, programs) {
		return bin, nil
	}
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return "", fmt.Errorf("make cache folder: %w", err)
	}
	if of.version != own.version {
		if programs, err = linkOwn(ctx, bin, programs, log); err != nil {
			return "", err
		}
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
	for name, data := range map[string][]byte{
		"kubernetes/go.mod": of.mod, "kubernetes/go.sum": of.sum, "kubernetes/pause/main.go": pauseSource, "kubernetes/skew/main.go": skewSource,
		"runtime/go.mod": runtimeMod, "runtime/go.sum": runtimeSum,
		"crictl/go.mod": crictlMod, "crictl/go.sum": crictlSum,
	} {
		path := filepath.Join(source, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644)); err != nil {
			return "", err
		}
	}
	for _, p := range programs {
		if err := p.build(ctx, of, source, bin, log); err != nil {
			return "", err
		}
	}
	return bin, nil
}

// linkOwn links what every release has in common into the folder, and returns what is left to be built there.
func linkOwn(ctx context.Context, bin string, programs []program, log io.Writer) (left []program, err error) {
	var common []program
	for _, p := range programs {
		if p.ofKubernetes() {
			left = append(left, p)
		} else {
			common = append(common, p)
		}
	}
	from, err := build(ctx, own, common, log)
	if err != nil {
		return nil, err
	}
	for _, p := range common {
		if err := os.Link(filepath.Join(from, p.name), filepath.Join(bin, p.name)); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, fmt.Errorf("keep %s: %w", p.name, err)
		}
	}
	return left, nil
}

func complete(bin string, programs []program) bool {
	for _, p := range programs {
		if _, err := os.Stat(filepath.Join(bin, p.name)); err != nil {
			return false
		}
	}
	return true
}

func (p program) build(ctx context.Context, of release, source, bin string, log io.Writer) error {
	if _, err := os.Stat(filepath.Join(bin, p.name)); err == nil { // of one without a name it is the folder
		return nil
	}
	fmt.Fprintf(log, "building %s\n", p.name)
	begin := time.Now()
	made := filepath.Join(source, p.name)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-tags", p.tags, "-ldflags", "-s -w"+of.flags(), "-o", made, p.pkg)
	cmd.Dir = filepath.Join(source, cmp.Or(p.module, "kubernetes"))
	cgo := "CGO_ENABLED=0" // as the lab itself is compiled; nothing but pause is in the image of pause
	if p.module == "runtime" {
		cgo = "CGO_ENABLED=1" // runc enters namespaces in C, and asks libseccomp
	}
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off", cgo)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", p.name, err, out)
	}
	if err := os.Rename(made, filepath.Join(bin, p.name)); err != nil {
		return fmt.Errorf("keep %s: %w", p.name, err)
	}
	fmt.Fprintf(log, "built %s in %s\n", p.name, time.Since(begin).Round(time.Second))
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
