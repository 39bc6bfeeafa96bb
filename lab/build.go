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

// The versions come from the files of this module, so that a build works from any folder.
var (
	//go:embed go.mod
	goMod []byte
	//go:embed go.sum
	goSum []byte
	// The dependencies of the container runtime conflict with those of Kubernetes, so it has a separate module file. A
	// folder with a file named go.mod could not be embedded.
	//go:embed runtime.mod
	runtimeMod []byte
	//go:embed runtime.sum
	runtimeSum []byte
	// The dependencies of crictl conflict with both.
	//go:embed crictl.mod
	crictlMod []byte
	//go:embed crictl.sum
	crictlSum []byte
	//go:embed pause/main.go
	pauseSource []byte
	//go:embed skew/main.go
	skewSource []byte
)

// skew gives a program a different clock. Its name changes with its source, and is empty if it cannot be built.
var skew = map[string]string{"amd64": fmt.Sprintf("skew-%x", sha256.Sum256(skewSource))[:13]}[runtime.GOARCH]

// crictl is a file name that changes with its versions.
var crictl = fmt.Sprintf("crictl-%x", sha256.Sum256(crictlSum))[:15]

// program is a program that the lab builds.
type program struct {
	name, pkg, tags string
	module          string // module file of its versions: empty, this one; runtime; crictl
}

// ofKubernetes reports whether each Kubernetes version has a different build of the program.
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
	noHeaders  = "no_btrfs no_devmapper no_zfs" // the part that needs C headers
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

// CacheDir returns the folder of built programs: $NODETRIAGE_LAB_CACHE, or nodetriage-lab in the cache of the user.
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

// Build builds the programs of the control plane if they are not in the cache, and returns their folder. The first
// build takes about six minutes on two cores and needs the Go command; progress goes to log.
func Build(ctx context.Context, log io.Writer) (string, error) {
	return build(ctx, own, controlPlanePrograms, log)
}

// BuildNode builds the programs of a real node, and kubectl: about two minutes more. It needs a C compiler, pkg-config
// and the headers of libseccomp.
func BuildNode(ctx context.Context, log io.Writer) (string, error) {
	return build(ctx, own, nodePrograms, log)
}

// BuildRelease builds the programs of the control plane in a minor version of Kubernetes, see Options, and those of
// nodes.
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

// BuildKubectl builds only kubectl.
func BuildKubectl(ctx context.Context, log io.Writer) (string, error) {
	i := slices.IndexFunc(nodePrograms, func(p program) bool { return p.name == "kubectl" })
	bin, err := build(ctx, own, nodePrograms[i:i+1], log)
	return filepath.Join(bin, "kubectl"), err
}

// BuildCrictl builds crictl, which queries the runtime of a node, and returns its path: about a minute more.
func BuildCrictl(ctx context.Context, log io.Writer) (string, error) {
	_, err := build(ctx, own, []program{{name: crictl, pkg: "sigs.k8s.io/cri-tools/cmd/crictl", module: "crictl"}}, log)
	return "/usr/local/bin/" + crictl, err
}

// build builds the programs, with those of Kubernetes in that release, and returns the folder that has all of them.
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

// linkOwn links the programs that all releases share into the folder, and returns the programs that are still to be
// built.
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
	if _, err := os.Stat(filepath.Join(bin, p.name)); err == nil { // without a name: the folder
		return nil
	}
	fmt.Fprintf(log, "building %s\n", p.name)
	begin := time.Now()
	made := filepath.Join(source, p.name)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-tags", p.tags, "-ldflags", "-s -w"+of.flags(), "-o", made, p.pkg)
	cmd.Dir = filepath.Join(source, cmp.Or(p.module, "kubernetes"))
	cgo := "CGO_ENABLED=0" // compiled like the lab; the pause image contains nothing but pause
	if p.module == "runtime" {
		cgo = "CGO_ENABLED=1" // runc enters namespaces in C, and uses libseccomp
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
