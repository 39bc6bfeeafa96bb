package trial

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
)

// startRegistry runs a registry in memory on the loopback, and returns its address.
func startRegistry(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(tool(t, crane), "registry", "serve", "--address", "127.0.0.1:0")
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if port := regexp.MustCompile(`serving on port (\d+)`).FindStringSubmatch(lines.Text()); port != nil {
			go func() { // its log must not fill the pipe
				for lines.Scan() {
				}
			}()
			return "127.0.0.1:" + port[1]
		}
	}
	t.Fatal("the registry ended before it served")
	return ""
}

// A registry accepts the images, every part of them is complete, and their programs run without other files.
func TestImages(t *testing.T) {
	made(t, "checksums.txt")
	address := startRegistry(t)
	for name, args := range map[string][]string{"nodetriage": {"version"}, "nodetriage-agent": {"-h"}, "nodetriage-controller": {"--version"}} {
		image := address + "/" + name + ":test"
		does(t, exec.Command(tool(t, crane), "push", "--insecure", unpack(t, made(t, name+"_*_image.tar")), image))
		does(t, exec.Command(tool(t, crane), "validate", "--insecure", "--remote", image))
		platform := "--platform=linux/" + runtime.GOARCH
		var config struct {
			Config struct{ User string }
		}
		if err := json.Unmarshal([]byte(does(t, exec.Command(tool(t, crane), "config", "--insecure", platform, image))), &config); err != nil || config.Config.User != "65532:65532" {
			t.Errorf("%s: user %q (%v), want one without rights", name, config.Config.User, err)
		}
		packed := filepath.Join(t.TempDir(), "root.tar")
		does(t, exec.Command(tool(t, crane), "export", "--insecure", platform, image, packed))
		root := unpack(t, packed)
		if runtime.GOOS != "linux" || os.Getuid() != 0 {
			does(t, exec.Command(filepath.Join(root, name), args...))
			continue
		}
		does(t, exec.Command("chroot", append([]string{"--userspec=65532:65532", root, "/" + name}, args...)...))
	}
}
