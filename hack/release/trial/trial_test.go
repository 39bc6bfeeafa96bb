package trial

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

var dist = flag.String("dist", "", "folder with what make release made; without it nothing is tried")

// External tools, in versions with checksums in the Go module proxy.
const (
	helm     = "helm.sh/helm/v4/cmd/helm@v4.3.1"
	krew     = "sigs.k8s.io/krew/cmd/krew@v0.4.3"
	validate = "sigs.k8s.io/krew/cmd/validate-krew-manifest@v0.4.3"
	crane    = "github.com/google/go-containerregistry/cmd/crane@v0.22.1"
)

// made returns the only file of the release that matches a pattern.
func made(t *testing.T, pattern string) string {
	t.Helper()
	if *dist == "" {
		t.Skip("no release to try: make trial")
	}
	files, err := filepath.Glob(filepath.Join(*dist, pattern))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s in %s: %d files, want one (%v)", pattern, *dist, len(files), err)
	}
	file, err := filepath.Abs(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return file
}

var built sync.Map // tools of this run

// tool builds an external tool, once, and returns its path.
func tool(t *testing.T, pkg string) string {
	t.Helper()
	if file, ok := built.Load(pkg); ok {
		return file.(string)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(cache, "nodetriage-trial")
	cmd := exec.Command("go", "install", pkg)
	cmd.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=-trimpath", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
	path, _, _ := strings.Cut(pkg, "@")
	file := filepath.Join(bin, filepath.Base(path))
	built.Store(pkg, file)
	return file
}

// does runs a program that must succeed, and returns its output.
func does(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return string(out)
}

// unpack unpacks a tarball, compressed or not, into a new folder.
func unpack(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var from io.Reader = bytes.NewReader(data)
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		if from, err = gzip.NewReader(from); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dir
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		to := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(to, 0o755)
		} else if err = os.MkdirAll(filepath.Dir(to), 0o755); err == nil {
			var content []byte
			if content, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(to, content, h.FileInfo().Mode())
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// runsExample runs a program on the recorded incident in the README.
func runsExample(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	var code *exec.ExitError
	if !errors.As(err, &code) || code.ExitCode() != 3 || !bytes.Contains(out, []byte("runtime-hung")) {
		t.Errorf("%s: %v, want exit code 3 and runtime-hung\n%.500s", strings.Join(cmd.Args, " "), err, out)
	}
}

func here() string { return runtime.GOOS + "_" + runtime.GOARCH }
