package trial

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// inPackage are the files of the agent's packages on a node.
var inPackage = []string{
	"usr/bin/nodetriage-agent", "usr/lib/systemd/system/nodetriage-agent.service",
	"usr/share/doc/nodetriage-agent/LICENSE", "usr/share/doc/nodetriage-agent/NOTICES",
}

// dpkg and rpm install the agent into a separate root, and leave nothing when they remove it.
func TestPackages(t *testing.T) {
	for name, of := range map[string]struct {
		file                   string
		begin, install, remove []string
	}{
		"dpkg": {
			"nodetriage-agent_*_" + runtime.GOARCH + ".deb", nil,
			[]string{"--root=ROOT", "--force-script-chrootless", "--force-not-root", "--log=/dev/null", "-i", "FILE"},
			[]string{"--root=ROOT", "--force-script-chrootless", "--force-not-root", "--log=/dev/null", "--purge", "nodetriage-agent"},
		},
		"rpm": {
			"nodetriage-agent-*." + map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH] + ".rpm", []string{"-K", "--nosignature", "FILE"},
			[]string{"--root=ROOT", "--dbpath=/db", "-i", "--nodeps", "--noscripts", "FILE"},
			[]string{"--root=ROOT", "--dbpath=/db", "-e", "--noscripts", "nodetriage-agent"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := made(t, of.file)
			if _, err := exec.LookPath(name); err != nil {
				t.Skip(err)
			}
			if os.Getuid() != 0 {
				t.Skip("only root may install into a root of its own")
			}
			root := t.TempDir()
			if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg/updates"), 0o755); err != nil {
				t.Fatal(err)
			}
			for _, empty := range []string{"status", "available"} {
				if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg", empty), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			run := func(args []string) {
				t.Helper()
				if args != nil {
					does(t, exec.Command(name, strings.Split(strings.NewReplacer("ROOT", root, "FILE", file).Replace(strings.Join(args, "\n")), "\n")...))
				}
			}
			run(of.begin)
			run(of.install)
			if have := ours(t, root); !slices.Equal(have, inPackage) {
				t.Errorf("installed %q, want %q", have, inPackage)
			}
			does(t, exec.Command(filepath.Join(root, inPackage[0]), "-h"))
			run(of.remove)
			if left := ours(t, root); left != nil {
				t.Errorf("left after the removal: %q", left)
			}
		})
	}
}

// ours returns the files below a root, except the databases of the package managers.
func ours(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		if name == "var/lib/dpkg" || name == "db" {
			return fs.SkipDir
		}
		if !d.IsDir() || strings.Contains(d.Name(), "nodetriage") && !strings.HasPrefix(name, "usr/share/doc") {
			out = append(out, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
